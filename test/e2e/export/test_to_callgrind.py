#!/usr/bin/env python3
"""callgrind_annotate reads our callgrind files to the times and calls of `prof report`."""
import collections
import re
import subprocess
import sys
import tempfile

from recordings import PARTS, Bench, need, named, plain

ROW = re.compile(r"\s*([\d,]+)  (\S*?):(.*) \[.*\]$")
CALL = re.compile(r".*[<>]\s+\S*?:(.*) \((\d[\d,]*)x\) \[.*\]$")


def annotate(path, *arguments):
    # In a folder without sources: the reader cuts the current folder from the files of functions, and not from those of calls.
    result = subprocess.run(["callgrind_annotate", "--threshold=100", "--show-percs=no", *arguments, path], check=True, cwd=path.parent,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    assert not result.stderr, result.stderr
    return result.stdout.splitlines()


def rows(path, event, inclusive):
    """Function -> nanoseconds; the program's total is "PROGRAM TOTALS"."""
    found = collections.Counter()
    for line in annotate(path, f"--show={event}", f"--sort={event}", f"--inclusive={inclusive}"):
        match = ROW.match(line)
        if match and not (match[2] == "???" and match[3].startswith("thread ")):
            found[plain(match[3])] += int(match[1].replace(",", ""))
        elif "PROGRAM TOTALS" in line:
            found["PROGRAM TOTALS"] = int(line.split()[0].replace(",", ""))
    return found


def calls(path, event):
    """Function -> calls, by who called it."""
    found, seen = collections.Counter(), []
    for line in annotate(path, "--tree=caller", f"--show={event}", f"--sort={event}"):
        match = CALL.match(line)
        if match:
            seen.append(int(match[2].replace(",", "")))
        elif re.match(r"\s*[\d,]+\s+\* ", line):
            name = line.split("* ", 1)[1].split(":", 1)[1].rsplit(" [", 1)[0]
            found[plain(name)] += sum(seen)
            seen = []
    return found


def expected_calls(bench, recording, *arguments):
    """By the call tree: a pair of caller and callee has at least one call, or the file's reader would not take it as a pair."""
    document = bench.json("export", "-i", recording, *arguments)
    names = {function["id"]: named(function) for function in document["functions"]}
    names[None] = "[unknown]"
    function_of = {node["id"]: node["function"] for node in document["nodes"]}
    pairs = collections.Counter()
    for node in document["nodes"]:
        caller = ("function", function_of[node["parent"]]) if node["parent"] else ("thread", node["thread"])
        pairs[caller, node["function"]] += node["calls"]
    found = collections.Counter()
    for (_, callee), count in pairs.items():
        found[names[callee]] += max(count, 1)
    return found


def check(bench, recording, *arguments):
    path = bench.export(recording, "callgrind.out", "--format=callgrind", *arguments)
    wanted = bench.report(recording, *arguments)
    slack = bench.slack(recording)
    kinds = [(part.capitalize(), part) for part in PARTS] if any("self_running" in row for row in wanted.values()) else [("Elapsed", "")]
    for event, kind in kinds:
        for inclusive, what in (("no", "self_"), ("yes", "total_")):
            found = rows(path, event, inclusive)
            total = found.pop("PROGRAM TOTALS", 0)
            for name in set(found) | set(wanted):
                assert abs(found[name] - wanted[name][what + kind]) <= slack, \
                    (recording, arguments, event, what, name, found[name], wanted[name][what + kind])
            whole = sum(row["self_" + kind] for row in wanted.values())
            assert abs(total - whole) <= slack * len(wanted), (recording, event, total, whole)
    found = calls(path, kinds[0][0])
    for name, count in expected_calls(bench, recording, *arguments).items():
        assert found[name] == count or name not in found, (recording, name, found[name], count)
    return len(wanted)


def main():
    need("callgrind_annotate")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        reason = bench.real()
        bench.refuses_empty(bench.odd(), "--format=callgrind")
        functions = sum(check(bench, recording) for recording in bench.some(2))
        for arguments in (("-F", "work"), ("-N", "leaf"), ("-D", "2"), ("-t", "60ns"), ("--tid=77",), ("--range=0~300ns",), ("--raw",)):
            check(bench, "two_threads", *arguments)
        print(f"{len(bench.some(2))} recordings, {functions} functions" + (f"; no real one: {reason}" if reason else ""))


sys.exit(main())
