#!/usr/bin/env python3
"""test_vectors.py --plugin PLUGIN --family FAMILY

The compiler makes vectors of the loops of programs/vectors.c with probes wherever it does without, by its own word, in C
and C++, with every compiler that is here.  bench.py --only vector asks the same of real programs.
"""
import collections
import pathlib
import re
import tempfile

import loops

ASK = {"gcc": "-fopt-info-vec-optimized", "clang": "-Rpass=loop-vectorize"}
TOLD = re.compile(r"^.*:(\d+):\d+: .*(?:loop vectorized|vectorized loop)", re.MULTILINE)
WITHOUT_EVENTS = "/* not with events in it */"  # stands on the line of a loop around one that has events with loops=all
LEAST = 6  # loops that every compiler makes vectors of


def vectorised(compiler, language, more):
    """Counter of lines"""
    with tempfile.TemporaryDirectory(prefix="prof-vectors-") as folder:
        ended = loops.must([getattr(compiler, language), "-x", {"c": "c", "cxx": "c++"}[language], "-Drestrict=__restrict", "-g", "-O3",
                            "-march=x86-64-v3", "-ffast-math", ASK[compiler.family], *more, "-c",
                            loops.PROGRAMS / "vectors.c", "-o", "vectors.o"], folder)
    return collections.Counter(int(line) for line in TOLD.findall(ended.stderr))


def faults_in(compiler, options, language):
    source = (loops.PROGRAMS / "vectors.c").read_text().splitlines()
    without_events = {number for number, line in enumerate(source, 1) if WITHOUT_EVENTS in line}
    plain = vectorised(compiler, language, ())
    if len(plain) < LEAST:
        yield f"makes vectors at {sorted(plain)} only"
    for mode in ("outer", "all"):
        kept = vectorised(compiler, language, (f"-fplugin={options.plugin}", f"-fplugin-arg-prof-loops={mode}"))
        # Events between the loops of a nest keep GCC from making two of an inner one (unroll and jam).
        lost = plain - kept if mode == "outer" else plain.keys() - kept.keys() - without_events
        yield from (f"loops={mode}: line {line} lost" for line in sorted(lost))


def cells(compiler, options):
    for language in ("c", "cxx"):
        yield language, faults_in, compiler, options, language


loops.each_compiler(__doc__, cells)
