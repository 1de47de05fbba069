#!/usr/bin/env python3
"""`prof slowest` has the calls that `prof replay` shows: the longest ones, and in each what ran in it."""
import json
import subprocess
import sys
import tempfile

from recordings import Bench

FILTERS = ([], ["-D", "2"], ["-F", "work"], ["-N", "leaf"], ["--range", "50ns~400ns"], ["--loops"])


def read(bench, command, name, *options):
    """The command's JSON; None: nothing is shown."""
    run = subprocess.run([bench.prof_path, command, "-i", name, "--format=json", *options], cwd=bench.folder, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    assert run.returncode in (0, 1, 2), (command, name, options, run.returncode)
    return json.loads(run.stdout) if run.returncode == 0 else None


def replayed(events):
    """Each outermost call: (duration, begin, tid, name, paths), paths: {names: [calls, time]}.  A frame that goes on beneath another one
    (a zone whose function has returned) is a call where it is left for good; each path has the time that it was there."""
    found, stacks = [], {}
    for event in events:
        if event["event"] not in ("enter", "leave"):
            continue
        stack = stacks.setdefault(event["tid"], [])
        if event["event"] == "enter":
            if not stack:
                begin, paths = event["time_ns"], {}
            else:
                begin, paths = stack[0][1:3]
            stack.append((event["name"], begin, paths, event))
        else:
            names = tuple(name for name, *_ in stack)
            _, begin, paths, entered = stack.pop()
            calls = paths.setdefault(names, [0, 0])
            calls[0] += not event.get("goes_on")
            there = event["time_ns"] - entered["time_ns"]
            calls[1] += min(event["duration_ns"], there) if stack else event["duration_ns"]
            if not stack:
                found.append((event["duration_ns"], begin, event["tid"], event["name"], paths))
    return found


def paths_of(tree):
    """The same of a call's rows, and that siblings stand by time."""
    paths, stack, last = {}, [], {}
    for row in tree:
        del stack[row["depth"]:]
        parent = tuple(stack)
        assert last.get(parent, row["total_ns"]) >= row["total_ns"], tree
        last[parent] = row["total_ns"]
        stack.append(row["name"])
        calls = paths.setdefault(tuple(stack), [0, 0])  # functions of one name are one path here
        calls[0] += row["calls"]
        calls[1] += row["total_ns"]
    return paths


def check(bench, name, options):
    replay = read(bench, "replay", name, *options)
    slowest = read(bench, "slowest", name, "-n", "10000", *options)
    if replay is None or not any(event["event"] == "leave" for event in replay["events"]):
        assert slowest is None, (name, options)
        return 0
    expected = replayed(replay["events"])
    assert slowest["compared"] == len(expected) == len(slowest["calls"]), (name, options, slowest["compared"], len(expected))
    durations = [call["duration_ns"] for call in slowest["calls"]]
    assert durations == sorted(durations, reverse=True), (name, options, durations)
    seen = [(call["duration_ns"], call["begin_ns"], call["tid"], call["name"], paths_of(call["tree"])) for call in slowest["calls"]]
    seen, expected = (sorted((*call[:4], sorted(call[4].items())) for call in calls) for calls in (seen, expected))
    assert seen == expected, (name, options, [pair for pair in zip(seen, expected) if pair[0] != pair[1]][:2])
    first = read(bench, "slowest", name, "-n", "1", *options)
    assert first["calls"] == slowest["calls"][:1] and first["compared"] == slowest["compared"], (name, options)
    return len(expected)


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        calls = sum(check(bench, name, options) for name in bench.some(1) if name != "large" for options in FILTERS)
        print(f"{calls} calls")
        assert calls > 100
    return 0


sys.exit(main())
