#!/usr/bin/env python3
"""test_vectors.py --plugin PLUGIN --family FAMILY

The compiler makes vectors of the loops of programs/vectors.c with probes wherever it does without, by its own word, in C
and C++, with every compiler that is here.  bench.py --only vector asks the same of real programs.
"""
import argparse
import collections
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "matrix"))
import axes  # noqa: E402
import loops  # noqa: E402

ASK = {"gcc": "-fopt-info-vec-optimized", "clang": "-Rpass=loop-vectorize"}
TOLD = re.compile(r"^.*:(\d+):\d+: .*(?:loop vectorized|vectorized loop)", re.MULTILINE)
WITHOUT_EVENTS = "/* not with events in it */"  # stands on the line of a loop around one that has events with loops=all
LEAST = 6  # loops that every compiler makes vectors of
SKIPPED_STATUS = 77


def vectorised(compiler, language, more):
    """Counter of lines"""
    with tempfile.TemporaryDirectory(prefix="prof-vectors-") as folder:
        ended = loops.must([getattr(compiler, language), "-x", {"c": "c", "cxx": "c++"}[language], "-Drestrict=__restrict", "-g", "-O3",
                            "-march=x86-64-v3", "-ffast-math", ASK[compiler.family], *more, "-c",
                            loops.PROGRAMS / "vectors.c", "-o", "vectors.o"], folder)
    return collections.Counter(int(line) for line in TOLD.findall(ended.stderr))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--family", required=True)
    options = parser.parse_args()
    plugin = options.plugin.resolve()
    compilers = [compiler for compiler in axes.compilers(plugin.parent)[0] if compiler.family == options.family]
    source = (loops.PROGRAMS / "vectors.c").read_text().splitlines()
    without_events = {number for number, line in enumerate(source, 1) if WITHOUT_EVENTS in line}
    faults = []
    for compiler in compilers:
        for language in ("c", "cxx"):
            try:
                plain = vectorised(compiler, language, ())
                if len(plain) < LEAST:
                    faults.append(f"{compiler.name} {language}: makes vectors at {sorted(plain)} only")
                for mode in ("outer", "all"):
                    kept = vectorised(compiler, language, (f"-fplugin={plugin}", f"-fplugin-arg-prof-loops={mode}"))
                    # Events between the loops of a nest keep GCC from making two of an inner one (unroll and jam).
                    lost = plain - kept if mode == "outer" else plain.keys() - kept.keys() - without_events
                    faults += [f"{compiler.name} {language} loops={mode}: line {line} lost" for line in sorted(lost)]
            except loops.Broken as broken:
                faults.append(f"{compiler.name} {language}: {broken}")
    print("\n".join([*faults, f"{len(compilers)} compilers, {len(faults)} faults"]))
    sys.exit(1 if faults else 0 if compilers else SKIPPED_STATUS)


main()
