#!/usr/bin/env python3
"""test_chosen.py --plugin PLUGIN --family FAMILY

What the listing says of the loops of programs/chosen.c: those of statements stand at their keyword and have probes, those
that were made by goto have none, and say why; in C and C++, at every level, with every compiler that is here.
"""
import argparse
import collections
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "matrix"))
import axes  # noqa: E402
import loops  # noqa: E402

SOURCE = loops.PROGRAMS / "chosen.c"
LEVELS = ("-O0", "-O1", "-O2", "-O3")
SKIPPED_STATUS = 77


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--family", required=True)
    options = parser.parse_args()
    plugin = options.plugin.resolve()
    compilers = [compiler for compiler in axes.compilers(plugin.parent)[0] if compiler.family == options.family]
    faults = []
    for compiler in compilers:
        for language in ("c", "cxx"):
            for level in LEVELS:
                try:
                    texts = list(faults_of(told(plugin, compiler, language, level)))
                except loops.Broken as broken:
                    texts = [str(broken)]
                faults += [f"{compiler.name} {language} {level}: {text}" for text in texts]
    print("\n".join([*faults, f"{len(compilers)} compilers, {len(faults)} faults"]))
    sys.exit(1 if faults else 0 if compilers else SKIPPED_STATUS)


main()
