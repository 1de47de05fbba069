#!/usr/bin/env python3
"""test_annotated.py --prof PROF --plugin PLUGIN --family FAMILY

`#pragma prof loop` and the attribute prof_loops: with loops=none, the loops that programs/annotated.c asks for have
events, and no others have, in C and C++, with every compiler that is here.
"""
import pathlib
import re
import shutil
import tempfile

import loops

LEVELS = ("-O0", "-O2")


def asked():
    """line -> iterations"""
    lines = (loops.PROGRAMS / "annotated.c").read_text().splitlines()
    marks = ((number, re.search(r"/\* asked (\d+) \*/", line)) for number, line in enumerate(lines, 1))
    return {number: int(mark[1]) for number, mark in marks if mark}


def found(options, compiler, language, level):
    """line -> iterations that `prof loops` tells, without what is only counted along with a loop around it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-annotated-"))
    try:
        source = folder / {"c": "annotated.c", "cxx": "annotated.cc"}[language]
        shutil.copy(loops.PROGRAMS / "annotated.c", source)
        loops.must([getattr(compiler, language), "-g", "-Wall", "-Werror", level, f"-fplugin={options.plugin}",
                    "-fplugin-arg-prof-loops=none", source, "-o", "probed"], folder)
        loops.must([options.prof, "record", "-o", "prof.data", "--", "./probed"], folder)
        along = {number for number, line in enumerate(source.read_text().splitlines(), 1) if "/* along */" in line}
        rows = loops.told(options.prof, folder, source)
        return {line: sum(row["iterations"] or 0 for row in here)
                for line, here in rows.items() if line not in along}
    finally:
        shutil.rmtree(folder)


def faults_at(compiler, options, language, level):
    got = found(options, compiler, language, level)
    return [] if got == asked() else [f"{got}, asked for {asked()}"]


def cells(compiler, options):
    for language in ("c", "cxx"):
        for level in LEVELS:
            yield f"{language} {level}", faults_at, compiler, options, language, level


loops.each_compiler(__doc__, cells, "prof")
