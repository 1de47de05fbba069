#!/usr/bin/env python3
"""speedscope's own importers read the folded, speedscope and Chrome exports to the same total."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import npm
from recordings import TRACES, Bench

VERSION = "1.25.0"
SKIPPED = 77
WAIT = "[waiting for the recorder]"


def package(folder):
    """The folder of the npm package; None: it can't be had."""
    modules = npm.packages(folder, [f"speedscope@{VERSION}"])
    return modules / "speedscope" if modules else None


def outermost_calls(path):
    """How many calls of a timeline have no caller: each may be rounded by a nanosecond."""
    calls = depth = 0
    for profile in json.loads(path.read_text())["profiles"]:
        for event in profile["events"]:
            depth += 1 if event["type"] == "O" else -1
            calls += depth == 0
    return calls


def waited(path):
    """How long a timeline's threads waited for the recorder, and how many frames that took: the sums leave it out."""
    document = json.loads(path.read_text())
    waits = {i for i, frame in enumerate(document["shared"]["frames"]) if frame["name"] == WAIT}
    return sum(event["at"] * (-1 if event["type"] == "O" else 1) for profile in document["profiles"]
               for event in profile["events"] if event["frame"] in waits), len(waits)


def without_gpu(path):
    """The timeline's calls alone: tracks of GPUs and CUDA's API calls, and waits, are in no other format."""
    trace = json.loads(path.read_text())
    trace["traceEvents"] = [event for event in trace["traceEvents"] if "cat" not in event and
                            not event.get("args", {}).get("name", "").startswith("GPU ")]
    path.write_text(json.dumps(trace))
    return path


def has_bursts(recording):
    """Was it made from a text of the golden tests with functions that were not always recorded?"""
    text = TRACES / f"{recording}.txt"
    return text.exists() and "\nstate " in text.read_text()


def main():
    if not shutil.which("node") or not shutil.which("npm"):
        print("skipped: node and npm are not installed (make setup-all installs them)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        speedscope = package(bench.node_folder)
        if not speedscope:
            print("skipped: npm could not install the package speedscope")
            return SKIPPED
        files = []
        for recording in bench.some(1):
            files += [bench.export(recording, f"{recording}.collapsedstack.txt", "--format=folded", "--raw", "--time=elapsed"),
                      bench.export(recording, f"{recording}.speedscope.json", "--format=speedscope", "--raw", "--time=elapsed"),
                      bench.export(recording, f"{recording}-time.speedscope.json", "--format=speedscope", "--timeline"),
                      without_gpu(bench.export(recording, f"{recording}.trace.json", "--format=chrome"))]
        script = pathlib.Path(__file__).with_name("speedscope_totals.mjs")
        lines = subprocess.run(["node", script, speedscope, *files], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.splitlines()
        assert len(lines) == len(files)
        for first in range(0, len(lines), 4):
            totals = [float(line.split("\t")[1]) for line in lines[first:first + 4]]
            frames = [int(line.split("\t")[3]) for line in lines[first:first + 4]]
            print("\n".join(lines[first:first + 4]))
            assert totals[0] > 0 and totals[0] == totals[1], "sums differ"
            allowed = outermost_calls(files[first + 2])
            wait_ns, wait_frames = waited(files[first + 2])
            assert all(abs(total - wait_ns - totals[0]) <= allowed for total in totals[2:]), \
                f"timelines differ, {allowed} ns allowed"
            frames[2] -= wait_frames
            if has_bursts(bench.some(1)[first // 4]):  # time lines have the calls that are known, and not the estimated ones
                assert frames[0] == frames[1] >= frames[2] == frames[3], "functions differ"
            else:
                assert len(set(frames)) == 1, "functions differ"
    return 0


sys.exit(main())
