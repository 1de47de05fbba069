#!/usr/bin/env python3
"""test_places.py --prof PROF --plugin PLUGIN --family FAMILY

A loop stands where the source has it, also when the test that ends it, or all that it does, was inlined into it: the
function and the lines that `prof loops` tells of the loops of programs/places.c, with every compiler that is here; and
of programs/held.cc, which holds objects; of programs/shares.c with OpenMP and GCC (what Clang makes of it has other functions).
"""
import json
import pathlib
import re
import subprocess
import tempfile

import loops

LEVELS = ("-O1", "-O2", "-O3")
ALL = "-fplugin-arg-prof-loops=all"
BOTH = (("places.c", (ALL,)), ("held.cc", ()))
PROGRAMS = {"gcc": (*BOTH, ("shares.c", (ALL, "-fopenmp"))), "clang": BOTH}


def stands(source):
    """function -> (first line, last line) of its loop"""
    found, name, first = {}, None, 0
    for number, line in enumerate(source.read_text().splitlines(), 1):
        mark = re.search(r"/\* (\w+) \*/", line)
        if mark and mark[1] == "end":
            found[name] = (first, number)
        elif mark:
            name, first = mark[1], number
    return found


def told(options, compiler, level, source, more):
    """(function, line, last line) of each loop that stands in the source"""
    with tempfile.TemporaryDirectory(prefix="prof-places-") as folder:
        loops.must([compiler.cxx if source.suffix == ".cc" else compiler.c, "-g", "-Wall", "-Werror", level, f"-fplugin={options.plugin}", *more, source, "-o", "probed"], folder)
        loops.must([options.prof, "record", "-o", "prof.data", "--", "./probed"], folder)
        shown = subprocess.run([options.prof, "loops", "-i", "prof.data", "--format", "json"], cwd=folder,
                               check=True, capture_output=True, text=True)
    return [(row["inlined_from"] or re.split(r"\.| \[", row["function"])[0], row["line"], row["last_line"])
            for row in json.loads(shown.stdout)["loops"] if pathlib.PurePath(row["file"]).name == source.name]


def faults_of(rows, expected):
    faults = [f"no loop of {name}" for name in expected if name not in [row[0] for row in rows]]
    for name, first, last in rows:
        begin, end = expected.get(name, (0, 0))
        if not (begin <= first <= begin + 1 and first <= last <= end):
            faults.append(f"{name} {first}-{last}, stands at {begin}-{end}")
    return faults


def faults_at(compiler, options, level, name, more):
    source = loops.PROGRAMS / name
    return faults_of(told(options, compiler, level, source, more), stands(source))


def cells(compiler, options):
    for level in LEVELS:
        for name, more in PROGRAMS[options.family]:
            yield f"{level} {name}", faults_at, compiler, options, level, name, more


loops.each_compiler(__doc__, cells, "prof")
