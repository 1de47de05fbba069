#!/usr/bin/env python3
"""Real recordings, read with both readers.  See README.md."""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DECODE = HERE.parents[1] / "support" / "decode.py"
DEEP = 100000


def output(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, timeout=900,
                          **more).stdout


def equal(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got}, expected {expected}")


def threads_of(text):
    """The lines of each thread."""
    return re.findall(r"^thread .*\n((?: .*\n)*)", text, re.M)


def counts(lines):
    found = collections.Counter()
    for line in lines.splitlines():
        step = re.match(r"  \d+ (\w+)(?: (\S+))?", line)
        if step and step[1] in ("enter", "unmatched"):
            found[f"{step[1]} {step[2]}"] += 1
        elif step:
            found[step[1]] += 1
    return found


def check(text):
    threads = [counts(lines) for lines in threads_of(text)]
    workers = [thread for thread in threads if thread["enter work"] == 1]
    equal("threads that ran work", len(workers), 3)
    for worker in workers:
        equal("calls of leaf in a worker", worker["enter leaf"], 100 + 50 + 20000)
        equal("calls of between", worker["enter between"], 100)
        equal("landings, two on the way of each exception", worker["landed"], 100)
        equal("unmatched in a worker", sum(n for what, n in worker.items() if what.startswith("unmatched")), 0)
    first = [thread for thread in threads if thread["enter deep"]][0]
    equal("calls of deep", first["enter deep"], DEEP + 1)
    equal("calls of jumper", first["enter jumper"], 10 * 6)
    equal("calls of many in the child", sum(t["enter many"] for t in threads) - len(workers), 1)
    if not re.search(r"^ chunk .* omitted=[1-9]", text, re.M):
        sys.exit("no chunk began with more frames than are held")
    equal("end", text.splitlines()[-1], "end complete=1 reason=1 status=0")


def check_cuts(trace_text, whole, data, folder):
    """Each thread of a cut trace has the beginning of what the whole has."""
    all_lines = [lines.splitlines() for lines in threads_of(whole)]
    for part in range(1, 6):
        (folder / "trace").write_bytes(data[:len(data) * part // 6])
        for lines in threads_of(output(trace_text, folder)):
            lines = lines.splitlines()
            if lines and not any(known[:len(lines)] == lines for known in all_lines):
                sys.exit(f"cut at {part}/6: a thread isn't the beginning of any in the whole trace")


def main():
    parser = argparse.ArgumentParser()
    for tool in ("prof", "plugin", "trace-text", "compiler"):
        parser.add_argument(f"--{tool}", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output(options.compiler, "-g", "-O2", f"-fplugin={options.plugin}", HERE / "calls.cc", "-o", folder / "calls",
               "-pthread")
        subprocess.run([options.prof, "record", "-o", folder / "data", folder / "calls"], check=True, timeout=900,
                       stderr=subprocess.DEVNULL)
        text = output(options.trace_text, folder / "data")
        if text != output(sys.executable, "-B", DECODE, folder / "data"):
            sys.exit("the two readers don't print the same")
        check(text)
        check_cuts(options.trace_text, text, (folder / "data" / "trace").read_bytes(), folder)
    print(f"{len(text.splitlines())} lines alike")


main()
