#!/usr/bin/env python3
"""The drivers find what they look for: a made-up compiler goes wrong in each way when it is given the plugin.

The made-up compiler is a script that says what to do with -fplugin; the recorder is one that runs the program and leaves a report.
"""
import pathlib
import sys
import tempfile
import types

import driver
import selector
import suite
import trial

COMPILER = """#!/bin/sh
fault=$(cat "$(dirname "$0")/fault")
out=program probed=0
for word in "$@"; do case $word in
  -fplugin=*) probed=1 ;;
  -c) out=x.o ;;
  *.o) cp "$word" program; exit ;; # the second of two commands
esac; done
test $probed = 0 && fault=
case $fault in crash) echo "internal compiler error: Segmentation fault"; exit 4 ;; refuse) echo "no such type"; exit 1 ;; esac
{ echo '#!/bin/sh'
  test "$fault" = status && echo 'exit 3'
  test "$fault" = output && echo 'echo more'
  test "$fault" = on && echo 'test -n "$RECORDED" && exit 3'
  case $(cat "$(dirname "$0")/fault") in address*) echo 'echo at 0x7fff000$$' ;; esac # in the plain program too
  test "$fault" = address-and-more && echo 'echo more'
  echo 'exit 0'; } > $out
chmod +x $out
"""
PROF = """#!/bin/sh
if [ "$1" = record ]; then
  while [ "$1" != -- ]; do shift; done
  shift
  RECORDED=1 "$@"
  status=$?
  printf '\nprof: recorded\n' >&2
  exit $status
fi
unmatched=0 skipped=0
case $(cat "$(dirname "$0")/fault") in trace) unmatched=1 ;; frames) skipped=1 ;; esac
echo '{"lost_events":0,"torn_events":0,"unmatched_exits":'$unmatched',"unreadable_bytes":0,"damaged_chunks":0,'
echo '"skipped_sites":0,"inversions":0,"skipped_frames":'$skipped',"complete":true,"events":2}'
"""
FAULTS = {"none": trial.SAME, "crash": trial.CRASHED, "refuse": trial.REFUSED, "status": trial.DIFFERS, "output": trial.DIFFERS,
          "on": trial.DIFFERS, "trace": trial.TRACE, "frames": trial.TRACE, "address": trial.SAME,
          "address-and-more": "skipped: plain runs differ"}
# What differs from plain and passes all the same is not looked for in tests that check themselves.
PASS = {"none", "output"}
SELECTORS = {"c++11": True, "c++14_down": False, "{ ! c++11 }": False, "{ c++11 && { ! c++23 } }": True, "ilp32 || lp64": True,
             "{ { i?86-*-* x86_64-*-* } && ia32 }": False, "i?86-*-linux* x86_64-*-linux*": True, "*-*-solaris2*": False}
TEXTS = {'// { dg-do run }\n// { dg-options "-O2 -fno-gcse" }': ["-O2", "-fno-gcse"],
         '/* { dg-options "-mpc64" { target { i?86-*-* x86_64-*-* } } } */': ["-mpc64"],
         '/* { dg-options "-mpc64" { target arm*-*-* } } */': [], "// { dg-do compile }": None,
         "// { dg-do run { target { c++11 && ilp32 } } }": None, '// { dg-additional-sources "b.C" }': None,
         '/* { dg-skip-if "io" { freestanding } } */': []}


def faults():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in (("cc", COMPILER), ("prof", PROF)):
            (folder / file).write_text(text, encoding="ascii")
            (folder / file).chmod(0o755)
        compiler = types.SimpleNamespace(name="made-up", family="gcc", commands={"c": str(folder / "cc")}, prof=folder / "prof",
                                         plugin=folder / "prof.so", digest="a", plain_digest="b")
        for fault, expected in FAULTS.items():
            (folder / "fault").write_text(fault, encoding="ascii")
            verdict, text = trial.trial(compiler, "c", [], ["x.c"])
            if verdict != expected:
                yield f"a fault of kind {fault}: the verdict is {verdict}, not {expected}: {text}"
            if trial.passes(compiler, "c", [], ["x.c"]) != (fault in PASS):
                yield f"a fault of kind {fault}: passes says {fault not in PASS}"
        bad = driver.table_print("made-up", {"x": {"verdict": trial.DIFFERS, "text": ""}, "y": {"verdict": "same", "text": ""}}, 2)
        if bad != 1:
            yield f"the table counts {bad} bad rows, not 1"
    for text, expected in SELECTORS.items():
        if selector.holds(text, 117) != expected:
            yield f"the selector {text} is not {expected}"
    for text, expected in TEXTS.items():
        if suite.directives_read(text, 117)[0] != expected:
            yield f"{text}: {suite.directives_read(text, 117)}, not {expected}"


def main():
    found = list(faults())
    print("\n".join([*found, f"{2 * len(FAULTS) + len(SELECTORS) + len(TEXTS) + 1} looked at, {len(found)} wrong"]))
    return 1 if found else 0


sys.exit(main())
