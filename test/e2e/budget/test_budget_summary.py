#!/usr/bin/env python3
"""test_budget_summary.py --prof PROF --compiler COMPILER - summaries of recordings with a budget, see README.md."""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs")]
import programs  # noqa: E402

STATUS, ROUNDS, COARSE, TRIES, PATIENCE_S = 3, 500, 12000, 10, 600
DENSE = ("leaf", "heavy", "tree")
SUMMARY = ("--overhead=5%", "--mode=summary", "--every=100ms")
EXPORTS = ("folded", "speedscope", "chrome", "perfetto", "csv", "json", "callgrind", "pprof", "sqlite", "dot", "firefox", "otf2")
READERS = (("report", "-n", "0"), ("report", "--by=thread", "--format=json"), ("tree", "--format=json"), ("tree", "--loops"), ("loops",), ("lines",),
           ("info", "--format=json"), ("flame", "-o", "out.svg"), ("view", "-o", "out.html"), ("verify",))
faults = []


def expect(what, good, shown=""):
    if not good:
        faults.append(f"{what}: {shown!r}")


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder = pathlib.Path(options.prof).resolve(), folder
        flags = programs.plugin_flags(options.prof, options.compiler)
        self.phases, self.budget = (self.build(options.compiler, name, flags) for name in ("phases", "budget"))
        self.plain = self.build(options.compiler, "phases", [], "plain")

    def build(self, compiler, source, flags, name=None):
        program = self.folder / (name or source)
        done = self.run([compiler, "-g", "-O2", *flags, f"-I{HERE.parents[2] / 'include'}", HERE / f"{source}.c", "-o", program, "-pthread", "-ldl"])
        if done.returncode:
            sys.exit(f"{source}.c: {done.stderr}")
        return program

    def run(self, command):
        return subprocess.run([str(word) for word in command], cwd=self.folder, env=environment(), capture_output=True, text=True,
                              timeout=900, check=False, stdin=subprocess.DEVNULL)

    def read(self, data, *words):
        done = self.run([self.prof, *words, "-i", data, "--format=json"])
        expect(f"{words} of {data}", done.returncode == 0, done.stderr)
        return json.loads(done.stdout or "{}")

    def functions(self, data):
        return {row["name"]: row for row in self.read(data, "report", "-n", "0").get("functions", [])}


def environment():
    return {**{key: value for key, value in os.environ.items() if not key.startswith(("PROF_", "CUDA_", "NVTX_"))}, "LC_ALL": "C"}


def is_within(row, other):
    """Do shares of samples have intervals that meet, and are calls, where both know them, in the interval of the other?"""
    meet = row["sample_share_low"] <= other["sample_share_high"] and other["sample_share_low"] <= row["sample_share_high"]
    known = row["calls_high"] is not None and other["calls_high"] is not None
    return meet and (not known or other["calls_low"] <= row["calls"] <= other["calls_high"])


def check_alike(bench):
    """The same program in both modes: exact calls are equal, estimates lie in each other's intervals, after some tries."""
    plain = bench.run([bench.plain])
    for _ in range(TRIES):
        for data, options in (("full", ("--overhead=5%",)), ("sum", SUMMARY)):
            done = bench.run([bench.prof, "record", "-o", data, *options, bench.phases])
            expect(f"{data}: status, output", (done.returncode, done.stdout) == (STATUS, plain.stdout), done.stderr)
            expect(f"{data}: closing line", "recorded in bursts" in done.stderr and "(budget 5%)" in done.stderr, done.stderr)
        full, summary = bench.functions("full"), bench.functions("sum")
        for name in ("first_phase", "second_phase"):
            expect(f"exact calls of {name}", summary[name]["calls"] == full[name]["calls"] == ROUNDS, (summary[name], full[name]))
        within = [is_within(a[name], b[name]) for name in DENSE for a, b in ((full, summary), (summary, full))]
        bursts = bench.read("sum", "info").get("bursts", {})
        expect("functions in bursts", bursts.get("functions", 0) > 0 and bursts.get("changes", 0) > 0, bursts)
        if all(within) and bursts.get("windows", 0) > 0:
            return
    expect("estimates alike", False, [(name, full[name], summary[name]) for name in DENSE])


def check_readers(bench, data, what):
    for words in READERS:
        done = bench.run([bench.prof, *words, *([] if words[0] == "verify" else ["-i"]), data])
        expect(f"{what}: {words}", done.returncode == 0 or words[0] == "verify" and done.returncode == 1, done.stderr)
    for name in EXPORTS:
        done = bench.run([bench.prof, "export", f"--format={name}", "-o", f"out.{name}", "-i", data])
        expect(f"{what}: export to {name}", done.returncode == 0 or "a summary has no single calls" in done.stderr, done.stderr)


def children(recorder):
    return pathlib.Path(f"/proc/{recorder.pid}/task/{recorder.pid}/children").read_text(encoding="ascii").split()


def start(bench, data, *more):
    """A recording whose file has calls."""
    command = [str(word) for word in (bench.prof, "record", "-o", data, *SUMMARY, bench.budget, *more)]
    recorder = subprocess.Popen(command, cwd=bench.folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE_S
    while recorder.poll() is None and time.monotonic() < end and bench.run([bench.prof, "report", "-i", data]).returncode != 0:
        time.sleep(0.05)
    expect(f"{data}: a file with calls while it runs", recorder.poll() is None, recorder.returncode)
    return recorder


def check_killed(bench):
    """A summary stays readable, with exact calls of coarse functions up to then, when its program or recorder is killed."""
    for what in ("program", "recorder"):
        with start(bench, what, "ever") as recorder:
            child = int(children(recorder)[0])
            if what == "recorder":
                recorder.kill()
            os.kill(child, signal.SIGKILL)
            recorder.communicate(timeout=900)
        calls = bench.functions(what).get("coarse", {}).get("calls")
        expect(f"{what} killed: calls", calls is None or calls > 0, calls)
        check_readers(bench, what, f"{what} killed")


def check_refused(bench):
    """Sums of two recordings can't be joined or cut: no reader makes a number of them."""
    bench.run([bench.prof, "record", "-o", "sum2", *SUMMARY, bench.phases])
    for words in (("merge", "-o", "merged", "sum", "sum2"), ("slice", "-i", "sum", "-o", "cut", "--range=0s~1ms")):
        done = bench.run([bench.prof, *words])
        expect(f"{words}", done.returncode == 1 and "summary" in done.stderr, (done.returncode, done.stderr))


def main():
    parser = argparse.ArgumentParser()
    for name in ("--prof", "--compiler"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        for check in (check_alike, check_killed, check_refused):
            check(bench)
    for fault in faults:
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
