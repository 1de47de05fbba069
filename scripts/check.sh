#!/bin/sh
# check.sh BUILD [CTEST-ARGUMENT...] - runs the tests of a build folder and ends with "N passed, N failed, N skipped".
#
# Exit status: 0 nothing failed; 1 otherwise, or if nothing ran.
set -eu
build=$1
shift
report=$build/test-report.xml
log=$build/test-output.txt
rm -f "$report" "$log"
cores=$(nproc 2>/dev/null || echo 2)
jobs=$((cores + (cores + 1) / 2)) # many tests wait: for a browser, a child, the end of a sleep

status=0
ctest --test-dir "$build" --output-on-failure --timeout 600 -j "$jobs" --output-junit "test-report.xml" "$@" </dev/null ||
  status=$?
exec python3 "$(dirname "$0")/summary.py" "$report" "$status"
