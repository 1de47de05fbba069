#!/bin/sh
# build-program.sh NAME OUTPUT COMPILER [FLAG...] - compiles lua, zstd, sqlite (speedtest1), orders, bullet, leveldb,
# redis (redis-server), mujs, xz, gawk or cppcheck from Debian's source.  bullet, leveldb and cppcheck need a C++ compiler;
# the main programs of the first two are test/bench/truth_bodies.cpp and test/e2e/identity/leveldb_use.cc.
#
# The same flags compile and link (-flto needs that); objects lie in OUTPUT.objects/.  Sources come from fetch-source.sh;
# its status 77 (nothing reachable) is returned.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=${1:?usage: build-program.sh lua|zstd|sqlite|orders|bullet|leveldb|redis|mujs|xz|gawk|cppcheck OUTPUT COMPILER [FLAG...]}
output=${2:?no output}
shift 2
test $# -gt 0 || set -- cc

amalgamation() { # sqlite3.c: the whole library in one file, made by its makefile with tclsh
  made=$1/prof-made
  if [ ! -e "$made/.complete" ]; then
    command -v tclsh >/dev/null || { echo "build-program: tclsh is missing: make setup" >&2; exit 1; }
    rm -rf "$made"
    mkdir -p "$made"
    (cd "$made" && ../configure --disable-tcl --disable-readline && make sqlite3.c) >"$made/log" 2>&1 </dev/null ||
      { tail -n 20 "$made/log" >&2; exit 1; }
    touch "$made/.complete"
  fi
  echo "$made"
}

# by_itself SOURCE BINARY COMMAND...: runs COMMAND in a copy of the source, OUTPUT.objects/; BINARY of it becomes OUTPUT.
by_itself() {
  copied=$1 binary=$2
  shift 2
  rm -rf "$output.objects" "$output"
  cp -rp "$copied" "$output.objects" # with their times, which makefiles look at
  (cd "$output.objects" && "$@") >"$output.log" 2>&1 </dev/null || { tail -n 20 "$output.log" >&2; exit 1; }
  cp "$output.objects/$binary" "$output"
  exit 0
}

# configured BINARY COMPILER TARGETS COMMAND OPTION...: by_itself, of a program with a configure script, which is asked once
# for each compiler of a folder.  TARGETS: FOLDER:TARGET ..., in this order.
configured() {
  made=$1 compiler=$2 targets=$3 command=$4
  shift 4
  # shellcheck disable=SC2016 # the inner shell's words
  by_itself "$source" "$made" sh -c 'answers=$1 targets=$2 compiler=$3 command=$4
    shift 4
    ./configure --cache-file="$answers" CC="$compiler" "$@" || exit
    for target in $targets; do
      make -C "${target%%:*}" -j "$(nproc)" "${target#*:}" CC="$command" CFLAGS= || exit
    done' sh "$(dirname "$output")/$name-$(basename "$compiler").answers" "$targets" "$compiler" "$command" "$@"
}

case $name in
lua)
  source=$("$here/fetch-source.sh" lua5.4)
  files=$(ls "$source"/src/*.c | grep -v '/luac\.c$')
  mkdir -p "$output.objects"
  # Debian's rules make this header while building the package.
  echo '#define DEB_HOST_MULTIARCH "unknown"' >"$output.objects/lua5.4-deb-multiarch.h"
  # A fixed seed: hashes, and so the number of calls, are the same in every run.
  defines="-Dluai_makeseed(L)=5 -DLUA_COMPAT_5_3 -DLUA_USE_POSIX -DLUA_USE_DLOPEN -I$source/src -I$output.objects"
  libraries="-Wl,-E -lm -ldl"
  ;;
zstd)
  source=$("$here/fetch-source.sh" libzstd)
  files=$(ls "$source"/lib/common/*.c "$source"/lib/compress/*.c "$source"/lib/decompress/*.c \
    "$source"/lib/decompress/*.S "$source"/lib/dictBuilder/*.c "$source"/programs/*.c)
  defines="-DXXH_NAMESPACE=ZSTD_ -DZSTD_LEGACY_SUPPORT=0 -DBACKTRACE_ENABLE=0 -I$source/lib -I$source/lib/common"
  libraries=
  ;;
sqlite)
  source=$("$here/fetch-source.sh" sqlite3)
  made=$(amalgamation "$source")
  files="$made/sqlite3.c $source/test/speedtest1.c"
  defines="-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I$made"
  libraries=-lm
  ;;
orders) # a program of the documentation, with SQLite in it
  source=$("$here/fetch-source.sh" sqlite3)
  made=$(amalgamation "$source")
  files="$made/sqlite3.c $here/../docs/examples/cases/orders.c"
  defines="-DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I$made"
  libraries=-lm
  ;;
bullet)
  source=$("$here/fetch-source.sh" bullet)
  files="$source/src/btLinearMathAll.cpp $source/src/btBulletCollisionAll.cpp $source/src/btBulletDynamicsAll.cpp
    $here/../test/bench/truth_bodies.cpp"
  defines="-DBT_USE_DOUBLE_PRECISION -w -I$source/src"
  libraries=-lm
  ;;
leveldb) # the library with a small main program of ours
  source=$("$here/fetch-source.sh" leveldb)
  files="$(ls "$source"/db/*.cc "$source"/table/*.cc "$source"/util/*.cc | grep -v -e _test -e leveldbutil -e windows -e testutil)
    $here/../test/e2e/identity/leveldb_use.cc"
  defines="-pthread -DLEVELDB_PLATFORM_POSIX=1 -DHAVE_FDATASYNC=1 -DHAVE_O_CLOEXEC=1 -DHAVE_FULLFSYNC=0 -DHAVE_SNAPPY=0
    -DHAVE_CRC32C=0 -I$source -I$source/include"
  libraries=-pthread
  ;;
redis) # by its own makefiles; redis-benchmark and redis-cli stay in OUTPUT.objects/src
  source=$("$here/fetch-source.sh" redis)
  compiler=$1
  shift
  by_itself "$source" src/redis-server make -C src -j "$(nproc)" redis-server redis-benchmark redis-cli \
    CC="$compiler" OPTIMIZATION= DEBUG= MALLOC=libc USE_SYSTEMD=no CFLAGS="$*" LDFLAGS="$*"
  ;;
mujs)
  source=$("$here/fetch-source.sh" mujs)
  files=$(ls "$source"/js*.c "$source"/regexp.c "$source"/utf.c "$source"/main.c)
  defines=-I$source
  libraries=-lm
  ;;
xz)
  source=$("$here/fetch-source.sh" xz-utils)
  configured src/xz/xz "$1" .:all "$*" --disable-shared --disable-nls --disable-doc --disable-scripts
  ;;
gawk)
  source=$("$here/fetch-source.sh" gawk)
  configured gawk "$1" "support:all .:gawk" "$*" --disable-nls --disable-extensions --disable-pma --without-readline --without-mpfr
  ;;
cppcheck) # it finds its cfg/ by the folder of its makefile
  source=$("$here/fetch-source.sh" cppcheck)
  by_itself "$source" cppcheck make -j "$(nproc)" cppcheck CXX="$*" CXXFLAGS="-std=c++11" FILESDIR="$output.objects"
  ;;
*)
  echo "build-program: no such program: $name (lua, zstd, sqlite, orders, bullet, leveldb, redis, mujs, xz, gawk, cppcheck)" >&2
  exit 1
  ;;
esac

objects=$output.objects
mkdir -p "$objects"
rm -f "$objects"/*.o "$output"
# One compiler per file, one per core at a time; base names are unique in each program.
compile='base=$(basename "$1"); file=$1; shift; exec "$@" -c "$file" -o "$PROF_OBJECTS/${base%.*}.o"'
# shellcheck disable=SC2086 # lists of words without blanks
printf '%s\n' $files | PROF_OBJECTS=$objects xargs -P "$(nproc)" -I '{}' sh -c "$compile" sh '{}' "$@" $defines
# shellcheck disable=SC2086
"$@" "$objects"/*.o -o "$output" $libraries
