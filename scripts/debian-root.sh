#!/bin/sh
# debian-root.sh SUITE ROOT [COMMAND...] - runs a command on this source tree in another Debian (bookworm, trixie, ...).
#
# ROOT: a folder for a small system made by debootstrap and reused later; remove it with rm -rf when nothing runs in it.
# The files of this tree are copied to ROOT/usr/src/prof (its build folder stays).  COMMAND runs there as root with /proc,
# /sys and /dev in its own mount namespace, so that nothing stays mounted.  Archive and proxy are those of this system's
# apt; PROF_MIRROR=URL names another archive, which a system other than Debian needs.
# Exit status: the command's; 1 wrong use or no root could be made; 77 not root, or no debootstrap or unshare.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
say() { printf '%s\n' "debian-root: $*" >&2; }
test $# -ge 2 || { say "usage: debian-root.sh SUITE ROOT [COMMAND...]"; exit 1; }
suite=$1
root=$2
shift 2
PATH=$PATH:/usr/sbin:/sbin

[ "$(id -u)" = 0 ] || { say "making a root needs root"; exit 77; }
for tool in debootstrap unshare chroot; do
  command -v $tool >/dev/null || { say "$tool is missing: make setup-all"; exit 77; }
done
# $(...) are apt's, not the shell's
# shellcheck disable=SC2016
mirror=${PROF_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
  sed -n 's/^Debian Debian //p' | head -n 1)}
test -n "$mirror" || { say "apt here knows no Debian archive: set PROF_MIRROR"; exit 1; }

if [ ! -e "$root/.complete" ]; then
  test ! -e "$root" || [ -z "$(ls -A "$root")" ] || { say "$root is no root that debian-root.sh has completed: remove it"; exit 1; }
  say "making a Debian $suite in $root"
  mkdir -p "$root"
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 </dev/null || {
    tail -n 5 "$root.log" >&2
    exit 1
  }
  apt-config dump | grep -E '^Acquire::(https?|Check-)' >"$root/etc/apt/apt.conf.d/90here" || true
  rm -f "$root.log"
  touch "$root/.complete"
fi
root=$(cd "$root" && pwd)
cp /etc/resolv.conf "$root/etc/resolv.conf"

source=$root/usr/src/prof
mkdir -p "$source"
find "$source" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
# shellcheck disable=SC2016
(cd "$here" && git ls-files -z --cached --others --exclude-standard |
  xargs -0 sh -c 'for file; do test ! -e "$file" || printf "%s\0" "$file"; done' sh | tar --null -T - -cf -) |
  tar -xf - -C "$source"
test $# -gt 0 || exit 0

# No variables of this environment; a cache of sources beside the tree.
# shellcheck disable=SC2016
exec unshare --mount --pid --fork sh -eu -c '
  root=$1; shift
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    PROF_CACHE=/var/cache/prof DEBIAN_FRONTEND=noninteractive \
    chroot "$root" sh -c "cd /usr/src/prof && exec \"\$@\"" sh "$@"' sh "$root" "$@" </dev/null
