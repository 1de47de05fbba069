#!/usr/bin/env python3
"""Stopped for long (Ctrl-Z, and back after lunch): waiting threads don't take it for the death of the recorder."""
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "record"))
import recording  # noqa: E402
from recording import PATIENCE_S, children, wait_for  # noqa: E402
from shared import goes_on_whole, naps, until_stopped  # noqa: E402

LONG_S = 33  # than any patience of runtime/wait.c


def stand(bench, name, both):
    """The recorder stands still for long, the program with it or waiting for it; nothing is lost."""
    file, called, stop = until_stopped(bench, name)
    process = bench.start([bench.prof, "record", "--buffer=1M", bench.program, "until", file])
    try:
        stand_still(bench, process, called, stop, both)
    finally:
        stop()
        process.send_signal(signal.SIGCONT)
        process.wait(timeout=PATIENCE_S)


def stand_still(bench, process, called, stop, both):
    wait_for("calls", lambda: called() > 0)
    program = children(process.pid)[0]
    process.send_signal(signal.SIGSTOP)
    before = naps(program)
    wait_for("waiting for room", lambda: naps(program) > before + 10)
    if both:
        os.kill(program, signal.SIGSTOP)
    time.sleep(LONG_S)
    if both:
        os.kill(program, signal.SIGCONT)
        before = naps(program)
        wait_for("a look at the recorder", lambda: naps(program) > before + 5)
    goes_on_whole(bench, process, called, stop)


def recorder_for_long(bench):
    stand(bench, "recorder", False)


def both_for_long(bench):
    stand(bench, "both", True)


if __name__ == "__main__":
    recording.main([recorder_for_long, both_for_long])
