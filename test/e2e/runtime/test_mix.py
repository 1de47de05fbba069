#!/usr/bin/env python3
"""Threads, forks, libraries, signals, stop and start, all at once: the program runs, and nothing is lost."""
import json

import run

options = run.arguments()
faults = run.Faults()
program = faults.folder / "mix"
for source, output, flags in (("mix.c", program, ()), ("hard_library.c", f"{program}.so", ("-shared", "-fPIC"))):
    built = run.build(options, source, output, *flags)
    faults.check(f"{source} compiles", built.returncode == 0, built.stderr)

data = faults.folder / "data"
result = run.run([options.prof, "record", "-o", data, program, 3])
faults.check("runs", result.returncode == 0 and result.stdout == "fine\n", f"{result.returncode} {result.stdout} {result.stderr}")
info = json.loads(run.run([options.prof, "info", "-i", data, "--format", "json"]).stdout)
for name in ("lost_events", "damaged_chunks"):
    faults.check(name, info[name] == 0, info[name])
faults.check("processes", info["processes"] > 3, info["processes"])
faults.check("threads", info["threads"] > 2 * info["processes"], info["threads"])
faults.check("modules", info["modules"] == 2, info["modules"])
faults.finish()
