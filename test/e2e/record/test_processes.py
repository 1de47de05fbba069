#!/usr/bin/env python3
"""Short processes, their names, and those that the recording didn't see."""
import json
import os
import re
import signal
from pathlib import Path

import recording
from recording import PATIENCE_S, contains, equal, recorders, wait_for
from test_alone import ended, variables


def program(bench):
    path = bench.folder / "processes"
    if not path.exists():
        bench.build("processes.c", path)
    return path


def measured_once(bench):
    """What an event costs is measured by the first process, by a few more where something disturbed it."""
    bench.record("spawns", 30, program=program(bench))
    text = bench.run([bench.prof.parent.parent / "test" / "support" / "trace_text", "prof.data"]).stdout
    costs = re.findall(r"^process .* cost=(\S+)", text, re.MULTILINE)
    equal("processes", len(costs), 31)
    equal("of few costs", len(set(costs)) <= 5, True)
    equal("all are known", all(float(cost) > 0 for cost in costs), True)


def starts(bench):
    """What processes take to prepare their probes is told: of many short ones it is most of what recording costs."""
    said = bench.record("spawns", 30, program=program(bench)).stderr
    told = re.search(r"added cost about .* and ([\d.]+ \S+) at the start of processes, ", said)
    equal(f"told: {said}", bool(told), True)
    contains("prof info", bench.run([bench.prof, "info"]).stdout, "cost at starts")
    equal("JSON", bench.info()["attach_ns"] > 0, True)
    said = bench.record("spawns", 30, program=program(bench), options=["--overhead=1%"]).stderr
    contains("with a budget", said, "most of it is the start of 31 processes, ")
    one = bench.record("plain", 10).stderr
    contains("one process", one, " at its start, ")


def names_of_threads(bench):
    """As they were called while they made the events; never of the program that came after, never blank."""
    for options in ((), ("--sample=off",)):
        result = bench.record("names", program=program(bench), options=options)
        equal("status", result.returncode, 0)
        names = sorted(row["name"] for row in bench.info()["thread_list"])
        equal(f"names with {options}", names, ["processes", "processes", "processes", "renamed", "worker"])


def titles(bench):
    """Processes of one program are told apart by what they write over their arguments; a command stays one."""
    path = bench.folder / "titles"
    bench.build("titles.c", path)
    told = ["server: worker \"1\"", "server: worker \"2\"", "titles"]
    for seconds in (1, 4, 16):  # so long they live: the recorder has to look meanwhile
        equal("status", bench.record("an argument that leaves enough room", seconds, program=path).returncode, 0)
        rows = bench.read("report", "prof.data", "--by=process")["processes"]
        if sorted(row["name"] for row in rows) == told:
            break
    equal("processes", sorted(row["name"] for row in rows), told)
    equal("commands", [row["name"] for row in bench.read("report", "prof.data", "--by=command")["commands"]], ["titles"])
    equal("threads", sorted(row["name"] for row in bench.info()["thread_list"]), told)
    contains("tree", bench.run([bench.prof, "tree", "--by=process", "--min-share=0"]).stdout, "server: worker \"2\" [")
    timeline = json.loads(bench.run([bench.prof, "export", "--format=chrome"]).stdout)
    events = timeline["traceEvents"] if isinstance(timeline, dict) else timeline
    shown = sorted(event["args"]["name"] for event in events if event.get("name") == "process_name")
    equal("chrome", [name for name in shown if name.startswith("server")], told[:2])


def silent_child(bench):
    result = bench.record("silent", program=program(bench))
    os.kill(int(result.stdout), signal.SIGKILL)
    contains("stderr", result.stderr, "1 of its processes still runs, unrecorded from here on")


def child_of_another_program(bench):
    """It has no probes any more: nothing is lost of it."""
    result = bench.record("gone", program=program(bench))
    os.kill(int(result.stdout), signal.SIGKILL)
    equal("still runs", "still run" in result.stderr, False)


def sleeps_of(pid):
    """None: it has ended."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.MULTILINE)[1])


def late_child(bench):
    """Without `prof record` the recorder waits for it."""
    process = bench.start([program(bench), "late"], variables(bench))
    equal("status", process.wait(timeout=PATIENCE_S), 0)
    wait_for("the trace", lambda: (bench.folder / "prof.data" / "trace").exists())
    recorder, = recorders(bench)
    rounds = sleeps_of(recorder)
    # So it has found that nobody is left who said that he was there; or it has ended, wrongly.
    wait_for("rounds of the recorder", lambda: sleeps_of(recorder) is None or sleeps_of(recorder) >= rounds + 10)
    (bench.folder / "go").touch()
    ended(bench)
    equal("calls", bench.calls_of("leaf"), 5 + 7)


def environment_of_its_own(bench):
    result = bench.record("apart", program=program(bench))
    equal("status", result.returncode, 0)
    if bench.info()["sampling"]["method"] != "perf_event":
        print("not asked: without perf_event nobody tells of such processes")
        return
    contains("stderr", result.stderr, "1 instrumented process was not recorded: started without PROF_RECORD")
    contains("notes", str(bench.info()["notes"]), "1 instrumented process was not recorded")
    result = bench.run([bench.prof, "record", "env", "-i", program(bench), "short"])
    contains("stderr", result.stderr, "1 instrumented process was not recorded: started without PROF_RECORD")


def samples_of_short_ones(bench):
    """A sampler begins with a whole period in each thread, so short threads have too few: the header of lines says it."""
    bench.build("short_ones.c", bench.folder / "short_ones")
    for count, microseconds, wanted in ((300, 1500, True), (3, 200000, False)):
        bench.record(count, microseconds, program=bench.folder / "short_ones")
        if bench.info()["sampling"]["method"] != "perf_event":
            print("not asked: no perf_event")
            return
        lines = bench.run([bench.prof, "lines"]).stdout
        equal(f"{count} of {microseconds} us: {lines[:600]}", "of running time (short threads)" in lines, wanted)


if __name__ == "__main__":
    recording.main([measured_once, starts, names_of_threads, titles, silent_child, child_of_another_program, late_child,
                    environment_of_its_own, samples_of_short_ones])
