#!/usr/bin/env python3
"""sqlite3 reads our databases, and CSV of calls, to the times and calls of `prof report`; the queries of docs/exports.md work."""
import collections
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from recordings import MOVED, PARTS, TRACES, Bench, need, named, plain

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/exports.md"


def ask(path, query):
    out = subprocess.run(["sqlite3", "-json", path, query], check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out) if out else []


def check_functions(bench, recording, path, *arguments):
    wanted, slack = bench.report(recording, *arguments), bench.slack(recording)
    found = collections.defaultdict(collections.Counter)
    for row in ask(path, "SELECT * FROM function"):
        sums = found[plain(row["name"])]
        sums["calls"] += row["calls"]
        for kind in ("",) + (PARTS if row["running_ns"] is not None else ()):
            sums["self_" + kind] += row["self_" + (kind + "_" if kind else "") + "ns"]
            sums["total_" + kind] += row[(kind + "_" if kind else "total_") + "ns"]
    assert set(found) == set(wanted), (recording, set(found) ^ set(wanted))
    for name, sums in wanted.items():
        for key in sums:
            assert abs(found[name][key] - sums[key]) <= slack, (recording, name, key, found[name], sums)
    whole = ask(path, "SELECT sum(self_ns) AS self FROM path")[0]["self"]
    assert abs(whole - sum(row["self_"] for row in wanted.values())) <= max(slack * len(wanted), slack), recording


def raw_totals(bench, recording):
    """Function -> calls and self time as the clock measured them, of calls that are known to begin and end."""
    document = bench.json("export", "-i", recording, "--raw")
    names = {function["id"]: named(function) for function in document["functions"]}
    found = collections.defaultdict(lambda: [0, 0])
    for node in document["nodes"]:
        row = found[names.get(node["function"], "[unknown]")]
        row[0] += node["calls"]
        row[1] += node["self_ns"]
    return found


def check_calls(bench, recording, path, rows):
    wanted = raw_totals(bench, recording)
    found = collections.defaultdict(lambda: [0, 0])
    for row in ask(path, "SELECT name, count(*) AS calls, sum(call.self_ns) AS self FROM call JOIN function ON function.id = call.function"
                         " GROUP BY call.function"):
        found[plain(row["name"])][0] += row["calls"]
        found[plain(row["name"])][1] += row["self"]
    table = collections.defaultdict(lambda: [0, 0])
    for row in rows:
        table[plain(row["name"].lstrip("'"))][0] += 1
        table[plain(row["name"].lstrip("'"))][1] += int(row["self_ns"])
    assert found == table, (recording, found, table)
    if any(node["calls"] == 0 for node in bench.json("export", "-i", recording)["nodes"]) or bench.covered(recording).get("burst_functions"):
        return  # frames that were open at a fork are calls here; estimated calls are not
    total = abs(sum(row[1] for row in found.values()) - sum(row[1] for row in wanted.values()))
    assert total <= 3 * sum(row[0] for row in found.values()), (recording, total)
    text = TRACES / f"{recording}.txt"
    if text.exists() and " light " in text.read_text():
        return  # sums move waits between calls that share a time
    for name in wanted:
        # Every begin and end is rounded, and a wait for the recorder moves both.
        assert abs(found[name][1] - wanted[name][1]) <= 3 * wanted[name][0], (recording, name, found[name], wanted[name])
        assert found[name][0] == wanted[name][0] or cut(path), (recording, name, found[name], wanted[name])


def cut(path):
    return ask(path, "SELECT count(*) AS n FROM call WHERE cut")[0]["n"] > 0


def check(bench, recording, *arguments):
    path = bench.export(recording, "calls.db", "--format=sqlite", "--timeline", *arguments)
    assert ask(path, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert not ask(path, "PRAGMA foreign_key_check"), ask(path, "PRAGMA foreign_key_check")[:3]
    check_functions(bench, recording, path, *arguments)
    rows = list(csv.DictReader(io.StringIO(bench.prof("export", "-i", recording, "--format=csv", "--timeline", *arguments).decode())))
    for row in rows:
        assert all(row[key].isdigit() for key in row if key not in ("thread", "name", "module", "file")), row
    if not arguments:
        check_calls(bench, recording, path, rows)
    # Calls lie within the calls around them, and begin after them.  One that goes on beneath another one has the depth of its end.
    deeper = "0" if recording in MOVED else "call.depth <> outer.depth + 1"
    assert not ask(path, "SELECT 1 FROM call JOIN call AS outer ON outer.id = call.parent WHERE call.begin_ns < outer.begin_ns"
                         f" OR {deeper} OR call.thread <> outer.thread LIMIT 1")


def check_queries(bench):
    """Each query of the document gives rows; percentiles and stacks say the same as a count by hand."""
    path = bench.export("real" if "real" in bench.recordings else "large", "real.db", "--format=sqlite", "--timeline")
    section = PAGE.read_text().split("## sqlite")[1].split("\n## ")[0]
    queries = re.findall(r'^    \$ sqlite3 app\.db "([^"]+)"', section, re.M)
    assert len(queries) >= 5, queries
    name = ask(path, "SELECT name FROM function ORDER BY calls DESC LIMIT 1")[0]["name"]
    for query in queries:
        assert ask(path, query.replace("'leaf'", f"'{name}'").replace("1000000", "0")), query
    for row in ask(path, "SELECT * FROM percentile"):
        durations = sorted(call["duration_ns"] for call in
                           ask(path, f"SELECT duration_ns FROM named_call WHERE tid = {row['tid']} AND name = '{row['name']}' AND NOT cut"))
        for key, part in (("p50_ns", 50), ("p95_ns", 95), ("p99_ns", 99), ("max_ns", 100)):
            assert row[key] == durations[-(-len(durations) * part // 100) - 1], (row, durations)
    folded = bench.prof("export", "-i", path.with_name("real").name if "real" in bench.recordings else "large", "--format=folded",
                        "--time=elapsed").decode().splitlines()
    stacks = collections.Counter()
    for row in ask(path, "SELECT stack, self_ns FROM stack"):
        stacks[row["stack"]] += row["self_ns"]
    wanted = collections.Counter()
    for line in folded:
        wanted[line.rsplit(" ", 1)[0]] += int(line.rsplit(" ", 1)[1])
    assert +stacks == +wanted


def check_without_library(bench):
    """prof loads the library only now.  Where it can't, an earlier file stays, and the other formats are measured."""
    (bench.folder / "none").mkdir()
    (bench.folder / "none/libsqlite3.so.0").write_bytes(b"")
    environment = {**os.environ, "LD_LIBRARY_PATH": str(bench.folder / "none")}
    (bench.folder / "kept.db").write_bytes(b"kept")
    result = subprocess.run([bench.prof_path, "export", "-i", "large", "--format=sqlite", "-o", "kept.db"], cwd=bench.folder, check=False,
                            stderr=subprocess.PIPE, text=True, env=environment)
    assert result.returncode == 2 and "the library for --format=sqlite is missing" in result.stderr, result
    assert (bench.folder / "kept.db").read_bytes() == b"kept"
    listed = subprocess.run([bench.prof_path, "export", "-i", "large", "--list"], cwd=bench.folder, check=True, stdout=subprocess.PIPE, text=True,
                            env=environment).stdout
    assert re.search(r"^sqlite +- +- .*missing: libsqlite3-0$", listed, re.M) and re.search(r"^folded +\d", listed, re.M), listed


def main():
    need("sqlite3")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        result = subprocess.run([bench.prof_path, "export", "--format=sqlite", "-o", "x"], cwd=folder, check=False, stderr=subprocess.PIPE,
                                text=True)
        if "built without" in result.stderr:
            print(f"skipped: {result.stderr.strip()}")
            return 77
        reason = bench.real()
        empty = bench.odd()
        bench.refuses_empty(empty, "--format=sqlite")
        bench.refuses_empty(empty, "--format=csv", "--timeline")
        for recording in bench.some(0):
            check(bench, recording)
        for arguments in (("-F", "work"), ("-N", "leaf"), ("-D", "2"), ("-t", "60ns"), ("--tid=77",), ("--range=0~300ns",)):
            check(bench, "two_threads", *arguments)
        check_queries(bench)
        check_without_library(bench)
        # A full disk is an error.
        result = subprocess.run([bench.prof_path, "export", "-i", "large", "--format=sqlite", "-o", "/dev/full"], cwd=folder, check=False,
                                stderr=subprocess.PIPE, text=True)
        assert result.returncode == 1 and "database" in result.stderr, result
        print(f"{len(bench.some(0))} recordings" + (f"; no real one: {reason}" if reason else ""))
    return 0


sys.exit(main())
