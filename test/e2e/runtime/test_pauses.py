#!/usr/bin/env python3
"""prof_stop and prof_start: calls hang under those that are still open, and none is counted twice."""
import json
import shutil

import run

# In leaf under main: 9, 11, two after the pause in deep (4 of deep, 5 of middle: their own entries weren't seen), 12, and
# four of the loop.
EXPECTED = {
    "main": 1, "main/leaf": 9, "main/opened": 1, "main/opened/leaf": 1,
    "main/middle": 1, "main/middle/deep": 1, "main/middle/deep/leaf": 2, "main/middle/leaf": 1,
    "worker": 1, "worker/leaf": 1, "worker/rounds": 1, "worker/rounds/leaf": 1, "worker/rounds/job": 2,
    "worker/rounds/job/leaf": 2,
}


def paths(nodes, above=""):
    found = {}
    for node in nodes:
        path = above + node["name"]
        found[path] = found.get(path, 0) + node["calls"]
        found.update(paths(node["children"], path + "/"))
    return found


options = run.arguments()
faults = run.Faults()
for compiler in ("gcc", "clang-14", "clang-16", "clang-19"):
    if not shutil.which(compiler):
        continue
    for level in ("-O0", "-O2"):
        program, data = faults.folder / f"pauses-{compiler}{level}", faults.folder / f"data-{compiler}{level}"
        built = run.build(options, "pauses.c", program, level, "-fno-optimize-sibling-calls",
                          *(["-Wno-unknown-attributes"] if compiler != "gcc" else []), compiler=compiler)
        if built.returncode != 0 and compiler != "gcc":
            continue  # no backend for it
        faults.check(f"{compiler} {level} compiles", built.returncode == 0, built.stderr)
        result = run.run([options.prof, "record", "-o", data, program])
        faults.check(f"{compiler} {level} runs", result.returncode == 0, result.stderr)
        tree = run.run([options.prof, "tree", "-i", data, "--min-share=0", "--format", "json"])
        found = paths(json.loads(tree.stdout)["roots"])
        differ = {path: (EXPECTED.get(path, 0), found.get(path, 0)) for path in {*EXPECTED, *found}
                  if EXPECTED.get(path, 0) != found.get(path, 0)}
        faults.check(f"{compiler} {level} tree", not differ, f"(expected, found): {differ}")
faults.finish()
