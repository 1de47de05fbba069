#!/usr/bin/env python3
"""test_fates.py --plugin PLUGIN --family FAMILY

The loops that the plugin's facts call vectorised, and with Clang unrolled, are those that the compiler names itself
(-fopt-info-vec, -Rpass), in programs of this folder, with every compiler that is here.
"""
import pathlib
import tempfile

import fates
import loops

SOURCES = ("vectors.c", "counted.c", "nested.c", "unrolled.c")
LEAST = 6  # vectorised loops, in all


def faults_of(compiler, options):
    count = 0
    with tempfile.TemporaryDirectory(prefix="prof-fates-") as folder:
        for source in SOURCES:
            faults, vectorised = fates.compared([compiler.c, "-O3", "-march=x86-64-v3", "-ffast-math", loops.PROGRAMS / source],
                                                compiler.family, options.plugin, pathlib.Path(folder))
            yield from faults
            count += vectorised
    if count < LEAST:
        yield f"makes vectors of {count} loops only"


def cells(compiler, options):
    yield "-O3", faults_of, compiler, options


loops.each_compiler(__doc__, cells)
