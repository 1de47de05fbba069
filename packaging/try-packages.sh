#!/bin/sh
# try-packages.sh FOLDER COMPILER... - in a small Debian, as root: installs the packages that lie in FOLDER for the named
# compilers (gcc-12, clang-14, ...), profiles a program with each by the bare flag, removes them, and looks for what stays.
#
# Changes the system: run it in a root of debian-root.sh.  Exit status: 0, or 1 with a line that says what is wrong.
set -eu
packages=$(cd "$1" && pwd)
shift
fail() { echo "try-packages: $*" >&2; exit 1; }
apt() { DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@" </dev/null >apt.log 2>&1 ||
  { tail -n 20 apt.log; fail "apt-get $* failed"; }; }
files() { # of the system, without what apt and dpkg keep about themselves
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path /usr/src -o -path /root \
    -o -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -print | sort
}

work=$(mktemp -d)
cd "$work"
apt update
apt install pkg-config libc6-dev "$@"
apt autoremove --purge # what an earlier run in this root needed
files >before

set -- "$@" # the compilers; their packages:
chosen=
for compiler in "$@"; do
  chosen="$chosen $(ls "$packages"/prof-"$compiler"_*.deb)"
done
for name in prof libprof-runtime prof-plugin libproftrace0 libproftrace-dev; do
  chosen="$chosen $(ls "$packages/${name}"_*.deb)"
done
# shellcheck disable=SC2086 # paths without blanks
apt install $chosen

cat >app.c <<'C'
int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
int main(void) { return f(10) != 55; }
C
cat >reader.c <<'C'
#include <proftrace.h>
#include <stdio.h>
int main(int argc, char **argv) {
  struct prof_diag diag;
  prof_trace *trace;
  if (argc != 2 || prof_trace_open(argv[1], &diag, &trace) != PROF_OK)
    return 1;
  printf("%llu\n", (unsigned long long)prof_trace_info(trace)->events);
  prof_trace_close(trace);
  return 0;
}
C
for compiler in "$@"; do
  "$compiler" -g -O0 -fplugin=prof.so -fplugin-arg-prof-exclude=none app.c -o app
  prof record ./app 2>said || { cat said; fail "prof record failed on what $compiler made"; }
  calls=$(prof report --fields=calls --format=csv | xargs)
  test "$calls" = "calls 177 1" || fail "$compiler: recorded are '$calls' and not 177 and 1"
  # shellcheck disable=SC2046
  "$compiler" -O0 $(pkg-config --cflags prof) app.c -static $(pkg-config --static --libs prof) -o alone
  prof record ./alone 2>said || { cat said; fail "prof record failed on a static program of $compiler"; }
  # shellcheck disable=SC2046
  "$compiler" reader.c $(pkg-config --cflags --libs proftrace) -o reader
  test "$(./reader prof.data)" = 356 || fail "$compiler: a static program has $(./reader prof.data) events and not 356"
  PROF_RECORD=1 PROF_OPTIONS="-o by-itself" ./app || fail "a program of $compiler doesn't run with PROF_RECORD"
  for _ in 1 2 3 4 5 6 7 8 9 10; do # the recorder finishes after the program
    test "$(./reader by-itself)" = 356 && break
    sleep 1
  done
  test "$(./reader by-itself)" = 356 || fail "$compiler: no recording without prof record"
  rm -rf prof.data by-itself
  echo "$compiler: profiled by the bare flag, static, and by PROF_RECORD"
done

names=$(for file in $chosen; do dpkg-deb -f "$file" Package; done)
# shellcheck disable=SC2086
apt purge --autoremove $names
./app || fail "a program with probes needs prof to run"
files >after
diff before after >changed || { cat changed; fail "this differs after the packages were removed"; }
ldconfig -p | grep -E '[[:space:]](prof|libprof-|libproftrace)' && fail "ldconfig still knows prof"
echo "removed: nothing stays"
rm -rf "$work"
