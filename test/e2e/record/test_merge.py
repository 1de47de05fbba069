#!/usr/bin/env python3
"""prof merge: parts and snapshots of a recording become the whole one, without seams; several runs become one recording."""
import shutil

import recording
from recording import PATIENCE_S, contains, equal, wait_for
from test_parts import parts_of, run_until, with_frames
from test_ring import counted, snapshot, start, stop


def merge(bench, *words):
    shutil.rmtree(bench.folder / "merged", ignore_errors=True)
    result = bench.run([bench.prof, "merge", *words, "-o", "merged"])
    equal(f"status of merge: {result.stderr}", result.returncode, 0)
    checked = bench.run([bench.prof, "verify", "merged"])
    equal(f"verify: {checked.stdout}", checked.returncode, 0)
    return result.stderr


def parts(bench):
    """No call is there twice: neither of leaf nor of the frames that are open all along."""
    calls, _ = run_until(bench, ["--split=150ms"], 3)
    count = len(parts_of(bench.folder / "prof.data"))
    contains("what it says", merge(bench, "prof.data"), f"prof: {count} recordings of 1 run, ")
    equal("calls of leaf", bench.calls_of("leaf", "merged"), calls)
    equal("calls of until", bench.calls_of("until", "merged"), 1)
    whole = bench.read("report", "merged", "--raw")
    by_part = [bench.read("report", f"prof.data/{part}", "--raw") for part in with_frames(bench)]
    total = sum(row["total_ns"] for one in by_part for row in one["functions"] if row["name"] == "until")
    merged = next(row["total_ns"] for row in whole["functions"] if row["name"] == "until")
    if abs(merged - total) > 0.02 * total + 1000 * count:
        raise AssertionError(f"until: {merged} ns, {total} ns in the parts")
    equal("it is no part", "part" in bench.info("merged"), False)
    shutil.rmtree(bench.folder / "prof.data" / "part-0002")  # a part is missing
    merge(bench, "prof.data")
    equal("calls of until without it", bench.calls_of("until", "merged") in (1, 2), True)


def processes(bench):
    """Processes that begin and end in any part."""
    script = f"i=0; while test $i -lt 8; do {bench.program} forks 3 2000; {bench.program} plain 500 0; i=$((i+1)); sleep 0.05; done"
    result = bench.run([bench.prof, "record", "--split=100ms", "sh", "-c", script])
    equal("status", result.returncode, 0)
    merge(bench, "prof.data")
    equal("calls of leaf", bench.calls_of("leaf", "merged"), 8 * (3 * 2000 + 500))
    equal("processes", bench.info("merged")["processes"], 8 * 5)


def snapshots(bench):
    """What several snapshots have is there once."""
    file, process = start(bench, ["--keep=512M"], "until")
    for number in (1, 2):
        snapshot(bench, process, number)
        wait_for("more calls", lambda before=counted(file): counted(file) > before)
    stop(file)
    process.communicate(timeout=PATIENCE_S)
    contains("what it says", merge(bench, "prof.data"), "were in several of them")
    equal("calls of leaf", bench.calls_of("leaf", "merged"), counted(file))


def with_a_budget(bench):
    run_until(bench, ["--overhead=10%", "--split=400ms"], 2)
    merge(bench, "prof.data")
    outer = [row["calls"] for row in bench.read("report", "merged")["functions"] if row["name"] == "until"]
    equal("until", outer, [1])


def runs(bench):
    """Functions of one program are one; its processes are as many as there were."""
    for folder, calls in (("one", 300), ("two", 40)):
        bench.record("plain", calls, 0, options=["-o", folder])
    contains("what it says", merge(bench, "one", "two"), "prof: runs are placed as their common clock says")
    report = bench.read("report", "merged")
    leaf = [row for row in report["functions"] if row["name"] == "leaf"]
    equal("leaf", [row["calls"] for row in leaf], [340])
    equal("processes", report["cover"]["processes"], 2)
    equal("modules", bench.info("merged")["modules"], bench.info("one")["modules"])
    contains("in turn", merge(bench, "two", "one", "--in-turn"), "one after the other")
    equal("leaf", bench.calls_of("leaf", "merged"), 340)
    for view in (["tree"], ["flame", "-o", "flame.svg"], ["replay", "--limit=5"], ["export", "--format=perfetto", "-o", "out"],
                 ["info"], ["lines"], ["slowest", "-F", "leaf"]):
        shown = bench.run([bench.prof, view[0], "-i", "merged", *view[1:]])
        equal(f"prof {view[0]}: {shown.stderr}", shown.returncode, 0)


if __name__ == "__main__":
    recording.main([parts, processes, snapshots, with_a_budget, runs])
