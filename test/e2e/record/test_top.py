#!/usr/bin/env python3
"""prof top: the window it shows is that of prof report with the same --range; it finds recordings, and follows them to their end."""
import json
import os
import pathlib
import shutil
import struct
import sys
import time

import recording
from recording import PATIENCE_S, children, contains, equal, wait_for

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tui"))
import screen  # noqa: E402


def start(bench, options, name=None):
    """The program calls leaf in main until the page says stop."""
    file = bench.folder / "page"
    shutil.rmtree(bench.folder / "prof.data", ignore_errors=True)
    file.write_bytes(bytes(16))
    process = bench.start([bench.prof, "record", *options, name or bench.program, "until", file])
    wait_for("calls", lambda: struct.unpack("q", file.read_bytes()[:8])[0] > 1000)
    pid = children(process.pid)[0]
    wait_for("its recorder", lambda: bench.run([bench.prof, "ctl", pid]).returncode == 0)
    return file, process, pid


def stop(file, process):
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))
    equal("status", (process.communicate(timeout=PATIENCE_S), process.returncode)[1], 5)


def top(bench, *words):
    asked_ns = time.monotonic_ns()
    result = bench.run([bench.prof, "top", *words, "--format=json"])
    equal(f"status of top {words}: {result.stderr}", result.returncode, 0)
    return json.loads(result.stdout) | {"looked_ns": (asked_ns, time.monotonic_ns())}


def ends(shown):
    """When the window ends at the earliest, and at the latest."""
    return [at_ns - shown["age_ns"] for at_ns in shown["looked_ns"]]


def running(bench, *words):
    """What it shows once the program has run in the window."""
    shown = []
    wait_for("running in the window", lambda: shown.append(top(bench, *words)) or shown[-1]["running"] > 0)
    return shown[-1]


def near(what, got, expected, share=0.02, least=0):
    if abs(got - expected) > max(share * abs(expected), least):
        raise AssertionError(f"{what}: {got}, expected about {expected}")


def report(bench, shown, *more):
    """What prof report has of the same time; a microsecond may lie on the other side of an edge."""
    window = shown["window"]
    result = bench.run([bench.prof, "report", "--format=json", f"--range={window['begin_ns']}ns~{window['end_ns']}ns", *more])
    equal(f"status of report: {result.stderr}", result.returncode, 0)
    return json.loads(result.stdout)


def compare(bench, shown):
    seconds = (shown["window"]["end_ns"] - shown["window"]["begin_ns"]) / 1e9
    expected = {row["name"]: row for row in report(bench, shown)["functions"]}
    equal("functions", {row["name"] for row in shown["functions"]} <= set(expected), True)
    leaf = next(row for row in shown["functions"] if row["name"] == "leaf")
    near("calls of leaf", leaf["calls"], expected["leaf"]["calls"], 0.05, 20000)
    near("calls in a second", leaf["calls_per_s"] * seconds, leaf["calls"])
    for name in ("leaf", "until"):
        rows = [row for row in shown["functions"] if row["name"] == name]
        equal(f"rows of {name} in {shown}", len(rows), 1)
        row = rows[0]
        near(f"total of {name}", row["total_ns"], expected[name]["total_ns"], 0.05, 2e7)
        near(f"total of {name} by the second", row["total"] * seconds * 1e9,
             expected[name].get("running_ns", expected[name]["total_ns"]), 0.05, 2e7)


def as_report_shows(bench):
    """Up to now: the program is in a call of until that has lasted since the beginning."""
    file, process, pid = start(bench, ["--sample=off"])
    shown = [running(bench, *who) for who in ((pid,), (process.pid,), (), ("prof.data", "--window=300ms"))]
    for one in shown:
        equal("live", one["live"], True)
        equal("threads", (len(one["threads"]), one["threads_shown"]), (1, 1))
        equal("at most one thread, less probes and waits for the recorder", 0 < one["running"] <= 1.01, True)
    equal("in order", [one["window"]["end_ns"] for one in shown], sorted(one["window"]["end_ns"] for one in shown))
    equal("window", round((shown[3]["window"]["end_ns"] - shown[3]["window"]["begin_ns"]) / 1e8) <= 3, True)
    stop(file, process)
    for one in shown:
        compare(bench, one)
    equal("verify", bench.run([bench.prof, "verify", "prof.data"]).returncode, 0)
    equal("until is one call", bench.calls_of("until"), 1)
    ended = top(bench, "prof.data")  # without it, any other recording in progress
    equal("ended", (ended["live"], ended["age_ns"]), (False, None))
    compare(bench, ended)


def with_a_budget(bench):
    file, process, pid = start(bench, ["--overhead=5%"])
    wait_for("bursts", lambda: top(bench, pid, "--window=300ms")["budget"]["bursts"] > 0)
    shown = top(bench, pid)
    equal("limit", shown["budget"]["limit_share"], 0.05)
    if shown["budget"]["overhead_share"] is None:
        raise AssertionError("the overhead is not known")
    equal("states", {row["state"] for row in shown["functions"]} <= {"all", "bursts", "off"}, True)
    contains("header", bench.run([bench.prof, "top", pid]).stdout, "functions in bursts")
    stop(file, process)


def parts(bench):
    file, process, pid = start(bench, ["--split=1h"])
    first = top(bench, pid)
    bench.run([bench.prof, "ctl", pid, "snapshot"])
    second = bench.run([bench.prof, "top", pid, "--format=json"])
    equal("no line on parts", second.stderr, "")
    equal("calls", [any(row["name"] == "leaf" for row in one["functions"]) for one in (first, json.loads(second.stdout))],
          [True, True])
    stop(file, process)
    for part in ("part-0001", "part-0002"):
        equal(f"verify {part}", bench.run([bench.prof, "verify", f"prof.data/{part}"]).returncode, 0)


def kept_in_memory(bench):
    """A ring and a summary: the recorder writes its last seconds; what it keeps stays as it is."""
    for options in (["--mode=ring"], ["--mode=ring", "--keep=2s"], ["--mode=summary"], ["--mode=summary", "--overhead=5%"]):
        file, process, pid = start(bench, options)
        before = top(bench, pid)
        for who in ((pid,), (), ("prof.data",)):
            shown = []
            wait_for(f"calls with {options}", lambda who=who: shown.append(top(bench, *who)) or
                     any(row["name"] == "leaf" for row in shown[-1]["functions"]))
            equal("live", (shown[-1]["live"], shown[-1]["age_ns"] < 1e9 * PATIENCE_S), (True, True))
            window, moves = shown[-1]["window"], "--keep=2s" in options  # with the start of what the ring keeps
            is_later = ends(shown[-1])[1] >= ends(before)[0] and (moves or before["window"]["end_ns"] <= window["end_ns"])
            if not is_later or window["end_ns"] > window["begin_ns"] + 2.2e9:
                raise AssertionError(f"{window} {ends(shown[-1])}, before it {before['window']} {ends(before)}")
            before = shown[-1]
        table = bench.run([bench.prof, "top", pid])
        equal("no other line", table.stderr, "")
        contains("age", table.stdout, "ago: ")
        if "--overhead=5%" in options:
            equal("limit", before["budget"]["limit_share"], 0.05)
        equal("no snapshot", list((bench.folder / "prof.data").glob("snapshot-*")), [])
        stop(file, process)
        equal("nothing is left of it", (bench.folder / "prof.data/look").exists(), False)
        equal("verify", bench.run([bench.prof, "verify", "prof.data"]).returncode, 0)


def length_ns(shown):
    return shown["window"]["end_ns"] - shown["window"]["begin_ns"]


def at_rest(bench):
    """The program called something, and has no call open since: the window is up to now all the same, and the calls leave it."""
    program = bench.folder / "rests"
    bench.build("rests.c", program)
    for options in ([], ["--sample=off"], ["--mode=ring"], ["--mode=ring", "--sample=off"], ["--mode=summary"]):
        shutil.rmtree(bench.folder / "prof.data", ignore_errors=True)
        process = bench.start([bench.prof, "record", *options, program])
        wait_for("its recorder", lambda pid=process.pid: bench.run([bench.prof, "ctl", pid]).returncode == 0)
        shown, least_ns = [], 199.5e6 if "--mode=summary" in options else 0  # a stretch of a summary may be shorter
        wait_for(f"rest with {options}", lambda pid=process.pid, least_ns=least_ns: shown.append(top(bench, pid, "--window=200ms")) or
                 (shown[-1]["window"]["begin_ns"] > 1e8 and not shown[-1]["functions"] and length_ns(shown[-1]) >= least_ns), 60)
        equal(f"window with {options}", round(length_ns(shown[-1]) / 1e6), 200)
        equal(f"calls with {options}", (shown[-1]["calls_per_s"], shown[-1]["running"]), (0, 0))
        if "--mode=summary" in options:
            stretches(bench, process.pid)
        os.kill(children(process.pid)[0], 15)
        process.communicate(timeout=PATIENCE_S)


def stretches(bench, pid):
    """A summary is shown by the stretch that was folded last, not by what has come since, which may be a moment."""
    wait_for("a second", lambda: length_ns(top(bench, pid)) > 9e8)
    for _ in range(4):
        shown = top(bench, pid)
        equal(f"a stretch: {shown['window']}", length_ns(shown) > 9e8, True)


def a_screen(bench):
    """It follows the program to its end, and keeps open branches."""
    named = bench.folder / f"n{os.getpid()}"
    shutil.copy(bench.program, named)
    file, process, _ = start(bench, ["--sample=off"], named)
    with screen.Terminal([bench.prof, "top", named.name, "--window=300ms"], 100, 20, cwd=bench.folder) as terminal:
        try:
            terminal.has("q quit", "leaf", f"{named.name} ", " ago: ")
        except AssertionError as problem:
            if "built without ncurses" in str(problem):
                print("a_screen: no ncurses")
                stop(file, process)
                return
            raise
        first = terminal.screen.lines()[0]
        terminal.key("2")
        terminal.has("CALL TREE", "[2 tree]")
        terminal.key("e")
        terminal.has("  leaf")
        for _ in range(2):
            terminal.until("other figures", lambda lines: lines[0] != first and " ago: " in lines[0])
            first = terminal.screen.lines()[0]
        terminal.has("- ", "  leaf")
        terminal.key("4")
        terminal.has("TID", "THREAD")
        stop(file, process)
        terminal.has(" to its end: ")
        terminal.key("q")
        equal("its end", terminal.end(), (0, True))


if __name__ == "__main__":
    recording.main([as_report_shows, with_a_budget, parts, kept_in_memory, at_rest, a_screen])
