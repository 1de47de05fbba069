#!/usr/bin/env python3
"""test_chosen.py --plugin PLUGIN --family FAMILY

What the listing says of the loops of programs/chosen.c: those of statements stand at their keyword and have probes, those
that were made by goto have none, and say why; in C and C++, at every level, with every compiler that is here.
"""
import collections
import pathlib
import re
import tempfile

import loops

SOURCE = loops.PROGRAMS / "chosen.c"
LEVELS = ("-O0", "-O1", "-O2", "-O3")


def marked():
    """function -> its first line; function -> lines of its loops, or None where they are by goto"""
    first, expected, name = {}, {}, None
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        begins = re.match(r"int (\w+)\(.*\{", line)
        if begins:
            name = begins[1]
            first[name], expected[name] = number, None if "/* goto */" in line else []
        elif "/* loop */" in line:
            expected[name].append(number)
    return first, expected


def told(plugin, compiler, language, level):
    """function -> (line, reason) of each of its loops"""
    with tempfile.TemporaryDirectory(prefix="prof-chosen-") as folder:
        listing = pathlib.Path(folder) / "list.txt"
        loops.must([getattr(compiler, language), "-x", {"c": "c", "cxx": "c++"}[language], "-g", level, f"-fplugin={plugin}",
                    f"-fplugin-arg-prof-list={listing}", "-c", SOURCE, "-o", "chosen.o"], folder)
        found = collections.defaultdict(list)
        for line in listing.read_text().splitlines():
            function, place, _, reason = line.split("\t")
            if reason.startswith("loop: "):
                found[function].append((int(place.rsplit(":", 1)[1]), reason[len("loop: "):]))
    return found


def faults_of(found):
    first, expected = marked()
    last = dict(zip(first, [*list(first.values())[1:], 1 << 30]))
    for name, lines in expected.items():
        here = [row for function, rows in found.items() if re.search(rf"(^|\d){name}(i|$)", function) for row in rows]
        if lines is None:
            if not here or any(reason != "made by goto" or not first[name] < line < last[name] for line, reason in here):
                yield f"{name}: {here}, made by goto in lines {first[name]}-{last[name]}"
        elif sorted(here) != [(line, "selected") for line in lines]:
            yield f"{name}: {here}, has loops at {lines}"


def faults_at(compiler, options, language, level):
    return faults_of(told(options.plugin, compiler, language, level))


def cells(compiler, options):
    for language in ("c", "cxx"):
        for level in LEVELS:
            yield f"{language} {level}", faults_at, compiler, options, language, level


loops.each_compiler(__doc__, cells)
