#!/bin/sh
# compiler.sh [all] - prints the compiler to demonstrate prof with: $CC or the default GCC if it has a backend, else the best
# GCC that has one, else Clang in the same order.  all: each installed one, best first, one a line.
# None: status 1 and a line on stderr.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
majors() { sed -e 's/#.*//' -e '/^$/d' "$here/packages/$1-majors.txt"; }

# "gcc 12" or "clang 14"; else nothing.  The compiler itself reports its major, whatever its name.
identify() {
  "$1" --version 2>/dev/null </dev/null | sed -n -e '/Apple/d' -e 's/.*clang version \([0-9]*\)\..*/clang \1/p' \
    -e '/Free Software Foundation/s/.*/gcc/p' | head -n 1 | {
    read -r family major || exit 0
    test "$family" = clang || major=$("$1" -dumpversion | cut -d. -f1)
    echo "$family $major"
  }
}

each() {
  for compiler in ${CC:-} gcc $(majors gcc | sed 's/^/gcc-/') clang $(majors clang | sed 's/^/clang-/'); do
    command -v "$compiler" >/dev/null || continue
    found=$(identify "$compiler")
    test -n "$found" && majors "${found% *}" | grep -qx "${found#* }" && echo "$compiler"
  done | awk '!seen[$0]++'
}

found=$(each)
if [ -z "$found" ]; then
  echo "no compiler with a backend here; prof has backends for GCC $(majors gcc | sort -n | xargs) and Clang" \
    "$(majors clang | sort -n | xargs): make setup" >&2
  exit 1
fi
if [ "${1:-}" = all ]; then echo "$found"; else echo "$found" | head -n 1; fi
