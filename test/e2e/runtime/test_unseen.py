#!/usr/bin/env python3
"""A program that looks at itself sees the same, recorded or not."""
import difflib
import pathlib
import time

import run

options = run.arguments()
faults = run.Faults()
program = faults.folder / "self"
built = run.build(options, "self.c", program)
faults.check("self.c compiles", built.returncode == 0, built.stderr)


def compare(what, result, expected):
    lines = difflib.unified_diff(expected.stdout.splitlines(), result.stdout.splitlines(), "plain", what, lineterm="", n=0)
    faults.check(f"{what}: sees the same", result.stdout == expected.stdout, "\n".join(lines))
    faults.check(f"{what}: same status", result.returncode == expected.returncode, result.returncode)


plain = run.run([program])
faults.check("it runs", plain.returncode == 5, plain.returncode)
recorded = faults.folder / "recorded"
compare("prof record", run.run([options.prof, "record", "-o", recorded, program]), plain)
faults.check("prof record: events", run.report(options, recorded).get("work") == 100001, run.report(options, recorded))

alone = faults.folder / "alone"
result = run.run([program], PROF_RECORD=1, PROF_RUNTIME=options.runtime, PROF_HELPER=options.prof,
                 PROF_OPTIONS=f"-o {alone}")
compare("PROF_RECORD=1", result, plain)
end = time.monotonic() + run.PATIENCE_S
while time.monotonic() < end and '"complete":true' not in run.run([options.prof, "info", "-i", alone, "--format=json"]).stdout:
    time.sleep(0.05)  # its recorder ends a moment after the program
faults.check("PROF_RECORD=1: events", run.report(options, alone).get("work") == 100001, run.report(options, alone))
faults.check("PROF_RECORD=1: says so", "prof:" in result.stderr or not result.stderr, result.stderr)

quiet = run.run([program], PROF_RECORD=0, PROF_RUNTIME="/nowhere")
compare("PROF_RECORD=0", quiet, plain)
faults.check("PROF_RECORD=0: quiet", quiet.stderr == "", quiet.stderr)
missing = run.run([program], PROF_RECORD=1, PROF_RUNTIME=options.runtime, PROF_HELPER=pathlib.Path("/nowhere/prof"))
compare("no helper", missing, plain)
faults.check("no helper: one line", missing.stderr.count("\n") == 1 and "PROF_HELPER" in missing.stderr, missing.stderr)
faults.finish()
