#!/bin/sh
# build.sh BUILD [CMAKE-ARGUMENT...] - configures a build folder and compiles it, with one job per core.
#
# An existing folder keeps its generator; a new one gets Ninja if that is installed.
set -eu
build=$1
shift
generator=
if [ ! -e "$build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
  generator="-G Ninja"
fi
if [ -z "${CC:-}" ] && ! command -v cc >/dev/null; then # all installed compilers have a version in their names
  CC=$("$(dirname "$0")/compiler.sh")
  CXX=$(echo "$CC" | sed -e 's/gcc/g++/' -e 's/clang/clang++/')
  export CC CXX
fi
# shellcheck disable=SC2086 # two words or none
cmake -S . -B "$build" $generator "$@" </dev/null
exec cmake --build "$build" --parallel "$(nproc 2>/dev/null || echo 2)" </dev/null
