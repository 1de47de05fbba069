#!/usr/bin/env python3
"""Each library shows what its headers declare, and nothing else."""
import re
import tree

LIBRARIES = {  # map: headers
    "tools/trace/read/proftrace.map": [f"include/proftrace{part}.h" for part in ("", "_bursts", "_gpu", "_pack", "_pmu", "_readings", "_samples")],
    "tools/api/profstudy.map": ["include/prof_study.h"],
}
faults, count = [], 0
for file, headers in LIBRARIES.items():
    code = re.sub(r"/\*.*?\*/", "", "\n".join(line for header in headers for line in tree.lines(header)), flags=re.S)
    declared = set(re.findall(r"\b(prof_\w+)\([^;{}]*;", re.sub(r"\([^()]*\(\*[^()]*\)", "", code)))
    shown = set(re.findall(r"^\s*(prof_\w+);", "\n".join(tree.lines(file)), re.M))
    faults += [f"{file}: {name} of the headers isn't shown" for name in sorted(declared - shown)]
    faults += [f"{file}: {name} isn't in the headers" for name in sorted(shown - declared)]
    count += len(declared)
tree.finish(faults, count)
