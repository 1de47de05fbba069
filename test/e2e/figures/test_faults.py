#!/usr/bin/env python3
"""test_faults.py --prof PROF --compiler COMPILER - recorders and programs are stopped or killed while prof_read waits: nothing hangs."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import test_figures as shared  # noqa: E402
from test_figures import NONE, PATIENCE_S, Program, environment, equal, run  # noqa: E402

programs = shared.programs
FIRST = "leaf: 1 100 100 100\n"


def start(program, *words, more=()):
    """The recorder, whose standard input and output are the program's."""
    return subprocess.Popen([program.options.prof, "record", "-o", "data", *more, "--", "./figures", *words], cwd=program.folder, text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment())


def child_of(process):
    for pid in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split():
        if os.readlink(f"/proc/{pid}/exe").endswith("/figures"):
            return int(pid)
    raise AssertionError("no program")


def lives(pid):
    try:
        return ") Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False


def await_end(what, pid):
    end = time.monotonic() + PATIENCE_S
    while lives(pid) and time.monotonic() < end:
        time.sleep(0.01)
    equal(what, lives(pid), False)


def recorder_killed_before(program, more):
    recorder = start(program, "later", more=more)
    equal(f"before {more}", [recorder.stdout.readline(), recorder.stdout.readline()], [FIRST, "ready\n"])
    recorder.kill()
    recorder.wait(PATIENCE_S)
    recorder.stdin.write("\n\n")
    recorder.stdin.flush()
    equal(f"killed {more}", recorder.stdout.read(), f"leaf: {NONE}\nready\nleaf: {NONE}\n")


def recorder_killed_meanwhile(program, more):
    """The program, whose threads ask again and again, ends by itself."""
    recorder = start(program, "for_ever", more=more)
    equal(f"meanwhile {more}", [recorder.stdout.readline(), recorder.stdout.readline()], [FIRST, "ready\n"])
    pid = child_of(recorder)
    time.sleep(0.1)
    recorder.kill()
    recorder.wait(PATIENCE_S)
    time.sleep(0.1)
    equal(f"lives {more}", lives(pid), True)
    recorder.stdin.write("\n")
    recorder.stdin.flush()
    equal(f"output {more}", recorder.stdout.read(), "")
    await_end(f"ends {more}", pid)


def recorder_stopped(program):
    """It gets no answer; once the recorder goes on, it gets one again."""
    recorder = start(program, "later")
    equal("to stop", [recorder.stdout.readline(), recorder.stdout.readline()], [FIRST, "ready\n"])
    recorder.send_signal(signal.SIGSTOP)
    recorder.stdin.write("\n")
    recorder.stdin.flush()
    equal("stopped", [recorder.stdout.readline(), recorder.stdout.readline()], [f"leaf: {NONE}\n", "ready\n"])
    recorder.send_signal(signal.SIGCONT)
    recorder.stdin.write("\n")
    recorder.stdin.flush()
    equal("going on", recorder.stdout.read(), "leaf: 1 200 200 200\n")
    equal("status", recorder.wait(PATIENCE_S), 0)


def program_killed(program, more):
    """The recording is whole; no reader is left behind."""
    recorder = start(program, "for_ever", more=more)
    equal(f"to kill {more}", [recorder.stdout.readline(), recorder.stdout.readline()], [FIRST, "ready\n"])
    time.sleep(0.1)
    os.kill(child_of(recorder), signal.SIGKILL)
    equal(f"killed {more}", recorder.wait(PATIENCE_S), -signal.SIGKILL)
    verified = run(program.folder, program.options.prof, "verify", "-i", "data")
    equal(f"verified {more}: {verified.stdout}{verified.stderr}", verified.returncode, 0)
    found = [path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if is_reader(path, program.folder)]
    equal(f"readers {more}", found, [])


def is_reader(path, folder):
    try:
        return b"\0answer\0" in path.read_bytes() and os.readlink(path.parent / "cwd") == str(folder)
    except OSError:
        return False


def signals_of_the_recorder(program):
    """Its readers don't keep it from passing on signals, and from seeing the program's end."""
    recorder = start(program, "for_ever")
    equal("to end", [recorder.stdout.readline(), recorder.stdout.readline()], [FIRST, "ready\n"])
    recorder.terminate()
    equal("passed on", recorder.wait(PATIENCE_S), -signal.SIGTERM)


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-faults-") as name:
        program = Program(options, pathlib.Path(name).resolve(), "c", "-O2")
        for more in ((), ("--mode=summary",), ("--overhead=5%",)):
            recorder_killed_before(program, more)
            recorder_killed_meanwhile(program, more)
            program_killed(program, more)
        recorder_stopped(program)
        signals_of_the_recorder(program)
    print("\n".join(shared.faults) or "passed")
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
