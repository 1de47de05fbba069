#!/usr/bin/env python3
"""test_loop_views.py --prof PROF --compiler COMPILER - loops of a real recording.  See README.md."""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

LEVELS = ("-O0", "-O1", "-O2", "-O3")
UNKNOWN = {5}  # left by longjmp: these entries can't tell (numbers of the loops in the source, from 1)
GONE = {5, 8}  # Clang unrolls them whole, from -O2 on, before it comes to the probes
faults = []


def check(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}: {got}, expected {wanted}")


def run(*command, cwd, status=0):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=900, check=False)
    if status is not None and done.returncode != status:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def record(options, folder, *flags):
    """What the program counted: by line (entries with iterations, iterations, least, most)."""
    shutil.copy(HERE / "loops.c", folder)
    plugin = programs.plugin_flags(options.prof, options.compiler)
    run(options.compiler, "-g", *plugin, *flags, "loops.c", "-o", "loops", cwd=folder)
    out = run(options.prof, "record", "--", "./loops", cwd=folder).stdout
    rows = [[int(word) for word in line.split()] for line in out.splitlines() if line[:1].isdigit()]
    return {row[0]: tuple(row[1:]) for row in rows}


def loops_of(options, folder, *words):
    """By line; copies of a function that the compiler made are added up."""
    done = run(options.prof, "loops", "--format=json", *words, cwd=folder, status=None)
    if done.returncode:
        return None
    found = {}
    for row in json.loads(done.stdout)["loops"]:
        found.setdefault(row["line"], []).append(row)
    return found


def total(rows, key):
    values = [row[key] for row in rows if row[key] is not None]
    return sum(values) if values else None


def check_counts(what, counted, found, all_timed, may_be_gone):
    for number, (line, (entries, iterations, least, most)) in enumerate(sorted(counted.items()), 1):
        rows = found.get(line) or found.get(line + 1)  # a bare `do` is no code, so that its line may be lost
        if not rows and number in may_be_gone:
            continue
        if not rows:
            faults.append(f"{what}: the loop of line {line} is missing")
            continue
        timed = [row for row in rows if row["total_ns"] is not None]
        if all_timed or line != sorted(counted)[1]:
            check(f"{what}: line {line} has times", bool(timed), True)
        if number in UNKNOWN:
            continue
        check(f"{what}: iterations of line {line}", total(rows, "iterations"), iterations)
        check(f"{what}: entries of line {line}", total(rows, "entries") - (total(rows, "empty_entries") or 0), entries)
        if timed:
            check(f"{what}: least and most of line {line}", (min(row["min_iterations"] for row in timed),
                                                           max(row["max_iterations"] for row in timed)), (least, most))


def check_annotated(what, options, folder, counted, file="loops.c"):
    """The source shows the iterations beside the loop's line."""
    sources = json.loads(run(options.prof, "annotate", file, "--format=json", cwd=folder).stdout)["sources"]
    shown = {line["line"]: line["iterations"] for source in sources for line in source["lines"]}
    lines = sorted(counted)
    for line in (lines[0], lines[2], lines[3]):
        check(f"{what}: annotated iterations of line {line}", shown.get(line), counted[line][1])


def check_annotated_elsewhere(options):
    """The compiler ran in another folder, so that a loop's file is "../loops.c", where there is a loops.c too, with a loop on the same line."""
    with tempfile.TemporaryDirectory(prefix="prof-loops-") as folder:
        below = pathlib.Path(folder) / "below"
        below.mkdir()
        shutil.copy(HERE / "loops.c", folder)
        first = next(number for number, text in enumerate((HERE / "loops.c").read_text().splitlines(), 1) if "LOOP(0)" in text)
        (below / "loops.c").write_text("\n" * (first - 1) + "__attribute__((constructor)) static void also(void) "
                                       "{ for (volatile int i = 0; i < 1000; i++); }\n")
        run(options.compiler, "-g", "-O2", *programs.plugin_flags(options.prof, options.compiler), "-fplugin-arg-prof-loop-min-statements=0",
            "-fplugin-arg-prof-loop-counts=all", "../loops.c", "loops.c", "-o", "loops", cwd=below)
        out = run(options.prof, "record", "--", "./loops", cwd=below).stdout
        rows = [[int(word) for word in line.split()] for line in out.splitlines() if line[:1].isdigit()]
        check_annotated("from another folder", options, below, {row[0]: tuple(row[1:]) for row in rows}, f"{pathlib.Path(folder).resolve()}/loops.c")


def check_views(what, options, folder):
    """Loops are part of their functions, or apart: sums are the same."""
    def folded(*words):
        paths = {}
        for line in run(options.prof, "export", "--format=folded", *words, cwd=folder).stdout.splitlines():
            path, value = line.rsplit(" ", 1)
            path = ";".join(name for name in path.split(";") if not name.startswith("loop "))
            paths[path] = paths.get(path, 0) + int(value)
        return paths

    plain, apart = folded("--raw"), folded("--raw", "--loops")
    check(f"{what}: paths", sorted(apart), sorted(plain))
    for path, value in plain.items():
        if abs(apart.get(path, 0) - value) > 50:  # each path's time is rounded to nanoseconds
            faults.append(f"{what}: {path}: {apart.get(path)} ns with loops, {value} without")
    names = [line for line in run(options.prof, "replay", cwd=folder).stdout.splitlines() if "loop " in line]
    check(f"{what}: replay without --loops", names, [])
    report = run(options.prof, "report", cwd=folder).stdout
    check(f"{what}: report names the hottest loop", "\nhottest loop: " in report and "\nnext: " in report, True)
    info = json.loads(run(options.prof, "report", "--format=json", cwd=folder).stdout)["cover"]
    check(f"{what}: unmatched", info["unmatched"], 0)


def shown_by(options, folder):
    """What commands show without --loops of how often what was called, and by whom."""
    def document(*words):
        return json.loads(run(options.prof, *words, "--format=json", cwd=folder).stdout)

    def calls(node):
        return node["name"], node["calls"], sorted(calls(child) for child in node.get("children", ()))

    return {
        "tree": sorted(calls(node) for node in document("tree", "--min-share=0")["roots"]),
        "report": sorted((row["name"], row["calls"]) for row in document("report", "-n", "0")["functions"]),
        "lines": sorted((row["line"], row["calls"]) for row in document("lines", "-n", "0")["lines"] if row["calls"]),
        "replay": [(event["event"], event["name"], event["depth"]) for event in document("replay")["events"]],
    }


def check_defaults(options):
    """Without --loops a program that has probes at loops, as it has by default, shows what one without shows."""
    shown = []
    for flags in ((), ("-fplugin-arg-prof-loops=none",)):
        with tempfile.TemporaryDirectory(prefix="prof-loops-") as folder:
            record(options, folder, "-O2", *flags)
            check(f"loops in a recording with {flags}", bool(loops_of(options, folder)), not flags)
            shown.append(shown_by(options, folder))
    for view in shown[0]:
        if shown[0][view] != shown[1][view]:
            faults.append(f"{view} shows something else with loops, without --loops")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    options.prof = options.prof.resolve()
    looked_at = 0
    for level in LEVELS:
        for mode in ("outer", "all"):
            with tempfile.TemporaryDirectory(prefix="prof-loops-") as folder:
                counted = record(options, folder, level, f"-fplugin-arg-prof-loops={mode}", "-fplugin-arg-prof-loop-min-statements=0", "-fplugin-arg-prof-loop-counts=all")
                found = loops_of(options, folder)
                if found is None:
                    print(f"{options.compiler}: its plugin puts no probes at loops")
                    return 77
                what = f"{level} {mode}"
                looked_at += len(counted)
                check_counts(what, counted, found, mode == "all",
                             GONE if options.compiler.startswith("clang") and level in ("-O2", "-O3") else ())
                check_views(what, options, folder)
                if level == "-O2":
                    check_annotated(what, options, folder, counted)
    check_defaults(options)
    check_annotated_elsewhere(options)
    print("\n".join(faults) or f"{looked_at} loops")
    return 1 if faults else 0


sys.exit(main())
