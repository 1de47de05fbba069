#!/usr/bin/env python3
"""Our profiles for the Firefox Profiler keep to its published format (processed profile, version 47), and hold the report's figures.

The viewer is a web page that no package registry has as a library.  So the format's type definitions stand here as tables: which
columns each table has, what they may hold, and which table they point into.  All tables, columns and indices are checked.
"""
import collections
import json
import sys
import tempfile

from recordings import Bench, plain

NUMBER, FLAG, NOTHING = "a number", "true or false", "null"


def index(table):
    return ("index", table)


TABLES = {  # table: column -> what may be in it
    "stackTable": {"frame": (index("frameTable"),), "prefix": (index("stackTable"), NOTHING), "category": (index("categories"),),
                   "subcategory": (NUMBER,)},
    "samples": {"stack": (index("stackTable"), NOTHING), "time": (NUMBER,), "weight": (NUMBER,)},
    "frameTable": {"address": (NUMBER,), "inlineDepth": (NUMBER,), "category": (index("categories"), NOTHING), "subcategory": (NUMBER, NOTHING),
                   "func": (index("funcTable"),), "nativeSymbol": (index("nativeSymbols"), NOTHING), "innerWindowID": (NUMBER, NOTHING),
                   "implementation": (index("stringArray"), NOTHING), "line": (NUMBER, NOTHING), "column": (NUMBER, NOTHING)},
    "funcTable": {"name": (index("stringArray"),), "isJS": (FLAG,), "relevantForJS": (FLAG,), "resource": (index("resourceTable"), -1),
                  "fileName": (index("stringArray"), NOTHING), "lineNumber": (NUMBER, NOTHING), "columnNumber": (NUMBER, NOTHING)},
    "resourceTable": {"lib": (index("libs"), NOTHING), "name": (index("stringArray"),), "host": (index("stringArray"), NOTHING),
                      "type": (NUMBER,)},
    "nativeSymbols": {"libIndex": (index("libs"),), "address": (NUMBER,), "name": (index("stringArray"),), "functionSize": (NUMBER, NOTHING)},
    "markers": {"data": (NOTHING,), "name": (index("stringArray"),), "startTime": (NUMBER, NOTHING), "endTime": (NUMBER, NOTHING),
                "phase": (NUMBER,), "category": (index("categories"),)},
}
THREAD = {"processType": str, "processName": str, "processStartupTime": (int, float), "processShutdownTime": type(None),
          "registerTime": (int, float), "unregisterTime": type(None), "pausedRanges": list, "name": str, "isMainThread": bool, "pid": str,
          "tid": int, "stringArray": list}
META = {"version": int, "preprocessedProfileVersion": int, "interval": (int, float), "startTime": (int, float), "processType": int,
        "stackwalk": int, "product": str, "symbolicated": bool, "categories": list, "markerSchema": list}


def fits(value, kinds, sizes):
    for kind in kinds:
        if kind == NOTHING and value is None or kind == -1 and value == -1:
            return True
        if kind == FLAG and isinstance(value, bool):
            return True
        if kind == NUMBER and isinstance(value, (int, float)) and not isinstance(value, bool):
            return True
        if isinstance(kind, tuple) and isinstance(value, int) and not isinstance(value, bool) and 0 <= value < sizes[kind[1]]:
            return True
    return False


def check_thread(thread, document):
    assert set(thread) == set(THREAD) | set(TABLES), set(thread) ^ (set(THREAD) | set(TABLES))
    for key, kind in THREAD.items():
        assert isinstance(thread[key], kind), (key, thread[key])
    assert all(isinstance(text, str) for text in thread["stringArray"])
    sizes = {"categories": len(document["meta"]["categories"]), "libs": len(document["libs"]), "stringArray": len(thread["stringArray"]),
             **{name: thread[name]["length"] for name in TABLES}}
    for name, columns in TABLES.items():
        table = thread[name]
        assert set(table) == set(columns) | {"length"} | ({"weightType"} if name == "samples" else set()), (name, set(table))
        for column, kinds in columns.items():
            assert len(table[column]) == table["length"], (name, column)
            for value in table[column]:
                assert fits(value, kinds, sizes), (name, column, value)
    assert thread["samples"]["weightType"] == "tracing-ms"
    assert all(prefix is None or prefix < i for i, prefix in enumerate(thread["stackTable"]["prefix"])), "callers come first"
    times = thread["samples"]["time"]
    assert times == sorted(times)


def figures(document):
    """Function -> self and total nanoseconds, as the viewer's call tree sums them up; and the time of each thread."""
    found, threads = collections.defaultdict(collections.Counter), collections.Counter()
    for thread in document["threads"]:
        stacks, names = thread["stackTable"], thread["stringArray"]
        name_of = [plain(names[thread["funcTable"]["name"][func]]) for func in thread["frameTable"]["func"]]
        for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
            ns = round(weight * 1e6)
            found[name_of[stacks["frame"][stack]]]["self"] += ns
            threads[thread["pid"].split(".")[0], thread["tid"]] += ns
            seen = set()
            while stack is not None:
                seen.add(name_of[stacks["frame"][stack]])
                stack = stacks["prefix"][stack]
            for name in seen:
                found[name]["total"] += ns
    return found, threads


def check(bench, recording, *arguments):
    document = json.loads(
        bench.prof("export", "-i", recording, "--format=firefox", *arguments))
    assert set(document) == {"meta", "libs", "threads"} and document["meta"]["preprocessedProfileVersion"] == 47
    for key, kind in META.items():
        assert isinstance(document["meta"][key], kind), key
    for category in document["meta"]["categories"]:
        assert set(category) == {"name", "color", "subcategories"}
    assert any(category["color"] == "grey" for category in document["meta"]["categories"]), "the default category"
    for thread in document["threads"]:
        check_thread(thread, document)
    filters = [word for word in arguments if not word.startswith("--time")]
    wanted = bench.report(recording, *filters)
    nodes = bench.json("export", "-i", recording, *filters)["nodes"]
    kind = next((word[7:] for word in arguments if word.startswith("--time=")), None)
    suffix = "" if kind == "elapsed" or not any("self_running" in row for row in wanted.values()) else kind or "running"
    found, _ = figures(document)
    slack = bench.slack(recording) * len(nodes)
    forked, estimated = any(node["calls"] == 0 for node in nodes), recording.startswith(("bursts", "counts"))
    for name in set(found) | set(wanted):
        if name == "?":
            continue
        assert abs(found[name]["self"] - wanted[name]["self_" + suffix]) <= slack, (recording, name, found[name], wanted[name])
        assert forked or abs(found[name]["total"] - wanted[name]["total_" + suffix]) <= slack + estimated * len(nodes), \
            (recording, name, found[name], wanted[name])
    whole = sum(row["self_" + suffix] for row in wanted.values())
    assert abs(sum(row["self"] for row in found.values()) - whole) <= slack + len(document["threads"]), (recording, whole)


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        reason = bench.real()
        bench.refuses_empty(bench.odd(), "--format=firefox")
        for recording in bench.some(2):
            check(bench, recording)
        for time in ("running", "waiting", "elapsed"):
            check(bench, "switches", f"--time={time}")
        for arguments in (("-F", "work"), ("-N", "leaf"), ("-D", "2"), ("-t", "60ns"), ("--tid=77",), ("--range=0~300ns",), ("--raw",)):
            check(bench, "two_threads", *arguments)
        print(f"{len(bench.some(2))} recordings" + (f"; no real one: {reason}" if reason else ""))


sys.exit(main())
