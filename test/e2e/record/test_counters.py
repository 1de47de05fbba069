#!/usr/bin/env python3
"""--counters: page faults of each function, loop and line are those that the program makes; clocks; what is missing."""
import ctypes.util
import json
import sys

import recording
from recording import PROGRAMS, equal

PAGES = {"touch": 3000, "few": 1000}
LINE = next(i for i, line in enumerate((PROGRAMS / "faults.c").read_text().splitlines(), 1) if "this line" in line)


def read(bench, *options):
    done = bench.run([bench.prof, "counters", "-i", "prof.data", "--format=json", *options])
    equal("prof counters", done.returncode, 0)
    return json.loads(done.stdout)


def figures_of(rows, counter, key="self"):
    return {row["name"].split(".")[0]: figure[key] for row in rows for figure in row["figures"] if figure["counter"] == counter}


def right(of):
    """A page may be taken away and faulted in again: rarely, and few."""
    return {name: count <= of.get(name, 0) <= count + 10 for name, count in PAGES.items()}


def of_several(figures, runs, more):
    """True by name, or the figure that isn't that of so many runs; so many more may be faulted in again."""
    return {name: runs * count <= figures[name] <= runs * count + more or figures[name] for name, count in PAGES.items()}


def faults(bench):
    program = bench.folder / "faults"
    bench.build("faults.c", program)
    done = bench.record(program=program, options=["--counters=page-faults,task-clock,cycles"])
    found = read(bench)
    counters = {row["name"]: row for row in found["counters"]}
    if counters["page-faults"]["missing"]:
        print("skipped:", counters["page-faults"]["missing"])
        sys.exit(77)
    equal("said once", done.stderr.count("not counted: cycles"), 1 if counters["cycles"]["missing"] else 0)
    equal("every fault", right(figures_of(found["rows"], "page-faults")), {name: True for name in PAGES})
    total = figures_of(found["rows"], "page-faults", "total")
    equal("with callees", (3000 <= total["many"] <= 3010, total["main"] >= 4000), (True, True))
    row = counters["page-faults"]
    equal("sums", row["sampled"] + row["outside"] + row["profiler"], row["counted"])
    equal("turns", row["enabled_ns"], row["running_ns"])
    clock = figures_of(found["rows"], "task-clock")
    equal("where the time went", max(clock, key=clock.get), "works")
    loops = read(bench, "--by=loop")["rows"]
    equal("loops", right(figures_of(loops, "page-faults")), {name: True for name in PAGES})
    lines = read(bench, "--by=line")["rows"]
    equal("lines", (lines[0]["line"], lines[0]["name"].split(".")[0], 3000 <= lines[0]["figures"][0]["self"] <= 3010), (LINE, "touch", True))
    shown = bench.run([bench.prof, "counters", "-i", "prof.data", "-s", "task-clock", "-n", "1"])
    equal("table", (shown.returncode, "works" in shown.stdout, "many" in shown.stdout), (0, True, False))
    equal("verify", bench.run([bench.prof, "verify", "-i", "prof.data"]).returncode, 0)


def in_summary(bench):
    """As in a full recording, over many stretches; and the columns of other tables."""
    program = bench.folder / "faults"
    bench.build("faults.c", program)
    bench.record(program=program, options=["--mode=summary", "--every=100ms", "--counters=page-faults,task-clock"])
    found = read(bench)
    row = {row["name"]: row for row in found["counters"]}["page-faults"]
    equal("every fault", right(figures_of(found["rows"], "page-faults")), {name: True for name in PAGES})
    equal("with callees", figures_of(found["rows"], "page-faults", "total")["main"] >= 4000, True)
    equal("sums", row["sampled"] + row["outside"] + row["profiler"], row["counted"])
    clock = figures_of(found["rows"], "task-clock")
    equal("where the time went", max(clock, key=clock.get), "works")
    lines = read(bench, "--by=line")["rows"]
    equal("lines", (lines[0]["line"], lines[0]["name"].split(".")[0], 3000 <= lines[0]["figures"][0]["self"] <= 3010), (LINE, "touch", True))
    loops = read(bench, "--by=loop")["rows"]
    equal("loops", right(figures_of(loops, "page-faults")), {name: True for name in PAGES})
    functions = {row["name"].split(".")[0]: row["page-faults"] for row in bench.read("report")["functions"]}
    equal("columns of report", right(functions), {name: True for name in PAGES})
    equal("verify", bench.run([bench.prof, "verify", "-i", "prof.data"]).returncode, 0)


def columns(bench):
    """The same figures beside times: functions, lines, loops, paths, the source."""
    names = ("page-faults", "task-clock", "context-switches")
    bench.build("faults.c", bench.folder / "faults")
    bench.record(program=bench.folder / "faults", options=["--counters=page-faults,task-clock,context-switches"])

    def rows_of(key, *command):
        done = bench.run([bench.prof, *command, "-i", "prof.data", "--format=json"])
        equal(f"prof {command[0]}", done.returncode, 0)
        return json.loads(done.stdout)[key]

    def same(what, rows, by):
        for total in ("", "_total"):
            want = {(row["name"], row["line"]): [round(figure["total" if total else "self"]) for figure in row["figures"]] for row in read(bench, by)["rows"]}
            want = {place: figures for place, figures in want.items() if any(figures)}
            got = {(row.get("name", row.get("function")), row["line"]): [row[name + total] for name in names] for row in rows}
            equal(f"{what}{total}", {place: figures for place, figures in got.items() if any(figures)}, want)

    same("report", rows_of("functions", "report"), "--by=function")
    same("loops", rows_of("loops", "loops"), "--by=loop")
    lines = rows_of("lines", "lines", "-s", "page-faults")
    equal("lines", (lines[0]["line"], lines[0]["function"].split(".")[0], 3000 <= lines[0]["page-faults"] <= 3010), (LINE, "touch", True))
    of_lines = {(row["file"], row["line"]): row["page-faults"] for row in lines if row["line"]}
    root = rows_of("roots", "tree")[0]
    equal("tree", (root["name"], 4000 <= root["page-faults_total"], root["page-faults"] <= 1000), ("main", True, True))
    source = rows_of("sources", "annotate", "touch")[0]
    equal("annotate", {line["line"]: line["page-faults"] for line in source["lines"] if line["line"] == LINE}, {LINE: of_lines[source["file"], LINE]})
    sampled = read(bench)["counters"][0]["sampled"]
    for by, key in (("file", "files"), ("module", "modules"), ("thread", "threads"), ("process", "processes")):
        equal(f"by {by}", sum(row["page-faults"] for row in rows_of(key, "report", f"--by={by}")), sampled)
    for width in (80, 120, 200):
        for command in ("report", "lines", "loops", "tree", "annotate"):
            shown = bench.run([bench.prof, command, "-i", "prof.data", f"--width={width}", *(["touch"] if command == "annotate" else [])]).stdout
            equal(f"{command} at {width}", ("PAGE-FAULTS" in shown or width < 200, max(map(len, shown.splitlines())) <= width), (True, True))


def parts(bench):
    """A slice of the recording has the samples of its time; a ring keeps them too."""
    bench.record(program=bench.folder / "faults", options=["--counters=page-faults:u"])
    bench.run([bench.prof, "slice", "-i", "prof.data", "-o", "slice.data", "--range=0%~99.9%"])
    again = bench.run([bench.prof, "counters", "-i", "slice.data", "--format=json"])
    equal("slice", right(figures_of(json.loads(again.stdout)["rows"], "page-faults:u")), {name: True for name in PAGES})
    bench.record(program=bench.folder / "faults", options=["--counters=page-faults", "--mode=ring", "--keep=64M"])
    equal("ring", right(figures_of(read(bench)["rows"], "page-faults")), {name: True for name in PAGES})


def merged(bench):
    """Parts of a recording, or two recordings, as one."""
    def faults_in(data, *words):
        equal(f"merge: {words}", bench.run([bench.prof, "merge", *words, "-o", data]).returncode, 0)
        done = bench.run([bench.prof, "counters", "-i", data, "--format=json"])
        found = json.loads(done.stdout)
        return figures_of(found["rows"], "page-faults"), found["counters"][0]
    counting = ["--counters=page-faults"]
    program = bench.folder / "faults"
    bench.record("-c", f"{program}; sleep 0.1; {program}; sleep 0.1; {program}", program="sh", options=[*counting, "--split=100ms"])
    figures, counter = faults_in("parts", "prof.data")
    equal("parts", of_several(figures, 3, 30), {name: True for name in PAGES})
    equal("of all parts", counter["counted"] >= counter["sampled"] + counter["outside"], True)
    for name in ("one", "two"):
        bench.record(program=bench.folder / "faults", options=[*counting, "-o", name])
    figures, _ = faults_in("both", "one", "two")
    equal("two runs", of_several(figures, 2, 20), {name: True for name in PAGES})
    bench.record(program=bench.folder / "faults", options=["--counters=minor-faults", "-o", "other"])
    refused = bench.run([bench.prof, "merge", "one", "other", "-o", "none"])
    equal("other counters", (refused.returncode, "with the same --counters" in refused.stderr), (1, True))


def names(bench):
    if ctypes.util.find_library("pfm"):
        bench.record(program=bench.folder / "faults", options=["--counters=perf::PAGE-FAULTS"])
        equal("libpfm4's name", right(figures_of(read(bench)["rows"], "perf::PAGE-FAULTS")), {name: True for name in PAGES})
    for wrong in ("no-such-counter", "cycles,cycles", ""):
        refused = bench.run([bench.prof, "record", f"--counters={wrong}", bench.folder / "faults"])
        equal(f"'{wrong}'", (refused.returncode, "as in --counters=" in refused.stderr), (2, True))
    refused = bench.run([bench.prof, "record", "--counters=page-faults", "--sample=off", bench.folder / "faults"])
    equal("without samples", (refused.returncode, "leave out --sample=off" in refused.stderr), (2, True))
    bench.record(program=bench.folder / "faults")
    none = bench.run([bench.prof, "counters", "-i", "prof.data"])
    equal("none recorded", (none.returncode, "prof record --counters=" in none.stderr), (1, True))


if __name__ == "__main__":
    recording.main([faults, in_summary, columns, parts, merged, names])
