#!/usr/bin/env python3
"""libproftrace shows what include/proftrace.h declares, and nothing else."""
import re
import tree

HEADER, MAP = "include/proftrace.h", "tools/trace/proftrace.map"
code = re.sub(r"/\*.*?\*/", "", "\n".join(tree.lines(HEADER)), flags=re.S)
declared = set(re.findall(r"\b(prof_\w+)\([^;{}]*;", re.sub(r"\([^()]*\(\*[^()]*\)", "", code)))
shown = set(re.findall(r"^\s*(prof_\w+);", "\n".join(tree.lines(MAP)), re.M))
faults = [f"{MAP}: {name} of {HEADER} isn't shown" for name in sorted(declared - shown)]
faults += [f"{MAP}: {name} isn't in {HEADER}" for name in sorted(shown - declared)]
tree.finish(faults, len(declared))
