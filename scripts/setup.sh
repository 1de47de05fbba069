#!/bin/sh
# setup.sh SET... - installs the Debian packages of the named sets (scripts/packages/SET.txt) that are missing.
#
# Installs as root or with a sudo that doesn't prompt; otherwise prints the command to run and stops with status 1.
# Only packages are installed: apt's sources don't change, and lists are fetched only if apt doesn't know a package.
# Never prompts: needs no terminal and no standard input.  Exit status: 0 all installed, 1 something is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sets="$*"
say() { printf '%s\n' "setup: $*" >&2; }

entries() { # the entries of all sets, one a line
  for set in $sets; do
    test -r "$here/packages/$set.txt" || { say "no such set: $set (see scripts/packages)"; exit 2; }
    sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$here/packages/$set.txt"
  done
}
majors() { sed -e 's/#.*//' -e '/^$/d' "$here/packages/$1-majors.txt"; }
installed() { test "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed; }
# Without a package of that name, apt reads g++-13 as a pattern, so its answer may be about others.
known() { apt-cache policy "$1" 2>/dev/null | grep -xF -A 2 "$1:" | grep -q '^  Candidate: [^(]'; }

default_gcc() { # major of the command gcc, or of the one that apt would install; empty: unknown
  if command -v gcc >/dev/null; then
    gcc -dumpversion | cut -d. -f1
  else
    apt-cache depends gcc 2>/dev/null | sed -n 's/.*Depends: gcc-\([0-9]*\)$/\1/p' | head -n 1
  fi
}

only_clang() { # major of the Clang that has a backend, if there is no GCC; else empty
  test -z "$("$here/compiler.sh" all 2>/dev/null | grep gcc)" || return 0
  command -v gcc >/dev/null && return 0
  clang=$("$here/compiler.sh" 2>/dev/null) || return 0
  "$clang" -dumpversion | cut -d. -f1
}

compiler() { # packages of the default compiler if it has a backend, else of the best one with a backend
  clang=$(only_clang)
  major=$(default_gcc)
  if [ -n "$clang" ]; then
    echo "llvm-$clang-dev libclang-$clang-dev"
    command -v c++ >/dev/null || command -v "clang++-$clang" >/dev/null || echo "clang-$clang"
  elif majors gcc | grep -qx "${major:-none}"; then
    installed gcc && installed g++ || echo "gcc g++"
    echo "gcc-$major-plugin-dev"
  else
    best=$(majors gcc | head -n 1)
    test -z "$major" || say "the default compiler is GCC $major; prof has backends for GCC $(majors gcc | sort -n | xargs): taking gcc-$best" >&2
    echo "gcc-$best g++-$best gcc-$best-plugin-dev"
  fi
}

missing() { # prints the packages to install, one a line; `unknown` ones too
  for entry in $(entries); do
    case $entry in
    @compiler) for package in $(compiler); do installed "$package" || echo "$package"; done ;;
    \?*) installed "${entry#?}" || ! known "${entry#?}" || echo "${entry#?}" ;;
    *=*) command -v "${entry%%=*}" >/dev/null || echo "${entry#*=}" ;;
    *\|*) installed "${entry%%|*}" || installed "${entry#*|}" || echo "${entry%%|*}" ;;
    *) installed "$entry" || echo "$entry" ;;
    esac
  done | sort -u
}
unknown() { for package in "$@"; do known "$package" || echo "$package"; done; }

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "this system has no apt. Install what these Debian packages hold, then run the target with PROF_SETUP=no:"
  entries | sed 's/.*=//' | sort -u | xargs >&2
  exit 1
fi

packages=$(missing | xargs)
if [ -z "$packages" ]; then
  say "all packages for '$sets' are there"
  exit 0
fi

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  say "these packages are missing, and installing them needs root. Run this, then the same target again:"
  printf '\n    sudo apt-get install -y %s\n\n' "$packages" >&2
  exit 1
fi
apt() { # waits for another apt; never prompts
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

updated=no
update() {
  test $updated = no || return 0
  say "fetching apt's package lists"
  apt update -q >&2 || say "apt-get update reported an error; going on with the lists that are there"
  updated=yes
}
# shellcheck disable=SC2086 # a list of words
if [ -n "$(unknown $packages)" ]; then
  update
  packages=$(missing | xargs)
  absent=$(unknown $packages | xargs)
  if [ -n "$absent" ]; then
    say "apt knows no such package here: $absent"
    say "prof is proven on Debian 12; see \"Other systems\" in README.md for the compilers to install elsewhere"
    exit 1
  fi
fi
say "installing $(echo $packages | wc -w) packages: $packages"
# Outdated lists name files that the mirror has removed; one update helps.
apt install -q -y --no-install-recommends $packages >&2 || {
  test $updated = no
  update
  apt install -q -y --no-install-recommends $packages >&2
}
say "done"
