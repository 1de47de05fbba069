#!/bin/sh
# compiler.sh - prints the GCC to demonstrate prof with: the default one if it has a backend, else the best one that has.
# Status 1 and a line on stderr when there is none.
set -eu
majors=$(sed -e 's/#.*//' -e '/^$/d' "$(dirname "$0")/packages/gcc-majors.txt")
for compiler in "${CC:-gcc}" $(printf 'gcc-%s\n' $majors); do
  command -v "$compiler" >/dev/null || continue
  major=$("$compiler" -dumpversion | cut -d. -f1)
  if printf '%s\n' "$majors" | grep -qx "$major" && "$compiler" --version | grep -q 'Free Software Foundation'; then
    echo "$compiler"
    exit 0
  fi
done
echo "no GCC with a backend here; prof has backends for GCC $(echo "$majors" | sort -n | xargs): make setup" >&2
exit 1
