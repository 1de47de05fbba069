"""Which loops of a file the plugin's facts call vectorised or unrolled, and which ones the compiler names itself.

Clang names a loop where its statement begins, as the facts do.  GCC names the line of the test that ends it: the loop
is the innermost one of the facts whose lines hold that line.  Clang unrolls some loops whole before it looks for
vectors: the plugin never sees those, and they have no facts.
"""
import collections
import pathlib
import re

import loops
import objects

ASK = {"gcc": ["-fopt-info-vec-optimized"],
       "clang": ["-Rpass=loop-(vectorize|unroll)", "-Rpass-missed=loop-vectorize"]}
NAMED = {objects.VECTORISED: re.compile(r"^(.*?):(\d+):\d+: .*(?:loop vectorized|vectorized loop)", re.MULTILINE),
         objects.UNROLLED: re.compile(r"^(.*?):(\d+):\d+: .*unrolled loop", re.MULTILINE)}
WORDS = {objects.VECTORISED: "vectorised", objects.UNROLLED: "unrolled"}
FLAGS = {"gcc": [objects.VECTORISED], "clang": [objects.VECTORISED, objects.UNROLLED]}
Place = collections.namedtuple("Place", "file line")


def place_of(loop):
    return Place(pathlib.PurePath(loop["file"]).name, loop["line"])


def tested_at(facts, place):
    """Where the loop begins whose test GCC names."""
    around = [loop for loop in facts
              if place_of(loop).file == place.file and loop["line"] <= place.line <= loop["last_line"]]
    return place_of(min(around, key=lambda loop: (loop["last_line"] - loop["line"], -loop["line"]))) if around else place


def named(flag, family, remarks, facts):
    """{Place}, by the compiler"""
    begin = 0
    if flag == objects.UNROLLED:
        first = re.search(r"-vectorize\]", remarks)
        begin = first.start() if first else len(remarks)
    places = {Place(pathlib.PurePath(match[1]).name, int(match[2])) for match in NAMED[flag].finditer(remarks, begin)}
    return {tested_at(facts, place) for place in places} if family == "gcc" else places


def compared(command, family, plugin, folder):
    """(texts of faults, number of loops that the compiler names vectorised) of one file, which `command` compiles"""
    made = folder / "made.o"
    remarks = loops.must([*command, "-g", "-w", f"-fplugin={plugin}", "-fplugin-arg-prof-loops=all", *ASK[family], "-c", "-o", made],
                         folder).stderr
    facts = objects.Object(made).loops
    faults = []
    for flag in FLAGS[family]:
        by_compiler = named(flag, family, remarks, facts)
        marked = {place_of(loop) for loop in facts if loop["flags"] & flag}
        faults += [f"{place.file}:{place.line}: said to be {WORDS[flag]}, the compiler doesn't" for place in sorted(marked - by_compiler)]
        faults += [f"{place.file}:{place.line}: {WORDS[flag]}, not said" for place in sorted(by_compiler - marked)]
    return faults, len(named(objects.VECTORISED, family, remarks, facts))
