#!/usr/bin/env python3
"""test_languages.py --prof PROF --plugin PLUGIN [--print] - programs of each language, with each compiler that is here.

At -O0 the recorded tree is the one in programs/NAME.tree; at -O2 no other function appears.  Output and status are those
of the plain build.  --print shows what was recorded.
"""
import argparse
import collections
import difflib
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "matrix"))
import trees  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
# program, the family whose backend it needs, and the commands of its compiler: {major}, {flags}, {out} and {source} are filled in.
Language = collections.namedtuple("Language", "name source family compiler command")
LANGUAGES = [
    Language("Fortran", "heat.f90", "gcc", "gfortran-{major}", "{compiler} {flags} {source} -o {out}"),
    Language("Ada", "figures.adb", "gcc", "gnatmake-{major}", "{compiler} -q {source} -aI{programs} -o {out} -cargs {flags}"),
    Language("D", "animals.d", "gcc", "gdc-{major}", "{compiler} {flags} {source} -o {out}"),
    Language("Objective-C", "birds.m", "gcc", "gcc-{major}", "{compiler} {flags} {source} -o {out} -lobjc"),
    Language("Objective-C", "birds.m", "clang", "clang-{major}",
             "{compiler} -fobjc-runtime=gcc -Wno-objc-root-class {flags} {source} -o {out} -lobjc"),
    Language("C++", "shop.cc", "gcc", "g++-{major}", "{compiler} -std=c++17 {flags} {source} -o {out} -pthread"),
    Language("C++", "shop.cc", "clang", "clang++-{major}", "{compiler} -std=c++17 {flags} {source} -o {out} -pthread"),
]


def run(command, folder, timeout=900):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")} | {"LC_ALL": "C"}
    return subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=timeout, check=False)


def build(language, compiler, major, flags, folder):
    folder.mkdir()
    words = language.command.format(compiler=compiler, flags=" ".join(flags), source=PROGRAMS / language.source, out="program",
                                    programs=PROGRAMS).split()
    return run(words, folder), words


def whole(name):
    return re.sub(r"\.(part|constprop|isra|cold)\..*$", "", name)


def is_variant(name, within):
    """Compilers make one or two functions of a constructor or destructor, one of which calls the other."""
    return name == within and re.search(r"(\b\w+)::~?\1$", name)


def nodes(to, rows, ignored):
    for row in rows:
        if is_variant(row["name"], to.name) or any(fnmatch.fnmatchcase(row["name"], pattern) for pattern in ignored):
            nodes(to, row["children"], ignored)
            continue
        node = to.child(row["name"].replace("$_0", "{lambda#1}")) # as clang names the first one in a function
        node.calls += row["calls"]
        nodes(node, row["children"], ignored)


def recorded(prof, folder, ignored):
    """(finished program, tree, language-independent faults)"""
    ran = run([prof, "record", "-o", "prof.data", "--", "./program"], folder)
    read = run([prof, "tree", "-i", "prof.data", "--format=json", "--demangle=short", "--min-share=0"], folder)
    tree = trees.Node("")
    if read.returncode:
        return ran, tree, [f"prof tree: {read.stderr}"]
    found = json.loads(read.stdout)
    trees.time_parts.check_tree(found)
    nodes(tree, found["roots"], ignored)
    return ran, tree, [f"{key} {found['cover'][key]}" for key in ("lost_events", "unmatched") if found["cover"][key]]


def check(options, language, major, folder):
    """Faults of one language with one compiler; None: it can't be built plain."""
    compiler = language.compiler.format(major=major)
    expected = trees.Expected((PROGRAMS / language.source).with_suffix(".tree"))
    ignored = [pattern.strip() for pattern in expected.keys.get("ignore", "").split(";") if pattern.strip()]
    faults, known = [], None
    for level in ("-O0", "-O2"):
        plain, _ = build(language, compiler, major, ["-g", level], folder / f"plain{level}")
        if plain.returncode:
            return None
        probed, words = build(language, compiler, major, ["-g", level, f"-fplugin={options.plugin}"], folder / f"probed{level}")
        if probed.returncode or probed.stderr != plain.stderr:
            return [f"{' '.join(words)}: status {probed.returncode} {probed.stderr[-1500:]}"]
        wanted = run(["./program"], folder / f"plain{level}")
        off = run(["./program"], folder / f"probed{level}")
        on, tree, more = recorded(options.prof, folder / f"probed{level}", ignored)
        faults += [f"{level}: {text}" for text in more]
        for way, got in (("off", off), ("on", on)):
            if (got.returncode, got.stdout) != (wanted.returncode, wanted.stdout):
                faults.append(f"{level} {way}: status {got.returncode} {got.stdout!r}, plain {wanted.returncode} {wanted.stdout!r}")
        lines = list(tree.lines())
        if options.print:
            print("\n".join(lines))
        if level == "-O0":
            known = set(tree.totals())
            faults += list(difflib.unified_diff(list(expected.runs[0].tree.lines()), lines, "expected", "recorded", n=30, lineterm=""))
        else:
            faults += [f"-O2: {name} was not there at -O0" for name in sorted(set(map(whole, tree.totals())) - known)]
            faults += [] if tree.children else ["-O2: nothing was recorded"]
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prof", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--plugin", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--only", help="a language")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="prof-languages-"))
    passed, failed, skipped = 0, 0, 0
    for language in LANGUAGES:
        if options.only and language.name != options.only:
            continue
        majors = [re.search(r"\d+", path.stem)[0] for path in sorted(options.plugin.parent.glob(f"prof-{language.family}-*.so"))]
        here = [major for major in majors if shutil.which(language.compiler.format(major=major))]
        if not here:
            skipped += 1
            print(f"skipped: no compiler of {language.name} that has a backend ({language.compiler})")
        for major in here:
            folder = work / f"{language.source}-{language.family}-{major}"
            folder.mkdir()
            faults = check(options, language, major, folder)
            passed, failed, skipped = passed + (faults == []), failed + bool(faults), skipped + (faults is None)
            if faults is None:
                print(f"skipped: {language.compiler.format(major=major)} doesn't build {language.source} plain")
            for fault in faults or []:
                print(f"{language.name} {language.compiler.format(major=major)}: {fault}" if not fault[:1] in " +-@" else fault)
    shutil.rmtree(work, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0 if passed else 77)


main()
