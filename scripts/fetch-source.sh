#!/bin/sh
# fetch-source.sh NAME - unpacks the Debian source package NAME once and prints the folder (lua5.4, libzstd, sqlite3, ...).
#
# apt runs with a configuration of its own: its lists, cache and sources lie in the cache folder; the sources are the
# system's, read as deb-src.  The system's own are neither changed nor locked, and root isn't needed.
# Out: ${PROF_CACHE:-~/.cache/prof}/sources/NAME/.  Exit status: 0; 1 wrong use or no dpkg-source; 77 nothing reachable.
set -eu
name=${1:?usage: fetch-source.sh NAME}
cache=${PROF_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/prof}
target=$cache/sources/$name
say() { printf '%s\n' "fetch-source: $*" >&2; }

mkdir -p "$cache/sources"
cache=$(cd "$cache" && pwd)
target=$cache/sources/$name
if [ -e "$target/.complete" ]; then
  echo "$target"
  exit 0
fi
command -v dpkg-source >/dev/null || { say "dpkg-source is missing: make setup"; exit 1; }
exec 9>"$cache/lock" # two tests may want the same package
flock 9
if [ -e "$target/.complete" ]; then
  echo "$target"
  exit 0
fi

apt=$cache/apt
rm -rf "$apt/parts"
mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial" "$cache/downloads"
number=0
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  test -r "$file" || continue
  number=$((number + 1))
  case $file in
  *.sources) sed -e 's/^Types:.*/Types: deb-src/' "$file" > "$apt/parts/$number.sources" ;;
  *) sed -n -E 's/^deb(-src)?[[:space:]]/deb-src /p' "$file" | sort -u > "$apt/parts/$number.list" ;;
  esac
done
cat > "$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/parts";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Acquire::Retries "2";
CONF
get() { APT_CONFIG=$apt/apt.conf apt-get -q "$@" </dev/null >&2; }

say "fetching the source of $name with apt (into $cache)"
cd "$cache/downloads"
get source --download-only --only-source "$name" 2>/dev/null || {
  get update || say "apt-get update reported an error; trying with what it got"
  get source --download-only --only-source "$name" || {
    say "no source package $name could be fetched; is there a network, and a Debian or Ubuntu archive in apt's sources?"
    exit 77
  }
}
description=$(ls -t "${name}"_*.dsc | head -n 1)
rm -rf "$target"
dpkg-source --no-check --no-copy -x "$description" "$target" >&2
touch "$target/.complete"
echo "$target"
