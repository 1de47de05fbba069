#!/usr/bin/env python3
"""test_annotated.py --prof PROF --plugin PLUGIN [--family clang]

`#pragma prof loop` and the attribute prof_loops: with loops=none, the loops that programs/annotated.c asks for have
events, and no others have, in C and C++, with every compiler that is here.
"""
import argparse
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "matrix"))
import axes  # noqa: E402
import loops  # noqa: E402

LEVELS = ("-O0", "-O2")
SKIPPED_STATUS = 77


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
        loops.must([getattr(compiler, language), "-g", "-Wall", "-Werror", level, f"-fplugin={options.plugin.resolve()}",
                    "-fplugin-arg-prof-loops=none", source, "-o", "probed"], folder)
        loops.must([options.prof.resolve(), "record", "-o", "prof.data", "--", "./probed"], folder)
        along = {number for number, line in enumerate(source.read_text().splitlines(), 1) if "/* along */" in line}
        rows = loops.told(options.prof.resolve(), folder, source)
        return {line: sum(row["iterations"] or 0 for row in here)
                for line, here in rows.items() if line not in along}
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--prof", "--plugin"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--family")
    options = parser.parse_args()
    compilers, _ = axes.compilers(options.plugin.resolve().parent)
    compilers = [compiler for compiler in compilers if options.family in (None, compiler.family)]
    faults = []
    for compiler in compilers:
        for language in ("c", "cxx"):
            for level in LEVELS:
                try:
                    got = found(options, compiler, language, level)
                except loops.Broken as broken:
                    got = str(broken)
                if got != asked():
                    faults.append(f"{compiler.name} {language} {level}: {got}, asked for {asked()}")
    print("\n".join([*faults, f"{len(compilers)} compilers, {len(faults)} faults"]))
    sys.exit(1 if faults else 0 if compilers else SKIPPED_STATUS)


main()
