#!/usr/bin/env python3
"""prof top with a budget, in tmux, of eight threads and of lua: its figures are within the intervals that prof report has of the same time."""
import json
import os
import pathlib
import shutil
import sys

import recording
from recording import children, contains, equal, wait_for

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

WINDOWS = 3


class Tmux:
    """A server of its own, with one window."""

    def __init__(self, bench, command):
        self.bench, self.socket = bench, bench.folder / "tmux"
        line = " ".join(str(word) for word in command)
        result = self.ask("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "24", line)
        equal(f"tmux: {result.stderr}", result.returncode, 0)

    def ask(self, *words):
        return self.bench.run(["tmux", "-S", self.socket, *words])

    def lines(self):
        return self.ask("capture-pane", "-p").stdout.splitlines()

    def shows(self, *parts):
        wait_for(f"{parts} on the screen", lambda: all(any(part in line for line in self.lines()) for part in parts))

    def end(self):
        self.ask("send-keys", "q")
        wait_for("the end of prof top", lambda: self.ask("list-sessions").returncode != 0)


def within(row, report):
    """One row of prof top, and the same of prof report; a sample or call may lie on the other side of an edge."""
    running = report.get("self_running_ns", report["self_ns"])
    error_ns = max(report["self_ns"] - report["self_low_ns"], report["self_high_ns"] - report["self_ns"]) + 0.02 * report["self_ns"] + 5e6
    if abs(row["self_ns"] - running) > error_ns:
        raise AssertionError(f"self time: {row}, {report}")
    if row["calls"] is not None:
        least, most = report.get("calls_low", report["calls"]), report.get("calls_high", report["calls"])
        if row["calls"] < 0.95 * least - 10 or (most is not None and row["calls"] > 1.05 * most + 10):
            raise AssertionError(f"calls: {row}, {report}")


def top_of(bench, name, command):
    shutil.rmtree(bench.folder / "prof.data", ignore_errors=True)
    process = bench.start([bench.prof, "record", "--overhead=5%", *command])
    wait_for("the recording", lambda: bench.run([bench.prof, "ctl", process.pid]).returncode == 0)
    terminal = Tmux(bench, [bench.prof, "top", process.pid, "--window=1s"])
    terminal.shows(" ago: ", "overhead ", " of 5%", "RECORDED", "bursts", "q quit")
    shown = []
    for _ in range(WINDOWS):
        taken = bench.run([bench.prof, "top", process.pid, "--window=1s", "--format=json"])
        equal(f"status: {taken.stderr}", taken.returncode, 0)
        shown.append(json.loads(taken.stdout))
    terminal.ask("send-keys", "4")
    terminal.shows("TID", "THREAD", f"  {name}")
    terminal.ask("send-keys", "1")
    os.kill(children(process.pid)[0], 15)
    process.communicate(timeout=recording.PATIENCE_S)
    terminal.shows(" to its end: ")
    terminal.end()
    compared = 0
    for one in shown:
        window = one["window"]
        report = bench.read("report", "prof.data", "-n", "0", f"--range={window['begin_ns']}ns~{window['end_ns']}ns")
        expected = {}
        for row in report["functions"]:
            expected.setdefault(row["name"], []).append(row)
        for row in one["functions"]:
            if len(expected.get(row["name"], [])) == 1:
                within(row, expected[row["name"]][0])
                compared += 1
    equal("functions were compared", compared >= WINDOWS, True)
    contains("the last window's limit", json.dumps(shown[-1]["budget"]), '"limit_share": 0.05')


def eight_threads(bench):
    top_of(bench, "calls", [bench.program, "threads", 8, 10 ** 10])


def lua(bench):
    try:
        program = programs.build("lua", "top", bench.options.compiler, ["-O2", f"-fplugin={bench.options.plugin}"], bench.folder)
    except SystemExit:
        print("lua: not here")
        return
    top_of(bench, program.name, [program, *programs.lua_arguments(1000)])


if __name__ == "__main__":
    if not shutil.which("tmux"):
        programs.skip("no tmux here")
    recording.main([eight_threads, lua])
