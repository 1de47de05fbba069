#!/usr/bin/env python3
"""test_loops.py --prof PROF --plugin PLUGIN [--few] [--family clang] [--program NAME] [--compiler NAME] [--level=-O2] [--mode all] [--keep]

The loops of programs/ with each compiler that is here, at -O0 to -O3, with events for all loops or for the outermost,
and by default, where few inner ones are counted: `prof loops` must tell the entries and iterations that counters in the
source count, and of what isn't counted that, and no figure.  --few: a part of the cells, in which every program,
compiler, level and mode occurs, and every compiler's defaults.
"""
import argparse
import collections
import itertools
import pathlib
import shutil
import sys
import tempfile

import loops
from loops import SKIPPED_STATUS, axes

LEVELS = ("-O0", "-O1", "-O2", "-O3")
# mode -> arguments of the plugin
MODES = {"all": ("loops=all",), "outer": ("loops=outer", "loop-counts=all"), "default": ()}
# source -> what its compiler is called (of struct axes.Compiler or by family), flags
Program = collections.namedtuple("Program", "source language flags")
FAMILIAR = [  # to C++ as well
    Program("counted.c", "c", ("-ffast-math",)),
    Program("nested.c", "c", ()),
    Program("leaving.c", "c", ()),
    Program("conditions.c", "c", ()),
]
PROGRAMS = [
    *FAMILIAR,
    Program("split.c", "c", ("-fopenmp",)),
    Program("simd.c", "c", ("-fopenmp",)),
    Program("objects.cc", "cxx", ("-std=c++17",)),
    Program("odd.c", "c", ("-pthread",)),
    Program("library.cc", "cxx", ("-std=c++20",)),
    Program("views.cc", "cxx", ("-std=c++20",)),
    Program("suspended.cc", "cxx", ("-std=c++20",)),
    Program("columns.F90", "fortran", ("-fno-inline",)),  # its loops are not to become inner ones of the program's
    *(Program(source, "cxx", ("-x", "c++", "-w", *flags)) for source, _, flags in FAMILIAR),
]


class Skip(Exception):
    """The cell can't be: why."""


def command_of(program, compiler):
    if program.language == "fortran":
        name = compiler.name.replace("gcc", "gfortran")
        if compiler.family != "gcc" or not shutil.which(name):
            raise Skip(f"no Fortran of {compiler.name}")
    else:
        name = getattr(compiler, program.language)
    return [name, "-g", *program.flags, loops.PROGRAMS / program.source]


def left_out(listing):
    """Lines of loops that the plugin says it gave no probe because they are taken to be short."""
    fields = [line.split("\t") for line in listing.read_text().splitlines()]
    return {int(place.rsplit(":", 1)[1]) for _, place, what, why in fields if what == "skipped" and why.startswith(("loop: few ", "loop: made by goto"))}


def faults_of(found, counts, cell, rows, short):
    """Texts: what `prof loops` tells otherwise than the counters; and how many loops were held against each other."""
    faults, compared = [], 0
    for loop in found.values():
        if "unseen" in loop.words:
            continue
        on_directive = "directive" in loop.words and cell.compiler.family == "clang"
        lines = [loop.line - 1] if on_directive else range(loop.line, loop.last_start + 1)
        here = [row for line in lines for row in rows.get(line, [])]
        if not here and cell.mode != "all" and short.intersection(lines):
            continue
        if not here:
            if "removable" not in loop.words or cell.level == "-O0":
                faults.append(f"{loop.name} (line {loop.line}): not there")
            continue
        compared += 1
        bare = cell.mode != "all" and (loop.depth > 1 or "inlined" in loop.words)
        uncounted = [row for row in here if row["entries"] is None] if cell.mode == "default" and bare else []
        if uncounted:
            texts = loops.uncounted_faults(uncounted)
            texts += ["not counted"] if "cheap" in loop.words and cell.level != "-O0" else []
        else:
            texts = loops.differences(loop, counts[loop.name], here, bare, cell.level != "-O0")
            texts += ["counted"] if "costly" in loop.words and cell.mode == "default" else []
        if cell.level == "-O0" and "inlined" not in loop.words and {row["depth"] for row in here} != {loop.depth}:
            texts.append(f"depth {[row['depth'] for row in here]}, not {loop.depth}")
        faults += [f"{loop.name} (line {loop.line}): {text}" for text in texts]
    return faults, compared


def annotated_faults(rows, shown):
    """Texts: where `prof annotate` has another figure than `prof loops`, or one where that has none."""
    faults = []
    for line, here in rows.items():
        known = all(row["iterations"] is not None for row in here)
        iterations = sum(row["iterations"] for row in here) if known else None
        wanted = (iterations, str(iterations), f"{iterations:,}" if iterations else "") if known else (None, "", "-")
        if shown.get(line) != wanted:
            faults.append(f"annotated line {line}: {shown.get(line)}, expected {wanted}")
    return faults


Cell = collections.namedtuple("Cell", "program compiler level mode")


class Suite:
    def __init__(self, options):
        self.prof, self.plugin = options.prof.resolve(), options.plugin.resolve()
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="prof-loops-"))
        self.hand = {}

    def by_hand(self, program, command):
        """Counts and output; the same for every compiler, so only once."""
        if program.source not in self.hand:
            folder = self.work / f"hand-{program.source}"
            folder.mkdir(exist_ok=True)
            self.hand[program.source] = loops.by_hand([*command, "-O0"], folder)
        return self.hand[program.source]

    def run(self, cell):
        """(faults, loops compared)"""
        source = loops.PROGRAMS / cell.program.source
        command = command_of(cell.program, cell.compiler)
        folder = self.work / "-".join((cell.program.source, cell.program.language, cell.compiler.name, cell.level, cell.mode))
        folder.mkdir()
        try:
            counts, output = self.by_hand(cell.program, command)
        except loops.Broken as broken:
            raise Skip(f"{cell.compiler.name} doesn't build {source.name} plain: {str(broken)[:200]}") from broken
        arguments = [f"-fplugin-arg-prof-{word}" for word in (*MODES[cell.mode], "list=list.txt")]
        built = loops.run([*command, cell.level, f"-fplugin={self.plugin}", *arguments, "-o", "probed"], folder)
        if built.returncode:
            if loops.run([*command, cell.level, "-o", "plain"], folder).returncode:
                raise Skip(f"{cell.compiler.name} doesn't build {source.name} plain: {built.stderr[:200]}")
            return [f"doesn't compile: {built.stderr[-1500:]}"], 0
        ran = loops.must([self.prof, "record", "-o", "prof.data", "--", "./probed"], folder)
        faults = [] if ran.stdout == output else [f"output {ran.stdout!r}, plain {output!r}"]
        rows = loops.told(self.prof, folder, source)
        more, compared = faults_of(loops.marked(source), counts, cell, rows, left_out(folder / "list.txt"))
        if cell.mode == "default":
            more += annotated_faults(rows, loops.annotated(self.prof, folder, source))
        return faults + more, compared


def cells(compilers, options):
    chosen = []
    for (p, program), (c, compiler), (n, level), (m, mode) in itertools.product(
            enumerate(PROGRAMS), enumerate(compilers), enumerate(LEVELS), enumerate(MODES)):
        given = ((options.program, program.source), (options.compiler, compiler.name), (options.family, compiler.family),
                 (options.level, level), (options.mode, mode))
        if any(wanted and wanted != value for wanted, value in given):
            continue
        defaults = program.source == "nested.c" and mode == "default" and level in ("-O0", "-O2")
        if options.few and not defaults and ((p + c) % 2 or n != (p // 2 + c) % 4 or m != (p + c // 2) % 3):
            continue
        chosen.append(Cell(program, compiler, level, mode))
    return chosen


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--prof", "--plugin"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    for name in ("--program", "--compiler", "--family", "--level", "--mode"):
        parser.add_argument(name)
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--keep", action="store_true", help="leave the folder, and say where it is")
    return parser.parse_args()


def main():
    options = arguments()
    compilers, missing = axes.compilers(options.plugin.resolve().parent)
    suite, compared = Suite(options), 0
    counts, skipped = collections.Counter(), collections.Counter(missing)
    for cell in cells(compilers, options):
        try:
            faults, more = suite.run(cell)
        except Skip as skip:
            skipped[str(skip)] += 1
            continue
        except loops.Broken as broken:
            faults, more = [str(broken)], 0
        compared += more
        counts["failed" if faults else "passed"] += 1
        for fault in faults:
            print(f"{cell.program.source} {cell.compiler.name} {cell.level} {cell.mode}: {fault}")
    if options.keep:
        print(suite.work)
    else:
        shutil.rmtree(suite.work, ignore_errors=True)
    for why, count in skipped.items():
        print(f"skipped {count}: {why}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {sum(skipped.values())} skipped; {compared} loops compared")
    sys.exit(1 if counts["failed"] else 0 if counts["passed"] else SKIPPED_STATUS)


main()
