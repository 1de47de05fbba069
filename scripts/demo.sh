#!/bin/sh
# demo.sh BUILD - records docs/examples/wordcount with the prof of a build folder and shows where its time goes.
#
# Out: BUILD/demo/ with the program, prof.data/, flame.svg, and report.html if prof was built with the page.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
prof=$build/tools/prof
demo=$build/demo
say() { # bold on a terminal
  if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi
}
run() { # shows a command, then runs it
  printf '$ %s\n' "$*" | sed -e "s#$prof#prof#g" -e "s#$here/##g"
  "$@"
}

test -x "$prof" || { echo "demo: $prof was not built; see the messages above" >&2; exit 1; }
flags= # for the best compiler that this build has a backend for
for cc in $("$here/scripts/compiler.sh" all); do
  flags=$("$prof" config --cflags --compiler="$cc" 2>/dev/null) && break
done
test -n "$flags" || { echo "demo: this build has no backend for any compiler here; see \"backends\" in what cmake said" >&2; exit 1; }
which= # gcc is the default
test "$cc" = gcc || which=" --compiler=$cc"
rm -rf "$demo"
mkdir -p "$demo"

say "1. Compile a program with the plugin ($cc, docs/examples/wordcount)"
# shellcheck disable=SC2086 # flags are words
run "$cc" -g -O2 $flags "$here"/docs/examples/wordcount/*.c -o "$demo/wordcount"

say "2. Record a run of it"
cd "$demo"
run "$prof" record ./wordcount

say "3. Where did the time go?"
run "$prof" report

say "4. Who called whom?"
run "$prof" tree

say "5. The same as a picture"
run "$prof" flame -o flame.svg

say "6. Everything in one page"
page=
if run "$prof" view -o report.html; then
  page="  Open $demo/report.html in a browser: timeline, source, threads; ? lists its keys.
"
fi

say "Next"
cat <<TEXT
$page  Open $demo/flame.svg in a browser: click zooms, Ctrl-F searches.
  cd $demo && $prof replay --limit 40     each call in time order
  docs/tutorial/1-first-profile.md finds the fault in this program and mends it.
  Your own program:  $cc -g -O2 \$($prof config --cflags$which) app.c -o app && $prof record ./app
  make install       makes that  $cc -g -O2 -fplugin=prof.so app.c -o app
TEXT
