#!/usr/bin/env python3
"""--mode=ring and --mode=summary: the program, the recorder or both are killed at any moment; every reader reads what was written.

In `make check` each of the six once, in `make check-all` fifty times in all (PROF_TEST_WHOLE).
"""
import os
import pathlib
import random
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "record"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import recording  # noqa: E402
from recording import PATIENCE_S, children, equal, wait_for  # noqa: E402
from slices import WHOLE  # noqa: E402

SHORT = pathlib.Path(__file__).resolve().parent / "programs" / "short.c"
MODES = (("--mode=ring", "--keep=4M"), ("--mode=summary", "--every=100ms"))
VICTIMS = ("program", "recorder", "both")
ROUNDS = 50 if WHOLE else len(MODES) * len(VICTIMS)


def readable(data):
    """Folders whose file has begun: a killed recorder may leave one with nothing in it."""
    folders = [data, *sorted(data.glob("snapshot-*"))]
    return [one for one in folders if (one / "trace").exists() and (one / "trace").stat().st_size >= 64]


def has_calls(bench, folder):
    return bench.run([bench.prof, "report", "-i", folder]).returncode == 0


def killed(bench, number):
    mode, victim = MODES[number % 2], VICTIMS[number // 2 % 3]
    data = bench.folder / f"{number}.data"
    recorder = bench.start([bench.prof, "record", *mode, "-o", data, bench.short, "until", bench.folder / "never"])
    wait_for("the program", lambda: children(recorder.pid))
    program = children(recorder.pid)[0]

    def written():
        recorder.send_signal(signal.SIGUSR2)
        return any(has_calls(bench, one) for one in readable(data))
    wait_for("a first one", written)
    time.sleep(0.3 * random.random())
    recorder.send_signal(signal.SIGUSR2)  # one is being written when the signal comes
    time.sleep(0.01 * random.random())
    order = [program, recorder.pid] if random.random() < 0.5 else [recorder.pid, program]
    for pid in {"program": [program], "recorder": [recorder.pid], "both": order}[victim]:
        os.kill(pid, signal.SIGKILL)
    if victim == "recorder":
        recorder.wait(timeout=PATIENCE_S)
        os.kill(program, signal.SIGKILL)
    recorder.communicate(timeout=PATIENCE_S)
    folders = [one for one in readable(data) if has_calls(bench, one)]
    equal(f"{mode[0]}, {victim} killed: something is left", bool(folders), True)
    read = bench.run([os.environ["UNFINISHED"], "--as-it-is", *folders[:1], *folders[1:][-2:]])
    equal(f"{mode[0]}, {victim} killed: {read.stdout} {read.stderr}", read.returncode, 0)
    for one in folders:
        equal(f"bytes of {one.name} that can't be read", bench.info(one)["unreadable_bytes"], 0)


def at_any_moment(bench):
    bench.short = bench.folder / "short"
    bench.build(SHORT, bench.short)
    for number in range(ROUNDS):
        killed(bench, number)


if __name__ == "__main__":
    recording.main([at_any_moment])
