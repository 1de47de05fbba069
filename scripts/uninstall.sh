#!/bin/sh
# uninstall.sh PREFIX - removes what install.sh put into the prefix, and nothing else; needs no build folder.
#
# In: PREFIX/lib.../prof/installed-files, the list that install.sh wrote.
set -eu
prefix=${1%/}
conf=/etc/ld.so.conf.d/prof.conf
PATH=$PATH:/usr/sbin:/sbin # where ldconfig is
say() { printf '%s\n' "uninstall: $*"; }

list=$(find "$prefix"/lib* -name installed-files -path '*/prof/installed-files' 2>/dev/null | head -n 1)
test -n "$list" || { say "no prof that make install has put into $prefix; PREFIX=... names another place" >&2; exit 1; }
files=$(cat "$list")
removed=0
while IFS= read -r file; do
  case $file in "$prefix"/*) ;; *) continue ;; esac
  if [ -e "$file" ] || [ -L "$file" ]; then
    rm -f "$file"
    removed=$((removed + 1))
  fi
done <<FILES
$files
FILES
printf '%s\n' "$files" | sed 's#/[^/]*$##' | sort -ru | while IFS= read -r folder; do # folders that only prof uses
  case $folder in */prof) rmdir "$folder" 2>/dev/null || true ;; esac
done
if [ "$(id -u)" = 0 ]; then
  if [ -r $conf ] && grep -qF "$prefix/" $conf; then rm -f $conf; fi
  # Two at once fail: apt may run another.
  ldconfig || ldconfig || say "ldconfig failed: run it as root, its list still has the removed libraries"
fi
say "$removed files removed from $prefix"
