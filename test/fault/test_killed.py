#!/usr/bin/env python3
"""Killed, stopped and confused: neither side takes the other down, and no stored event is lost."""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "record"))
import recording  # noqa: E402
from recording import PATIENCE_S, children, contains, equal, wait_for  # noqa: E402
from shared import counted, goes_on_whole, naps, until_stopped  # noqa: E402


def program_killed(bench):
    """SIGKILL of the program: each call that returned is in the trace, and at most one more per thread."""
    for attempt in range(4):
        file = bench.folder / f"counters{attempt}"
        process = bench.start([bench.prof, "record", bench.program, "endless", file])
        wait_for("calls", lambda: min(counted(file)) > 1000 * (1 + 40 * attempt))
        os.kill(children(process.pid)[0], signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
        equal("status", process.returncode, -signal.SIGKILL)
        called = sum(counted(file))
        recorded = bench.calls_of("leaf")
        if not called <= recorded <= called + 2:
            raise AssertionError(f"{called} calls had returned, {recorded} are in the trace")
        info = bench.info()
        equal("complete", info["complete"], True)
        equal("lost", info["lost_events"], 0)


def children_killed(bench):
    """The same for a process that is no child of prof."""
    file = bench.folder / "grandchild"
    process = bench.start([bench.prof, "record", "sh", "-c", f"{bench.program} endless {file}; exit 7"])
    wait_for("calls", lambda: min(counted(file)) > 5000)
    os.kill(children(children(process.pid)[0])[0], signal.SIGKILL)
    process.communicate(timeout=PATIENCE_S)
    equal("status", process.returncode, 7)
    called, recorded = sum(counted(file)), bench.calls_of("leaf")
    if not called <= recorded <= called + 2:
        raise AssertionError(f"{called} calls had returned, {recorded} are in the trace")


def recorder_killed(bench):
    """SIGKILL of prof: the program goes on to its end as if nobody had recorded; what was written can be read."""
    for number, options in enumerate(([], ["--when-full=drop"], ["--buffer=1M"])):
        trace = bench.folder / "prof.data" / "trace"
        trace.unlink(missing_ok=True)
        file, called, stop = until_stopped(bench, f"killed{number}")
        process = bench.start([bench.prof, "record", *options, bench.program, "until", file])
        wait_for("something in the trace", lambda file=trace: file.exists() and file.stat().st_size > 50000)
        program = children(process.pid)[0]
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=PATIENCE_S)
        before = called()
        wait_for("more calls than there is room for", lambda: called() > before + 1000000)
        stop()
        output = process.communicate(timeout=PATIENCE_S)[0]
        wait_for("the program's end", lambda pid=program: not pathlib.Path(f"/proc/{pid}").exists())
        equal("output", output, f"{called()}\n")
        info = bench.info()
        equal("complete", info["complete"], False)
        if bench.calls_of("leaf") == 0:
            raise AssertionError("no call is in the trace")
        packed = bench.run([bench.prof, "pack"])
        equal(f"pack: {packed.stderr}", packed.returncode, 0)
        equal("complete after pack", bench.info()["complete"], False)
        readers = bench.run([os.environ["UNFINISHED"], "--says=cut short", "prof.data"])
        equal(f"every reader: {readers.stdout} {readers.stderr}", readers.returncode, 0)


def recorder_stopped(bench):
    """SIGSTOP of prof: the program waits (that is what --when-full=wait means) and nothing is lost."""
    file, called, stop = until_stopped(bench, "stopped")
    process = bench.start([bench.prof, "record", "--buffer=1M", bench.program, "until", file])
    wait_for("calls", lambda: called() > 0)
    program = children(process.pid)[0]
    process.send_signal(signal.SIGSTOP)
    before = naps(program)
    # It looks every 50 ms whether the recorder has come back; after 2 s whether it is still there.
    wait_for("3 seconds without room", lambda: naps(program) > before + 60)
    goes_on_whole(bench, process, called, stop)


def nonsense_in_the_region(bench):
    """A program that writes over the shared region can spoil its recording, not the recorder."""
    for seed in range(12):
        process = bench.start([bench.prof, "record", bench.program, "scribble", seed, 20 if seed % 2 else 5000])
        errors = process.communicate(timeout=PATIENCE_S)[1]
        equal(f"status with seed {seed}", process.returncode, 3)
        contains("what prof says", errors, "prof: ")
        bench.run([bench.prof, "info"])


if __name__ == "__main__":
    recording.main([program_killed, children_killed, recorder_killed, recorder_stopped, nonsense_in_the_region])
