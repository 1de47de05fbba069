#!/usr/bin/env python3
"""prof overhead: every kind of run is made, in turn, and it says what failed.  No time is asserted."""
import csv
import io
import json

import recording
from recording import contains, equal

MANY = 3000000  # calls
MORE = 100000000  # more than fit into the ring: the recorder reads some before the program ends


def measure(bench, *words):
    return bench.run([bench.prof, "overhead", "-n", 2, *words])


def as_json(bench):
    result = measure(bench, "--format=json", "--plain", bench.program, bench.program, "plain", 5000, 0)
    equal("status", result.returncode, 0)
    document = json.loads(result.stdout)
    equal("turns", document["turns"], 2)
    equal("complete", document["complete"], True)
    runs = {row["run"]: row for row in document["runs"]}
    equal("runs", list(runs), ["plain", "off", "budget 5%", "full"])
    for row in runs.values():
        equal("times are there", [row[key] > 0 for key in ("wall_ns", "cpu_ns", "wall_ratio", "cpu_ratio")], [True] * 4)
    equal("to itself", [runs["off"][key] for key in ("wall_ratio", "cpu_ratio")], [1, 1])
    equal("not recorded", runs["off"]["events"], None)
    equal("recorded", [runs[name]["trace_bytes"] > 0 for name in ("budget 5%", "full")], [True, True])
    equal("every call", runs["full"]["events"] >= 2 * 5000, True)


def as_table_and_csv(bench):
    result = measure(bench, "--budget=10%", bench.program, "plain", 100, 0)
    contains("table", result.stdout, "budget 10%")
    equal("no plain one", "plain" in result.stdout, False)
    shown = measure(bench, "--show-output", "--format=json", bench.program, "plain", 100, 0)
    equal("JSON alone", json.loads(shown.stdout)["turns"], 2)
    contains("output", shown.stderr, "done")
    rows = list(csv.DictReader(io.StringIO(measure(bench, "--format=csv", bench.program, "plain", 100, 0).stdout)))
    equal("csv", [row["run"] for row in rows], ["off", "budget 5%", "full"])


def what_went_wrong(bench):
    result = measure(bench, bench.program, "plain", 100, 7)
    equal("status", result.returncode, 0)
    contains("table", result.stdout, "The program ended with status 7 (off run).")
    contains("killed", measure(bench, bench.program, "raises", 10, 15).stdout, "killed by signal 15 (off run)")
    contains("no probes", measure(bench, "/bin/true").stdout, "compile it with the plugin")
    for words, text in ((["./nosuch"], "no such program (./nosuch)"), ([], "which program"),
                        (["--budget=0%", bench.program, "plain", 10, 0], "--budget=0%"),
                        (["--stdin=/nosuch", "/bin/true"], "can't be read")):
        result = measure(bench, *words)
        equal(f"{words} fails", result.returncode != 0, True)
        contains("message", result.stderr, text)


def leaf_of(bench, data):
    """leaf's rows, and of how many functions the header says that nobody saw them."""
    report = json.loads(bench.run([bench.prof, "report", "-i", data, "--format=json"]).stdout)
    return [row for row in report["functions"] if row["name"] == "leaf"], report["cover"]["unseen_functions"]


def not_seen(bench):
    """A program that ends before its first window, without samples: what it called is not known, and the header reports it."""
    bench.run([bench.prof, "record", "-o", "first.data", bench.program, "plain", MANY, 0])
    for count in (1, MANY):
        bench.run([bench.prof, "record", "-o", "few.data", "--sample=off", "--overhead=1%", "--hints=first.data", bench.program,
                   "plain", count, 0])
        rows, unseen = leaf_of(bench, "few.data")
        equal(f"leaf of {count} calls", len(rows) + unseen, 1)
        header = bench.run([bench.prof, "report", "-i", "few.data"]).stdout
        # Whether another function is in bursts is chance, and changes the words.
        equal(header, "1 more not seen" in header or "1 more recorded in bursts not seen" in header, unseen == 1)


def hints(bench):
    """Of a recording of the same program, of another one, and of none."""
    bench.run([bench.prof, "record", "-o", "full.data", bench.program, "plain", MANY, 0])
    result = bench.run([bench.prof, "record", "-o", "hinted.data", "--overhead=1%", "--hints=full.data", bench.program, "plain",
                        MORE, 0])
    equal("status", result.returncode, 0)
    equal(f"found: {result.stderr}", "--hints" in result.stderr, False)
    rows, unseen = leaf_of(bench, "hinted.data")
    equal("in bursts", ([row["estimated"] for row in rows], unseen) in (([True], 0), ([], 1)), True)
    other = bench.run([bench.prof, "record", "-o", "other.data", "--overhead=5%", "--hints=full.data", "/bin/true"])
    contains("another program", other.stderr, "dense functions of full.data is in this program")
    for words, text in ((["--hints=full.data"], "--hints needs a budget"), (["--overhead=5%", "--hints=nosuch"], "nosuch")):
        result = bench.run([bench.prof, "record", *words, bench.program, "plain", 10, 0])
        equal(f"{words} fails", result.returncode != 0, True)
        contains("message", result.stderr, text)


def hints_for_the_plugin(bench):
    """What a recording has found dense is compiled without probes; a recording with a list is replaced as any other."""
    bench.run([bench.prof, "record", "-o", "dense.data", "--full", bench.program, "plain", MANY, 0])
    listed = json.loads(bench.run([bench.prof, "hints", "-i", "dense.data", "--most=100%", "--format=json"]).stdout)
    equal("listed", "leaf" in [row["name"] for row in listed["functions"]], True)
    equal("main is not", "main" in [row["name"] for row in listed["functions"]], False)
    bench.build("calls.c", bench.folder / "hinted", [f"-fplugin-arg-prof-hints={bench.folder / 'dense.data'}"])
    for _ in range(3):
        equal("recorded", bench.run([bench.prof, "record", "-o", "dense.data", "./hinted", "plain", 10, 0]).returncode, 0)
    equal("calls", [bench.calls_of(name, "dense.data") for name in ("main", "leaf")], [1, 0])


def nothing_is_left(bench):
    folder = bench.folder / "temporary"
    folder.mkdir()
    result = bench.run(["env", f"TMPDIR={folder}", bench.prof, "overhead", "-n", 1, bench.program, "plain", 100, 0])
    equal("status", result.returncode, 0)
    equal("left", list(folder.iterdir()), [])


if __name__ == "__main__":
    recording.main([as_json, as_table_and_csv, what_went_wrong, not_seen, hints, hints_for_the_plugin, nothing_is_left])
