#!/usr/bin/env python3
"""`go tool pprof` reads our files to the times and calls of `prof report`, with lines, inlined calls and labels."""
import collections
import os
import re
import subprocess
import sys
import tempfile

from recordings import PARTS, Bench, need, plain

ROW = re.compile(r"\s*([\d.]+)(?:ns)?\s+\S+%\s+\S+%\s+([\d.]+)(?:ns)?\s+\S+%\s\s(.*?)(?: \(inline\))?$")


def pprof(path, *arguments):
    environment = {**os.environ, "HOME": str(path.parent), "PPROF_TMPDIR": str(path.parent), "GOFLAGS": ""}
    return subprocess.run(["go", "tool", "pprof", "-symbolize=none", *arguments, path], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, env=environment).stdout.splitlines()


def top(path, kind, *arguments):
    """Function -> [flat, cumulative]."""
    found = collections.defaultdict(lambda: [0, 0])
    for line in pprof(path, "-top", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0",
                      *(() if kind == "calls" else ("-unit=nanoseconds",)), f"-sample_index={kind}", *arguments):
        match = ROW.match(line)
        if match:
            row = found[plain(match[3])]
            row[0] += int(float(match[1]))
            row[1] += int(float(match[2]))
    return found


def samples(path):
    """(values, location numbers, labels) of each sample, the names of the values, and functions by location number."""
    found, locations, part, names = [], {}, "", []
    for line in pprof(path, "-raw"):
        if re.match(r"(Samples|Locations|Mappings)", line):
            part = line.rstrip(":")
        elif part == "Samples" and not names:
            names = [word.split("/")[0] for word in line.replace("[dflt]", "").split()]
        elif part == "Samples" and re.match(r"\s*\d+(\s+\d+)*: ", line):
            values, path_of = line.split(":")
            found.append(([int(value) for value in values.split()], [int(number) for number in path_of.split()], {}))
        elif part == "Samples":
            found[-1][2].update(re.findall(r"(\w+):\[([^\]]*)\]", line))
        elif part == "Locations":
            match = re.match(r"\s*(\d+): 0x0 (?:M=\d+ )?(.*)", line)
            if match:
                locations[int(match[1])] = []
            locations[max(locations)].append(match[2] if match else line.strip())
    return found, names, locations


def check_labels(bench, recording, path):
    found, names, _ = samples(path)
    times = collections.Counter()
    for values, _, labels in found:
        times[int(labels["pid"]), int(labels.get("tid", 0))] += values[names.index("elapsed")]
    wanted = collections.Counter()
    document = bench.json("export", "-i", recording)
    for node in document["nodes"]:
        thread = document["threads"][node["thread"]]
        wanted[thread["pid"], thread["tid"]] += node["self_ns"]
    assert +times == +wanted, (recording, times, wanted)


def check(bench, recording, *arguments):
    path = bench.export(recording, "profile.pb.gz", "--format=pprof", *arguments)
    wanted = bench.report(recording, *arguments)
    nodes = bench.json("export", "-i", recording)["nodes"]
    slack = bench.slack(recording) * len(nodes)
    # The report counts only a function's own calls as its total, and not frames that were open when the process or region was forked.
    forked = any(node["calls"] == 0 for node in nodes)
    sums = len(nodes) if recording.startswith("bursts") else slack  # totals and self times are estimated apart
    kinds = ["elapsed"] + (list(PARTS) if any("self_running" in row for row in wanted.values()) else [])
    for kind in kinds:
        found = top(path, kind)
        key = "" if kind == "elapsed" else kind
        for name in set(found) | set(wanted):
            if name != "?":  # names that look alike as a key: pprof counts their cumulative times once
                assert abs(found[name][0] - wanted[name]["self_" + key]) <= slack, (recording, kind, name, found[name], wanted[name])
                assert abs(found[name][1] - wanted[name]["total_" + key]) <= sums or forked, \
                    (recording, kind, name, found[name], wanted[name])
        assert abs(sum(row[0] for row in found.values()) - sum(row["self_" + key] for row in wanted.values())) <= slack
    found = top(path, "calls")
    for name in wanted:
        assert found[name][0] == wanted[name]["calls"], (recording, name, found[name], wanted[name])
    if not arguments:
        check_labels(bench, recording, path)


def check_inlined(bench):
    """A line of a function that was inlined, in the same location as the function around it."""
    for _ in range(10):  # on a busy machine samples come in stretches, and none may lie in a function's 100 ms
        path = bench.export("real", "lines.pb.gz", "--format=pprof", "--lines")
        found, _, locations = samples(path)
        mixed = [lines for lines in locations.values() if any(line.startswith("mixed ") for line in lines)]
        if mixed:
            break
        bench.real_again()
    assert mixed, locations
    assert all(re.search(r"^leaf .*busy\.c:2[2-6]\b", lines[-1]) for lines in mixed), mixed
    assert all(re.search(r"busy\.c:1[6-9]\b", lines[0]) for lines in mixed), mixed
    whole = sum(values[1] for values, _, _ in found)
    cover = bench.covered("real")
    assert abs(whole - cover["running_ns" if "running_ns" in cover else "inside_ns"]) <= len(found), (whole, cover)


def main():
    need("go")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        reason = bench.real()
        bench.refuses_empty(bench.odd(), "--format=pprof")
        for recording in bench.some():
            check(bench, recording)
        for arguments in (("-F", "work"), ("-N", "leaf"), ("-D", "2"), ("-t", "60ns"), ("--tid=77",), ("--range=0~300ns",), ("--raw",)):
            check(bench, "two_threads", *arguments)
        if not reason:
            check_inlined(bench)
        print(f"{len(bench.some())} recordings" + (f"; no real one: {reason}" if reason else ""))


sys.exit(main())
