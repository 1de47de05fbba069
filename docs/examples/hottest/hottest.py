#!/usr/bin/env python3
"""The ten functions of a recording with the most self time: hottest.py [RECORDING [HEADER LIBRARY]]."""
import sys

from prof_study import Study

with Study(*(sys.argv[1:] or ["prof.data"])) as study:
    for row in study.functions()[:10]:
        name = "".join(c if c.isprintable() else "?" for c in row.name.decode(errors="replace"))
        print(f"{100 * row.self_share:5.1f}% {row.self_ns / 1e6:12.3f} ms {row.calls:12} calls  {name}")
