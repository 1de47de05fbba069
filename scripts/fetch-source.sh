#!/bin/sh
# fetch-source.sh NAME [SUITE] - unpacks the Debian source package NAME once and prints the folder (lua5.4, libzstd, ...).
#
# SUITE: the Debian release (trixie, ...) of the package.  Only the upstream source is unpacked, without Debian's patches:
# an archive drops the files of a revision before its lists do.  Default: apt's sources.
# apt runs with its own configuration: lists, cache and sources lie in the cache folder; the sources are the system's,
# read as deb-src.  The system's own files are neither changed nor locked, and root isn't needed.
# Out: ${PROF_CACHE:-~/.cache/prof}/sources/NAME/ or NAME-SUITE/.  Exit status: 0; 1 wrong use or no dpkg-source; 77
# nothing reachable.
set -eu
name=${1:?usage: fetch-source.sh NAME [SUITE]}
suite=${2:-}
cache=${PROF_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/prof}
target=$cache/sources/$name${suite:+-$suite}
say() { printf '%s\n' "fetch-source: $*" >&2; }

mkdir -p "$cache/sources"
cache=$(cd "$cache" && pwd)
target=$cache/sources/$name${suite:+-$suite}
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
mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial" "$cache/downloads/$suite"
number=0
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
  test -r "$file" || continue
  number=$((number + 1))
  case $file in
  *.sources) sed -e 's/^Types:.*/Types: deb-src/' "$file" > "$apt/parts/$number.sources" ;;
  *) sed -n -E 's/^deb(-src)?[[:space:]]/deb-src /p' "$file" | sort -u > "$apt/parts/$number.list" ;;
  esac
done
if [ -n "$suite" ]; then
  # $(...) are apt's, not the shell's
  # shellcheck disable=SC2016
  archive=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian Debian //p' | head -n 1)
  test -n "$archive" || { say "apt here knows no Debian archive to take $name of $suite from"; exit 77; }
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  test -r $keys && keys=" [signed-by=$keys]" || keys=
  echo "deb-src$keys $archive $suite main" > "$apt/parts/suite.list"
fi
cat > "$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/parts";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Acquire::Retries "2";
CONF
wanted=$name${suite:+/$suite}
get() { APT_CONFIG=$apt/apt.conf apt-get -q "$@" </dev/null >&2; }
get_source() { get source --download-only --only-source ${suite:+--tar-only} "$wanted"; }

say "fetching the source of $wanted with apt (into $cache)"
cd "$cache/downloads/$suite"
get_source 2>/dev/null || {
  get update || say "apt-get update reported an error; trying with what it got"
  get_source || {
    say "no source package $wanted could be fetched; is there a network, and a Debian or Ubuntu archive in apt's sources?"
    exit 77
  }
}
rm -rf "$target"
if [ -n "$suite" ]; then
  mkdir "$target"
  tar -xf "$(ls -t "${name}"_*.orig.tar.* | head -n 1)" -C "$target" --strip-components=1
else
  dpkg-source --no-check --no-copy -x "$(ls -t "${name}"_*.dsc | head -n 1)" "$target" >&2
fi
touch "$target/.complete"
echo "$target"
