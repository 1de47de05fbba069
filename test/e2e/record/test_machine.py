#!/usr/bin/env python3
"""--machine: figures of the machine and of processes in `prof info`, and as counters; faults and memory always."""
import collections
import json
import pathlib
import sys

import recording
from recording import equal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "view"))
from page import Page  # noqa: E402

MEMORY = 32 << 20


def rows_of(info, pid):
    return {row["name"]: row for row in info.get("machine", []) if row["pid"] == pid}


def counters_of(page):
    """(pid, or 0: the machine; name, time) of each reading on the timeline."""
    of, at, found = page.of["points"], 0, collections.Counter()
    for track, (kind, items) in enumerate(zip(of["track_kind"], of["track_items"])):
        process = of["track_process"][track]
        pid = page.of["processes"]["pid"][process] if process >= 0 else 0
        found.update((pid, of["track_name"][track], of["begin_ns"][i]) for i in range(at, at + items) if kind == "counter")
        at += items
    return found


def recorded(bench, data, first_turns, least, *options):
    """Figures of prof info, the process, and its rows, of a recording with so many readings: a busy recorder seldom comes to read."""
    program = bench.folder / "uses"
    bench.build("uses.c", program)
    for turns in (first_turns, 100, 1000):
        bench.record(turns, program=program, options=["--machine=100ms", "-o", data, *options])
        info = bench.info(data)
        pid = info["thread_list"][0]["pid"]
        machine, own = rows_of(info, 0), rows_of(info, pid)
        if own and min(row["readings"] for row in own.values()) >= least:
            break
    equal("of the machine", {"CPU", "memory in use"} <= set(machine), True)
    equal("of the process", sorted(own), ["CPU", "page faults", "resident memory"])
    equal("its memory", own["resident memory"]["max"] >= MEMORY, True)
    return info, pid, own


def figures(bench):
    info, pid, own = recorded(bench, "prof.data", 10, 2)
    equal("readings", min(row["readings"] for row in own.values()) >= 2, True)
    equal("least, mean, most", all(row["min"] <= row["mean"] <= row["max"] for row in info["machine"]), True)
    equal("faults, peak", (info["minor_faults"] >= MEMORY / 4096, info["peak_rss_bytes"] >= MEMORY, info["waits"] >= 10), (True, True, True))
    shown = bench.run([bench.prof, "info", "-i", "prof.data", "--carbon=400"])
    equal("table", [word in shown.stdout for word in ("page faults", "peak memory", "carbon, about", "resident memory")], [True] * 4)
    done = bench.run([bench.prof, "export", "-i", "prof.data", "--format=chrome", "-o", "machine.json"])
    equal("chrome", done.returncode, 0)
    events = json.loads((bench.folder / "machine.json").read_text())["traceEvents"]
    counters = {(event["pid"], event["name"]) for event in events if event["ph"] == "C"}
    equal("counters", {(0, "CPU"), (pid, "CPU"), (pid, "resident memory")} <= counters, True)
    shown = collections.Counter((event["pid"], event["name"], round(event["ts"] * 1000)) for event in events if event["ph"] == "C")
    equal("page", bench.run([bench.prof, "view", "-i", "prof.data", "-o", "machine.html"]).returncode, 0)
    equal("counters of the page", counters_of(Page((bench.folder / "machine.html").read_bytes())), shown)
    equal("perfetto", bench.run([bench.prof, "export", "-i", "prof.data", "--format=perfetto", "-o", "machine.pftrace"]).returncode, 0)
    equal("verify", bench.run([bench.prof, "verify", "-i", "prof.data"]).returncode, 0)


def in_summary(bench):
    """Readings of many stretches, the last ones not folded yet when the file is written."""
    info, pid, own = recorded(bench, "sum.data", 30, 3, "--mode=summary", "--every=100ms")
    equal("least, mean, most", all(row["min"] <= row["mean"] <= row["max"] for row in info["machine"]), True)
    equal("all faults", own["page faults"]["total"] <= info["minor_faults"] + info["major_faults"], True)
    rows = {(row["pid"], row["name"]): row for row in bench.read("report", "sum.data", "--by=counter")["counters"]}
    equal("values", {key: row["values"] for key, row in rows.items() if key[0] == pid}, {(pid, name): row["readings"] for name, row in own.items()})
    equal("page", bench.run([bench.prof, "view", "-i", "sum.data", "-o", "sum.html"]).returncode, 0)
    shown = collections.Counter((pid, name) for pid, name, _ in counters_of(Page((bench.folder / "sum.html").read_bytes())).elements())
    equal("counters of the page", set(shown), set(rows))
    equal("values of the page", shown[pid, "CPU"] <= rows[pid, "CPU"]["values"] and shown[pid, "CPU"] >= 1, True)
    equal("verify", bench.run([bench.prof, "verify", "-i", "sum.data"]).returncode, 0)


def without(bench):
    bench.record(program=bench.folder / "uses", options=["--sample=off"])
    info = bench.info()
    equal("no readings", "machine" in info, False)
    equal("peak", info["peak_rss_bytes"] >= MEMORY, True)
    refused = bench.run([bench.prof, "record", "--machine=1ms", bench.folder / "uses"])
    equal("too often", (refused.returncode, "give it at least 100ms" in refused.stderr), (2, True))


if __name__ == "__main__":
    recording.main([figures, in_summary, without])
