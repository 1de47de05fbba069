#!/usr/bin/env python3
"""test_fates.py --plugin PLUGIN --family FAMILY

The loops that the plugin's facts call vectorised, and with Clang unrolled, are those that the compiler names itself
(-fopt-info-vec, -Rpass), in programs of this folder, with every compiler that is here.
"""
import argparse
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "matrix"), str(HERE.parent / "plugin")]
import axes  # noqa: E402
import loops  # noqa: E402
import objects  # noqa: E402

ASK = {"gcc": "-fopt-info-vec-optimized", "clang": "-Rpass=loop-(vectorize|unroll)"}
VECTORISED = re.compile(r"^(.*?):(\d+):\d+: .*(?:loop vectorized|vectorized loop)", re.MULTILINE)
UNROLLED = re.compile(r"^(.*?):(\d+):\d+: .*unrolled loop", re.MULTILINE)
SOURCES = ("vectors.c", "counted.c", "nested.c")
LEAST = 6  # vectorised loops, in all
SKIPPED_STATUS = 77


def named(pattern, text, source):
    return {int(line) for file, line in pattern.findall(text) if pathlib.PurePath(file).name == source}


def differences(what, told, marked, by_compiler):
    """Lines of loops; what the compiler names but has no loop of the facts is another's (a copy that the library made)."""
    return [f"line {line}: said to be {what}, the compiler doesn't" for line in sorted(marked - by_compiler)] + \
        [f"line {line}: {what}, not said" for line in sorted((by_compiler & told) - marked)]


def one(compiler, source, plugin, folder):
    """(faults, number of vectorised loops)"""
    made = folder / "made.so"
    ended = loops.must([compiler.c, "-g", "-w", "-O3", "-march=x86-64-v3", "-ffast-math", "-fPIC", "-shared", f"-fplugin={plugin}",
                        "-fplugin-arg-prof-loops=all", ASK[compiler.family], loops.PROGRAMS / source, "-o", made], folder)
    here = [loop for loop in objects.Object(made).loops if pathlib.PurePath(loop["file"]).name == source]
    lines = {flag: {loop["line"] for loop in here if loop["flags"] & flag} for flag in (objects.VECTORISED, objects.UNROLLED)}
    told = {loop["line"] for loop in here}
    vectorised = named(VECTORISED, ended.stderr, source)
    faults = differences("vectorised", told, lines[objects.VECTORISED], vectorised)
    if compiler.family == "clang":
        faults += differences("unrolled", told, lines[objects.UNROLLED], named(UNROLLED, ended.stderr, source))
    return faults, len(vectorised)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--family", required=True)
    options = parser.parse_args()
    plugin = options.plugin.resolve()
    compilers = [compiler for compiler in axes.compilers(plugin.parent)[0] if compiler.family == options.family]
    faults = []
    for compiler in compilers:
        count = 0
        with tempfile.TemporaryDirectory(prefix="prof-fates-") as folder:
            for source in SOURCES:
                more, vectorised = one(compiler, source, plugin, pathlib.Path(folder))
                faults += [f"{compiler.name} {source} {fault}" for fault in more]
                count += vectorised
        if count < LEAST:
            faults.append(f"{compiler.name} makes vectors of {count} loops only")
    print("\n".join([*faults, f"{len(compilers)} compilers, {len(faults)} faults"]))
    sys.exit(1 if faults else 0 if compilers else SKIPPED_STATUS)


main()
