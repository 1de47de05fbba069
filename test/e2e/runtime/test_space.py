#!/usr/bin/env python3
"""A program that limits its address space runs as without a recording, which takes little of it."""
import json
import re

import run

MOST_MIB = 200  # a program of a few MiB, what the runtime maps, and what the threads need

options = run.arguments()
faults = run.Faults()
program = faults.folder / "space"
built = run.build(options, "space.c", program, "-pthread")
faults.check("space.c compiles", built.returncode == 0, built.stderr)

# Three hundred threads need more segments than are mapped at first.
for case, mib, threads, calls in (("wide", 64, 300, 100), ("narrow", 15, 300, 100), ("one", 1, 1, 20000)):
    data = faults.folder / case
    result = run.run([options.prof, "record", "-o", data, program, str(mib), str(threads), str(calls)])
    said = re.fullmatch(rf"{threads} threads below (\d+) MiB\n", result.stdout)
    faults.check(f"{case}: makes its threads", result.returncode == 0 and said, result.stdout + result.stderr)
    faults.check(f"{case}: has little mapped", said and int(said[1]) <= MOST_MIB, result.stdout)
    info = json.loads(run.run([options.prof, "info", "-i", data, "--format", "json"]).stdout)
    lost = info["lost_events"]
    if case == "narrow":
        faults.check("narrow: what had no room is counted", lost >= 40 * 202, str(lost))
        faults.check("narrow: the reason is told", "address space is limited" in str(info["notes"]), str(info["notes"]))
        faults.check("narrow: so is it at the end", "address space is limited" in result.stderr
                     and "could not keep up" not in result.stderr, result.stderr)
    else:
        recorded = run.report(options, data).get("counted")
        faults.check(f"{case}: counts", recorded == threads * calls and lost == 0,
                     f"{recorded}, {lost} lost\n{result.stderr}")
faults.finish()
