#!/bin/sh
# cover-clang.sh CLANG [FLAG...] [-c SOURCE -o OBJECT] - CLANG --coverage, with every edge between blocks split before.
#
# Where an edge from a block with several ways on to one with several ways in gets a counter, clang may lose the arc
# before it from its notes, and llvm-cov then shows counts of ways that nobody took.  The new blocks stand on no line.
set -eu
clang=$1 number=${1##*-}
shift
compiles= object= source= before=
for word; do
  test "$word" != -c || compiles=1
  test "$before" != -c || source=$word
  test "$before" != -o || object=$word
  before=$word
done
case $compiles:$source in
1:*.c | 1:*.cc) ;;
*) exec "$clang" --coverage "$@" ;;
esac
"$clang" --coverage "$@" -Xclang -disable-llvm-passes -Xclang -disable-O0-optnone -emit-llvm
mv "$object" "$object.bc"
"opt-$number" -passes=break-crit-edges -S "$object.bc" | sed '/_crit_edge[0-9]*"\{0,1\}:/{n;s/, !dbg ![0-9]*//;}' >"$object.ll"
"$clang" --coverage -O0 -Wno-unused-command-line-argument -c "$object.ll" -o "$object"
rm "$object.bc" "$object.ll"
