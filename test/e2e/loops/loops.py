"""Loops as the sources mark them, as counters put in by hand count them, and as `prof loops` tells them; and what the
tests here have in common: they ask one thing of every compiler that is here."""
import argparse
import collections
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
sys.path[1:1] = [str(HERE.parent / "matrix"), str(HERE.parent / "plugin")]
import axes  # noqa: E402

SKIPPED_STATUS = 77
TIMEOUT_SECONDS = 900

# What a line says of its loop behind `loop NAME`; the rest are depth=N, and lines=N: it may be told to begin on any of so
# many lines, where a compiler knows the first statement of a body and not the keyword before it.
WORDS = {
    "removable": "the compiler may leave no loop there, or make one of two, or lose its place",
    "unseen": "no loop for a compiler, or several functions: nothing is expected of it",
    "entries-only": "left past all exits: the iterations of that entry are not known",
    "split": "threads enter their parts by themselves: only the iterations add up",
    "directive": "Clang tells it on the line of OpenMP's directive, which is the one before",
    "inlined": "in a function that is part of another one",
    "early": "optimised, an entry that ends in what is tested before the loop isn't seen",
    "merged": "optimised, Clang may make one exit of a break and the condition: the last iteration isn't told from its end; "
              "or GCC makes a last iteration that only leaves a part of the one before",
    "cheap": "by default counted where it is optimised, also as an inner loop",
    "costly": "by default not counted as an inner loop",
    "tested": "made by goto and tested first: where its body begins is not told",
}
Loop = collections.namedtuple("Loop", "name line last_start words depth")
Count = collections.namedtuple("Count", "entries iterations least most")


class Broken(Exception):
    """A step that must work failed: which and how."""


def marked(source):
    """name -> Loop"""
    found = {}
    for number, line in enumerate(source.read_text().splitlines(), 1):
        match = re.search(r"(?:/\*|!) loop ([\w =-]+?)(?: \*/)?$", line)
        if not match:
            continue
        name, *rest = match[1].split()
        keys = dict(word.split("=") for word in rest if "=" in word)
        words = {word for word in rest if "=" not in word}
        assert name not in found and words <= WORDS.keys(), f"{source.name}:{number}"
        found[name] = Loop(name, number, number + int(keys.get("lines", 1)) - 1, words, int(keys.get("depth", 1)))
    return found


def run(command, folder, extra=None):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PROF_", "OMP_"))}
    environment.update({"LC_ALL": "C", "OMP_NUM_THREADS": "3"}, **(extra or {}))
    return subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS, check=False)


def must(command, folder, extra=None):
    ended = run(command, folder, extra)
    if ended.returncode:
        raise Broken(f"{' '.join(map(str, command))}: status {ended.returncode} {ended.stdout[-300:]}{ended.stderr[-1200:]}")
    return ended


def by_hand(command, folder):
    """(name -> Count, output) of the program built by `command` with its counters."""
    must([*command, "-DCOUNT_BY_HAND", "-o", "by_hand"], folder)
    out = folder / "by_hand.txt"
    ended = must(["./by_hand"], folder, {"LOOPS_OUT": str(out)})
    counts = {}
    for line in out.read_text().splitlines():
        name, *numbers = line.split()
        counts[name] = Count(*map(int, numbers[:4]))
    return counts, ended.stdout


def told(prof, folder, source):
    """(line -> Count, line -> rows) of prof.data in `folder`; copies of one loop are added up."""
    document = json.loads(must([prof, "loops", "-i", "prof.data", "--format=json", "-n", "0"], folder).stdout)
    lines = collections.defaultdict(list)
    for row in document["loops"]:
        if pathlib.PurePath(row["file"]).name == source.name:
            lines[row["line"]].append(row)
    return lines


def summed(rows):
    """Entries with an iteration, or left past all exits; all None where a row knows nothing."""
    if any(row["entries"] is None or row["iterations"] is None for row in rows):
        return Count(None, None, None, None)
    entered = [row for row in rows if row["iterations"] and row["min_iterations"] is not None]
    return Count(sum(row["entries"] - (row["empty_entries"] or 0) for row in rows), sum(row["iterations"] for row in rows),
                 min((row["min_iterations"] for row in entered), default=0), max((row["max_iterations"] for row in entered), default=0))


def allowed(loop, expected, got, optimised):
    """May the sums differ as they do, for one of the loop's words?"""
    entries, iterations = expected.entries - got.entries, expected.iterations - got.iterations
    if "tested" in loop.words: # another iteration for every entry, and those without any
        return entries <= 0 and (iterations == 0 or iterations == -got.entries)
    if "early" in loop.words and optimised:
        return entries == iterations >= 0
    return "merged" in loop.words and optimised and entries >= 0 and 0 <= iterations <= expected.entries


def uncounted_faults(rows):
    """Texts: figures of loops that weren't counted, be they 0."""
    figures = ("entries", "iterations", "min_iterations", "avg_iterations", "max_iterations", "total_ns", "self_ns", "ns_per_iteration")
    return [f"not counted, but {key} is {row[key]}" for row in rows for key in figures if row[key] is not None] + \
        [f"not counted, but that is not among its facts: {row['facts']}" for row in rows if "not counted" not in row["facts"]]


def annotated(prof, folder, source):
    """line -> iterations as `prof annotate` has them in JSON, in CSV and on a terminal, where texts are as they stand."""
    command = [prof, "annotate", "-i", "prof.data", source.name, f"--path-map={source.parent}={source.parent}"]
    document = json.loads(must([*command, "--format=json"], folder).stdout)
    lines = {line["line"]: line["iterations"] for part in document["sources"] for line in part["lines"]}
    table = csv.DictReader(line for line in must([*command, "--format=csv"], folder).stdout.splitlines() if not line.startswith("#"))
    cells = {int(row["line"]): row["iterations"] for row in table}
    text = must(command, folder).stdout.splitlines()
    head = next(number for number, line in enumerate(text) if line.split()[-2:] == ["LINE", "SOURCE"])
    end = text[head].index("ITERATIONS") + len("ITERATIONS")
    number_end = text[head].index("LINE") + len("LINE")
    shown = {}
    for line in text[head + 1:]:
        number = line[:number_end].split()[-1:]
        if number and number[0].isdigit():
            shown[int(number[0])] = line[end - len("ITERATIONS"):end].strip()
    return {line: (value, cells[line], shown[line]) for line, value in lines.items()}


def differences(loop, expected, rows, bare, optimised):
    """Texts.  `rows`: of its lines; `bare`: inner loops have sums only, nothing of single entries."""
    got = summed(rows)
    if got.entries is None:
        return ["entries and iterations are not known"]
    if allowed(loop, expected, got, optimised):
        return []
    if "entries-only" in loop.words:
        return [] if got.entries == expected.entries else [f"entries {got.entries}, by hand {expected.entries}"]
    if "split" in loop.words:
        good = got.iterations == expected.iterations
        return [] if good else [f"iterations {got.iterations}, by hand {expected.iterations}"]
    if bare:
        got, expected = got[:2], expected[:2]
    return [] if got == expected else [f"{tuple(got)}, by hand {tuple(expected)}"]


def each_compiler(description, cells_of, *more_arguments):
    """Ends the test.  `cells_of(compiler, options)` yields (name, function, arguments...): the function returns texts of
    faults; a step that fails in it is a fault too.  More arguments are paths, named as options."""
    parser = argparse.ArgumentParser(description=description)
    for name in ("plugin", *more_arguments):
        parser.add_argument(f"--{name}", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--family", required=True)
    options = parser.parse_args()
    compilers = [compiler for compiler in axes.compilers(options.plugin.parent)[0] if compiler.family == options.family]
    faults = []
    for compiler in compilers:
        for name, function, *arguments in cells_of(compiler, options):
            try:
                texts = list(function(*arguments))
            except Broken as broken:
                texts = [str(broken)]
            faults += [f"{compiler.name} {name}: {text}" for text in texts]
    print("\n".join([*faults, f"{len(compilers)} compilers, {len(faults)} faults"]))
    sys.exit(1 if faults else 0 if compilers else SKIPPED_STATUS)
