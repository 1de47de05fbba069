#!/usr/bin/env python3
"""Imports against their oracles: our own exports read back, callgrind_annotate, perf report."""
import collections
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from recordings import Bench  # noqa: E402

PARTS = ("Running", "Waiting", "Preempted")
ROW = re.compile(r"\s*([\d,]+|\.)\s+(\S*?):(.*)$")
# perf: samples of a program that spends its time in functions of its own.
PROGRAM = r"""
#include <stdio.h>
__attribute__((noinline)) static unsigned spin(unsigned long n, unsigned x) { while (n--) x = x * 3 + (unsigned)n; return x; }
__attribute__((noinline)) static unsigned twice(unsigned long n, unsigned x) { return spin(n, x) + spin(n, x + 1) + 1; }
__attribute__((noinline)) static unsigned deep(unsigned n, unsigned x) { return n ? deep(n - 1, x + 1) + 1 : spin(100000, x) + 1; }
int main(void) { unsigned x = 1; for (int i = 0; i < 200; i++) x += twice(100000, x) + deep(20, x); return printf("%u\n", x) < 0; }
"""


def against(bench, recording, other, *arguments):
    return json.loads(bench.prof("flame", "-i", recording, f"--against={other}", "--format=json", *arguments))


def every_node(nodes):
    for node in nodes:
        yield node
        yield from every_node(node["children"])


def folded_total(path):
    return sum(float(line.rsplit(b" ", 1)[1]) for line in path.read_bytes().splitlines())


def check_folded(bench, recording):
    """Totals are those of the file; each path has what the recording's tree has, but for what rounding moves."""
    count = 0
    for time in ("running", "elapsed"):
        if subprocess.run([bench.prof_path, "report", "-i", recording, f"--time={time}"], cwd=bench.folder, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            continue
        path = bench.export(recording, "app.folded", "--format=folded", f"--time={time}", "-D", "400")
        found = against(bench, recording, path, f"--time={time}", "--against-format=folded") if path.stat().st_size else None
        if not found:
            continue
        assert found["before"]["format"] == "folded" and found["form"] == "paths", found["before"]
        assert found["before"]["total"] == folded_total(path), (recording, found["before"], folded_total(path))
        nodes = list(every_node(found["roots"]))
        deep = any(depth_of(root) >= 400 for root in found["roots"])
        slack = 2 * len(nodes) + 2
        assert deep or math.isclose(found["before"]["total"], found["after"]["total"], abs_tol=slack), (recording, found)
        for node in nodes if not deep else []:
            assert abs(node["before"] - node["after"]) <= slack, (recording, node["name"], node["before"], node["after"])
        count += len(nodes)
    return count


def depth_of(node):
    depth, row = 0, [node]
    while row:
        depth, row = depth + 1, [child for each in row for child in each["children"]]
    return depth


def check_own_callgrind(bench, recording):
    """The functions' own times: those of prof report, by the name that both show."""
    path = bench.export(recording, "callgrind.out", "--format=callgrind")
    text = path.read_text(errors="replace")
    events = re.search(r"^events: (.*)$", text, re.M)[1].split()
    totals = dict(zip(events, map(int, re.search(r"^totals: (.*)$", text, re.M)[1].split())))
    for event in events:
        if not totals[event]:
            continue
        found = against(bench, recording, path, f"--against-event={event}")
        assert found["form"] == "functions" and found["before"]["unit"] == "ns", found["before"]
        assert found["before"]["total"] == totals[event], (recording, event, found["before"], totals)
        if event == events[0]:
            for node in found["roots"]:
                assert abs(node["before"] - node["after"]) <= 2 * len(found["roots"]) + 2, (recording, node)
    if len(events) > 1:
        found = against(bench, recording, path, "--against-event=" + "+".join(events))
        assert found["before"]["total"] == sum(totals.values()), (recording, found["before"], totals)


def annotate(path, event):
    """Function -> own cost, and the program's total, as callgrind_annotate shows them."""
    result = subprocess.run(["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", f"--show={event}", f"--sort={event}", path],
                            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=path.parent)
    found, total = collections.Counter(), 0
    for line in result.stdout.splitlines():
        if "PROGRAM TOTALS" in line:
            total = int(line.split()[0].replace(",", ""))
        elif match := ROW.match(line):
            found[re.sub(r"'\d+$", "", re.sub(r" \[.*\]$", "", match[3]))] += 0 if match[1] == "." else int(match[1].replace(",", ""))
    return found, total


def check_callgrind(bench, program):
    if not shutil.which("valgrind") or not shutil.which("callgrind_annotate"):
        return "no valgrind"
    checked = 0
    for name, flags in (("plain", []), ("cache", ["--cache-sim=yes"]), ("instr", ["--dump-instr=yes", "--collect-jumps=yes"]),
                        ("long", ["--compress-strings=no", "--compress-pos=no"]), ("levels", ["--separate-recs=4"])):
        path = bench.folder / f"callgrind.{name}"
        subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={path}", *flags, program], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        events = re.search(r"^events: (.*)$", path.read_text(), re.M)[1].split()
        for event in events[:4]:
            wanted, total = annotate(path, event)
            found = against(bench, "two_threads", path, f"--against-event={event}")
            # With caches simulated, the program's total (summary:) has a few events more than its functions have (totals:).
            functions, whole = (int(re.search(rf"^{line}: (.*)$", path.read_text(), re.M)[1].split()[events.index(event)])
                                for line in ("totals", "summary"))
            assert whole == total and whole - functions < 10, (name, event, whole, total, functions)
            assert found["before"]["total"] == functions, (name, event, found["before"], functions)
            costs = {node["name"]: node["before"] for node in found["roots"] if node["before"]}
            for function in ("main", "spin", "twice", "deep"):
                assert costs.get(function, 0) == wanted[function], (name, event, function, costs.get(function), wanted[function])
            checked += 1
    assert checked > 5
    return f"{checked} profiles of callgrind"


def perf(bench, *arguments):
    return subprocess.run(["perf", *arguments], cwd=bench.folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def plain(name):
    """Without the suffixes of clones, which count as their function."""
    return re.sub(r"(\.(part|isra|constprop|cold)(\.\d+)?)+$", "", name)


def stacks_of(text):
    """Path -> nanoseconds of cpu-clock, by a second reader of perf's text; names of this program have no blanks."""
    found = collections.Counter()
    for sample in text.split("\n\n"):
        head, *frames = sample.strip("\n").split("\n")
        period = re.search(r"(\d+)\s+cpu-clock:", head)
        if period:
            found[";".join(plain(re.sub(r"\+0x[0-9a-f]+$", "", frame.split()[1])) for frame in reversed(frames))] += int(period[1])
    return found


def folded_of(bench, path):
    found = collections.Counter()
    for line in bench.prof("flame", "-i", "two_threads", f"--against={path}", "--against-frames=all", "--format=folded").decode().splitlines():
        stack, before, _ = line.rsplit(" ", 2)
        if float(before):
            found[";".join(map(plain, stack.split(";")))] += int(before)
    return found


def check_perf(bench, program):
    """Sums of periods by event, and by innermost function, as perf report shows them."""
    if not shutil.which("perf"):
        return "no perf"
    for chains in ((), ("-g",)):
        try:
            perf(bench, "record", "-q", "-e", "cpu-clock,page-faults", *chains, "-o", "perf.data", program)
        except subprocess.CalledProcessError:
            return "perf can't record here"
        path = bench.folder / "perf.txt"
        path.write_text(perf(bench, "script", "-i", "perf.data"))
        heads = re.findall(r"Samples: \S+\s+of event '(.*?)'\n# Event count \(approx\.\): (\d+)",
                           perf(bench, "report", "-i", "perf.data", "--stdio", "--no-children", "-g", "none"))
        if not heads:
            return "perf saw no samples"
        for event, total in heads:
            found = against(bench, "two_threads", path, f"--against-event={event}", "--against-frames=all")
            assert found["before"]["event"] == event and found["before"]["total"] == int(total), (event, found["before"], total)
        chosen = against(bench, "two_threads", path, "--against-frames=all", "--reverse")
        assert chosen["before"]["event"] == "cpu-clock" and chosen["before"]["unit"] == "ns", chosen["before"]
        own = {node["name"]: node["before"] for node in chosen["roots"]}
        assert max(own, key=own.get) == "spin", own
        if chains:
            assert stacks_of(path.read_text()) == folded_of(bench, path)
    return "perf"


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        reason = bench.real()
        paths = 0
        for recording in bench.recordings:
            if "[status" in recording or not has_calls(bench, recording):
                continue
            paths += check_folded(bench, recording)
            check_own_callgrind(bench, recording)
        source, program = bench.folder / "program.c", bench.folder / "program"
        source.write_text(PROGRAM)
        subprocess.run(["cc", "-g", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", source, "-o", program], check=True)
        others = [check_callgrind(bench, program), check_perf(bench, program)]
        print(f"{len(bench.recordings)} recordings, {paths} paths; {'; '.join(others)}" + (f"; no real recording: {reason}" if reason else ""))


def has_calls(bench, recording):
    return subprocess.run([bench.prof_path, "report", "-i", recording], cwd=bench.folder, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


sys.exit(main())
