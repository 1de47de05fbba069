#!/usr/bin/env python3
"""Calls beyond the depth limit are counted, by prof info too."""
import json

import run

LIMIT = 65536

options = run.arguments()
faults = run.Faults()
program, data = faults.folder / "depth", faults.folder / "data"
built = run.build(options, "depth.c", program)
faults.check("depth.c compiles", built.returncode == 0, built.stderr)
result = run.run([options.prof, "record", "-o", data, program])
faults.check("runs", result.returncode == 0, result.stderr)
info = json.loads(run.run([options.prof, "info", "-i", data, "--format", "json"]).stdout)
faults.check("all that are too deep", info["too_deep_calls"] == 70001 - LIMIT, info["too_deep_calls"])
text = run.run([options.prof, "info", "-i", data]).stdout
faults.check("in words", "calls beyond the depth limit" in text, text)
faults.finish()
