#!/usr/bin/env python3
"""Every figure in the page is that of the readers that print it."""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "export"))
from page import Page
from recordings import Bench, loads

PLAIN = ("calls", "total_ns", "self_ns", "error_ns", "self_share", "total_share")
PARTS = ("running_ns", "waiting_ns", "preempted_ns", "self_running_ns", "self_waiting_ns", "self_preempted_ns")
DURATIONS = ("avg_ns", "min_ns", "max_ns", "p50_ns", "p95_ns", "p99_ns")


def same(seen, expected, what):
    assert seen == expected, f"{what}\n  page:   {seen}\n  reader: {expected}"


def check_functions(page, report):
    rows = page.rows("functions")
    same(len(rows), len(report["functions"]), "functions")
    for counter in page.of["functions"].get("counters", []):
        expected = [-1 if row[counter["key"]] is None else row[counter["key"]] for row in report["functions"]]
        same([round(value, 6) for value in counter["values"]], [round(value, 6) for value in expected], counter["key"])
    same(bool(page.of["functions"].get("counters")), any(f"{key}_total" in row for row in report["functions"] for key in row), "counters")
    for row, expected in zip(rows, report["functions"]):
        same(page.name(row["frame"]), expected["name"], "name of a function")
        keys = PLAIN + (PARTS if "running_ns" in expected else ())
        same({key: row[key] for key in keys}, {key: expected[key] for key in keys}, expected["name"])
        same({key: row[key] for key in DURATIONS}, {key: -1 if expected[key] is None else expected[key] for key in DURATIONS},
             f"durations of {expected['name']}")
        same(max(row[f"{part}_estimated"] for part in ("calls", "total", "self")), int(expected.get("estimated", False)), f"{expected['name']} is estimated")
        if row["min_ns"] >= 0 and row["calls"] > 1:
            low, width, count = (row["histogram"][i::3] for i in range(3))
            assert low == sorted(low) and all(count), row["histogram"]
            assert sum(count) <= row["calls"] or row["estimated"], (row["calls"], count)
            assert len(width) == len(count) == len(low) > 0


def check_tree(page, tree):
    rows = page.rows("tree")
    seen = [[] for _ in rows]
    roots = []
    for i, row in enumerate(rows):
        assert row["parent"] < i
        (seen[row["parent"]] if row["parent"] >= 0 else roots).append(i)

    def compare(here, there):
        same(len(here), len(there), "children")
        here = sorted(here, key=lambda at: (page.name(rows[at]["frame"]), rows[at]["calls"], rows[at]["total_ns"]))
        for at, expected in zip(here, sorted(there, key=lambda node: (node["name"], node["calls"], node["total_ns"]))):
            row = rows[at]
            same((page.name(row["frame"]), row["calls"], row["total_ns"], row["self_ns"]),
                 tuple(expected[key] for key in ("name", "calls", "total_ns", "self_ns")), "a call path")
            if "running_ns" in expected:
                same([row[key] for key in PARTS if key in row], [expected[key] for key in PARTS if key in row], "parts of its time")
            compare(seen[at], expected["children"])
    compare(roots, tree["roots"])


def check_with_loops(bench, name):
    """--loops: they are in the tree and on the timeline; lines stay."""
    page = Page(bench.prof("view", "-i", name, "--loops", "-o", "-"))
    check_tree(page, loads(bench.prof("tree", "-i", name, "--loops", "--format=json", "--min-share=0")))
    check_timeline(page, loads(bench.prof("replay", "-i", name, "--loops", "--format=json", "--limit=1000000")))
    check_lines(page, loads(bench.prof("lines", "-i", name, "--format=json")))
    assert any(page.frames["loop"]), name


def check_loops(page, loops):
    rows = page.rows("loops")
    same(sorted((row["function"], page.file(row["file"]).split("/")[-1], row["line"], row["entries"], row["iterations"], row["total_ns"],
                 row["self_ns"]) for row in rows),
         sorted((loop["function"], loop["file"].split("/")[-1], loop["line"], *(-1 if loop[key] is None else loop[key] for key in
                                                                ("entries", "iterations", "total_ns", "self_ns")))
                for loop in loops["loops"]), "loops")
    keys = ("line", "self_running_ns", "self_low_ns", "self_high_ns", "estimated")
    with_bounds = [loop for loop in loops["loops"] if "self_low_ns" in loop]
    same(sorted(tuple(row[key] for key in keys) for row in rows if with_bounds),
         sorted(tuple(-1 if loop[key] is None else loop[key] for key in keys) for loop in with_bounds), "loops in bursts")


def check_lines(page, lines):
    seen = sorted((page.file(row["file"]).split("/")[-1], row["line"], row["function"], row["calls"], row["samples"]) for row in page.rows("lines"))
    same(seen, sorted((row["file"].split("/")[-1], row["line"], row["function"], row["calls"], row["samples"]) for row in lines["lines"]
                      if row["calls"] or row["samples"] or row["self_ns"] or not (row.get("gpu_ns") or "instructions" in row)), "lines")


def check_threads(page, threads, processes):
    rows = page.rows("threads")
    seen = collections.Counter((row["tid"], row["calls"], row["total_ns"]) for row in rows if row["total_ns"] or row["calls"])
    same(seen, collections.Counter((row["tid"], row["calls"], row["total_ns"]) for row in threads["threads"]
                                   if row["total_ns"] or row["calls"]), "threads")
    seen = collections.Counter((row["pid"], row["calls"]) for row in page.rows("processes") if row["calls"])
    same(seen, collections.Counter((row["pid"], row["calls"]) for row in processes["processes"] if row["calls"]), "processes")


def check_bursts(bench):
    """Time when some function is in bursts, up to the end if it stays so; functions that take turns leave no gap."""
    for name, states, expected in (
            ("none", [], []),
            ("begin", ["hot @0 burst"], [(0, 9000)]),
            ("turns", ["hot @1000 burst", "leaf @2000 off", "hot @3000 always", "leaf @4000 burst", "leaf @5000 always", "hot @6000 off",
                       "hot @7000 burst", "hot @8000 always"], [(1000, 5000), (6000, 8000)]),
            ("handed", ["hot @1000 burst", "hot @3000 always", "leaf @3000 burst"], [(1000, 9000)])):
        text = ["process 1", "module /bin/app", "function main file=a.c", "function hot file=a.c", "function leaf file=a.c", "thread main",
                *(f"state {state}" for state in states), "main @0 enter main", "main @9000 exit main", "end wall=9000", ""]
        bench.make_texts(**{f"bursts_{name}": "\n".join(text)})
        threads = Page(bench.prof("view", "-i", f"bursts_{name}", "-o", "-")).of["threads"]
        same(list(zip(threads["burst_begin_ns"], threads["burst_end_ns"])), expected, f"bursts, {name}")


def check_timeline(page, replay):
    """Short recordings are shown as they are: each call of `replay` is in its lane."""
    same(page.shift, 0, "shift")
    expected = collections.Counter()
    open_at = {}
    for event in replay["events"]:
        key = event.get("tid"), event.get("depth")
        if event["event"] == "enter":
            open_at[key] = event["time_ns"]
        elif event["event"] == "leave":
            expected[key + (event["name"], open_at[key], event["time_ns"] - open_at[key])] += 1
    seen = collections.Counter()
    tids = page.of["threads"]["tid"]
    for lane in page.lanes:
        if lane["kind"] == 0:
            assert not lane["cells"]
            seen.update((tids[lane["thread"]], lane["depth"], page.name(frame), begin, length)
                        for begin, length, frame, _ in lane["calls"])
    same(seen - expected, collections.Counter(), "calls that replay does not have")
    same(expected - seen, collections.Counter(), "calls that the page does not have")


MEMORY = ("heap", "mapped memory")  # counters of allocations, which are no events of `replay`


def check_points(bench, name, page, replay):
    """Marks, counters and values are those of `replay`; durations of frames, requests and spans those of `report --by`."""
    of = page.of["points"]
    events = collections.Counter((event["event"], event["name"], event["time_ns"], event.get("value")) for event in replay["events"]
                                 if event["event"] in ("mark", "counter", "value"))
    readings = {row["name"] for row in json.loads(bench.prof("info", "-i", name, "--format=json")).get("machine", [])}  # test_machine.py of e2e/record compares them
    at, seen, figures = 0, collections.Counter(), {"frame": [], "request": [], "span": []}
    for track, (kind, items) in enumerate(zip(of.get("track_kind", []), of.get("track_items", []))):
        same(of["track_all"][track], items, "items of a short recording")
        span = range(at, at + items)
        at += items
        same([of["begin_ns"][i] for i in span], sorted(of["begin_ns"][i] for i in span), "order of items")
        if kind in figures:
            durations = [of["duration_ns"][i] for i in span]
            figures[kind] += durations
            same((sum(durations), max(durations)), (of["track_total_ns"][track], of["track_max_ns"][track]), "figures of a track")
        elif of["track_name"][track] not in (*MEMORY, *readings):
            seen.update((kind, of["names"][of["name"][i]] if kind == "mark" else of["track_name"][track], of["begin_ns"][i],
                         None if kind == "mark" else of["value"][i]) for i in span)
    same(seen, events, "points")
    for kind, durations in figures.items():
        run = subprocess.run([bench.prof_path, "report", "-i", name, f"--by={kind}", "--format=json"], cwd=bench.folder,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        expected = sum(row["count"] if "count" in row else 1 for row in json.loads(run.stdout)[f"{kind}s"]) if run.returncode == 0 else 0
        same(len(durations), expected, f"{kind}s of {name}")


def check_calls(bench, name, page):
    """Calls by arguments are those of `report --by=arg`, the first hundred."""
    run = subprocess.run([bench.prof_path, "report", "-i", name, "--by=arg", "-n", "0", "--format=json"], cwd=bench.folder, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    expected = json.loads(run.stdout)["calls"] if run.returncode == 0 else []
    same(page.of["calls"].get("all", 0), len(expected), "rows of calls")
    same(page.rows("calls"), expected[:100], "calls by arguments")


def check_slowest(page):
    """The longest calls lie in the lanes, longest first."""
    lanes = {(lane["thread"], lane["depth"]): {(call[0], call[2]) for call in lane["calls"]} for lane in page.lanes if lane["kind"] == 0}
    last = None
    rows = page.rows("slowest")
    for row in rows:
        assert (row["begin_ns"], row["frame"]) in lanes[row["thread"], row["depth"]], row
        assert not last or last["frame"] != row["frame"] or last["duration_ns"] >= row["duration_ns"]
        last = row
    assert not rows or max(collections.Counter(row["frame"] for row in rows).values()) <= 5


def check_gpu(page, gpu):
    """Each kernel and copy with a time is in the lane of its stream; devices have their busy time."""
    of = page.of["gpu"]
    same([(*row,) for row in zip(of["device"], of["pid"], of["device_busy_ns"], of["device_idle_ns"])],
         [(row["device"], row["pid"], row["busy_ns"], row["idle_ns"]) for row in gpu["devices"]], "devices")
    works = [lane for lane in page.lanes if lane["kind"] == 2]
    same(len(works), len(of["stream_name"]), "streams")
    seen = collections.Counter()
    for lane in works:
        for _, length, frame, _ in lane["calls"]:
            seen[page.name(frame)] += length
    kernels = {row["short_name"]: row["total_ns"] for row in gpu["kernels"]}
    same({name: seen[name] for name in kernels}, kernels, "time of kernels")
    begins = {(lane["thread"], call[0]) for lane in works for call in lane["calls"]}
    assert begins >= set(zip(of["work_stream"], of["work_begin_ns"])) and bool(of["work_begin_ns"]) == bool(works)
    gaps = [end - begin for begin, end in zip(of["gap_begin_ns"], of["gap_end_ns"])]
    assert gaps == sorted(gaps, reverse=True) and len(gaps) < 20, gaps
    same(sum(gaps), sum(row["idle_ns"] for row in gpu["devices"]), "time when nothing ran")
    same({why for why in of["gap_why"]} - {row["why"] for row in gpu["idle"]}, set(), "why nothing ran")
    busy = {(lane["thread"], call[0], call[0] + call[1]) for lane in works for call in lane["calls"]}
    assert not any(begin < gap_end and gap_begin < end for _, begin, end in busy for gap_begin, gap_end in zip(of["gap_begin_ns"], of["gap_end_ns"]))


def check_gpu_tree(bench, name, page):
    """GPU time by call path: that of `prof flame --gpu`, against itself as JSON."""
    flame = json.loads(bench.prof("flame", "-i", name, "--gpu", f"--against={name}", "--format=json", "--min-share=0"))
    rows = page.rows("gpu_tree")
    names, seen = [], collections.Counter()
    for row in rows:
        names.append((*(names[row["parent"]] if row["parent"] >= 0 else ()), page.name(row["frame"]).split("<")[0]))
        seen[names[-1]] += row["total_ns"]
    expected = collections.Counter()

    def add(nodes, above):
        for node in nodes:
            path = (*above, node["name"].split("<")[0])
            expected[path] += node["after"]
            add(node["children"], path)
    add(flame["roots"], ())
    same(seen, expected, "GPU time by path")


def check(bench, name, *filters):
    def ask(*arguments):
        run = subprocess.run([bench.prof_path, *arguments, "-i", name, *filters], cwd=bench.folder,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return run.stdout if run.returncode == 0 else None
    report = ask("report", "--format=json")
    html = ask("view", "-o", "-")
    if report is None:
        assert html is None, name
        return
    page = Page(html)
    check_functions(page, loads(report))
    same(page.of["meta"]["cover"]["calls"], loads(report)["cover"]["calls"], "calls of all")
    check_tree(page, loads(ask("tree", "--format=json", "--min-share=0")))
    loops = ask("loops", "--format=json")
    if loops:
        check_loops(page, loads(loops))
    lines = ask("lines", "--format=json")
    if lines:
        check_lines(page, loads(lines))
    check_threads(page, loads(ask("report", "--by=thread", "--format=json")),
                  loads(ask("report", "--by=process", "--format=json")))
    replay = loads(ask("replay", "--format=json", "--limit=1000000"))
    check_timeline(page, replay)
    if not filters:
        check_points(bench, name, page, replay)
        check_calls(bench, name, page)
    check_slowest(page)
    gpu = ask("gpu", "--format=json") if page.of["gpu"] else None
    if gpu and not filters:
        check_gpu(page, loads(gpu))
        if loads(gpu)["kernels"]:  # else it only allocated
            check_gpu_tree(bench, name, page)


def lacks_page(bench):
    run = subprocess.run([bench.prof_path, "view", "-i", "two_threads", "-o", "-"], cwd=bench.folder, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE)
    return b"without the page" in run.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        if lacks_page(bench):
            print("skipped: this prof was built without the page (apt-get install esbuild node-preact node-prismjs)")
            return 77
        for name in bench.some(2):
            print(name)
            check(bench, name)
        check_bursts(bench)
        for name in ("loops", "loop_waits", "loop_cost"):
            check_with_loops(bench, name)
        for filters in (("-D", "2"), ("-F", "work"), ("-N", "leaf"), ("-t", "100ns"), ("--range", "50ns~400ns"), ("--tid", "77")):
            check(bench, "two_threads", *filters)
    return 0


sys.exit(main())
