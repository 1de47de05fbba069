#!/usr/bin/env python3
"""libproftrace shows what include/proftrace.h and its parts declare, and nothing else."""
import re
import tree

HEADERS = [f"include/proftrace{part}.h" for part in ("", "_gpu", "_pack", "_samples")]
MAP = "tools/trace/read/proftrace.map"
code = re.sub(r"/\*.*?\*/", "", "\n".join(line for header in HEADERS for line in tree.lines(header)), flags=re.S)
declared = set(re.findall(r"\b(prof_\w+)\([^;{}]*;", re.sub(r"\([^()]*\(\*[^()]*\)", "", code)))
shown = set(re.findall(r"^\s*(prof_\w+);", "\n".join(tree.lines(MAP)), re.M))
faults = [f"{MAP}: {name} of the headers isn't shown" for name in sorted(declared - shown)]
faults += [f"{MAP}: {name} isn't in the headers" for name in sorted(shown - declared)]
tree.finish(faults, len(declared))
