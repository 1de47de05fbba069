#!/bin/sh
# libdwarf.sh - prints the flags that compile and link with libdwarf 0.9 or newer, a second oracle of the tests.
#
# Uses the system's (Debian 13), else builds it once from Debian 13's source, in the cache folder of fetch-source.sh.
# Exit status: 0; 1 it doesn't build; 77 there is none and no source is reachable.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# Before 0.1 the version was a date.  Debian 13's .pc file names a missing folder of headers.
if pkg-config --exists 'libdwarf >= 0.9' 'libdwarf < 100' 2>/dev/null; then
  echo "-I$(pkg-config --variable=includedir libdwarf)/libdwarf $(pkg-config --cflags --libs libdwarf)"
  exit 0
fi
source=$("$here/fetch-source.sh" dwarfutils trixie)
made=$source/prof-made
exec 9>"$source/.lock" # two tests may want it
flock 9
if [ ! -e "$made/.complete" ]; then
  rm -rf "$made"
  { cmake -S "$source" -B "$made" -DCMAKE_BUILD_TYPE=Release -DBUILD_DWARFDUMP=OFF &&
    cmake --build "$made" --target dwarf --parallel "$(nproc)"; } >"$source/log" 2>&1 </dev/null ||
    { tail -n 20 "$source/log" >&2; exit 1; }
  touch "$made/.complete"
fi
echo "-I$source/src/lib/libdwarf $made/src/lib/libdwarf/libdwarf.a -lz -lzstd"
