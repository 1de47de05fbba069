#!/usr/bin/env python3
"""`prof record -p`: joins a program that runs, and leaves it, again and again; the program doesn't notice."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import joining
import run
from joining import NOBODY, PATIENCE_S, stopped, until

rounds = joining.number_of("--rounds", 20)
options = run.arguments()
faults = run.Faults()
joiner = joining.Joiner(options, faults)


def calls_between(served):
    joiner.calls_between(served, "standby")
    for command in ("verify", "info", "tree", "replay", "lines", "flame"):
        read = run.run([options.prof, command, "-i", joiner.data])
        faults.check(f"prof {command}", read.returncode == 0, read.stdout[-2000:] + read.stderr)


def again_and_again(served):
    before_kb = 0
    for number in range(rounds):
        more = ((), ("--sample=off",), ("--overhead=5%",))[number % 3]
        process = joiner.recorder(served.pid, "--duration=15ms", *more)
        _, errors = process.communicate(timeout=PATIENCE_S)
        if process.returncode != 0:
            faults.check(f"round {number}", False, errors)
            return
        if number == min(10, rounds // 2):
            before_kb = served.resident_kb()
    faults.check("leaves", until(lambda: not served.is_joined()))
    faults.check("memory", served.resident_kb() < before_kb + 2048, f"{before_kb} KB, then {served.resident_kb()} KB")
    faults.check("nops", served.changed_bytes() == 0, served.changed_bytes())


def nothing_called():
    """It waits in calls that were open before: the recorder and readers print what to do."""
    remedy = "calls open all the time are not recorded: record while it has work, start it with prof record, or mark its loop's body with PROF_ZONE"
    joiner.build("still.c", "still", "-Wall")
    served = joining.Program([faults.folder / "still"], PROF_STANDBY="1", PROF_RUNTIME=options.runtime)
    faults.check("still: answers", served.ask("here") == "here")
    shutil.rmtree(joiner.data, ignore_errors=True)  # an earlier one would stay
    process = joiner.recorder(served.pid, "--duration=50ms")
    _, errors = process.communicate(timeout=PATIENCE_S)
    said = errors.splitlines()
    what = "prof: nothing was recorded: no instrumented function was called in the time that was asked for"
    faults.check("nothing called: at the end", (what, f"  {remedy}") in zip(said, said[1:]), errors)
    for command in ("report", "tree", "replay"):
        read = run.run([options.prof, command, "-i", joiner.data])
        faults.check(f"nothing called: prof {command}", read.returncode == 1 and read.stderr.splitlines()[1:] ==
                     [f"  no instrumented function was called meanwhile; {remedy}"], read.stderr)
    shutil.rmtree(joiner.data)
    faults.check("still: status", served.finish()[2] == 3)


def killed(served, *more):
    process = joiner.recorder(served.pid, *more)
    until(served.is_joined)
    joiner.refused("twice", served.pid, "is recorded already")
    stopped(process, signal.SIGKILL)
    faults.check("killed: answers", served.ask("count 9") == "count 9")
    faults.check("killed: leaves", until(lambda: not served.is_joined()) and served.changed_bytes() == 0,
                 served.changed_bytes())
    process = joiner.recorder(served.pid, "--duration=20ms")
    faults.check("killed: joined again", process.wait(PATIENCE_S) == 0, process.stderr.read())
    told = run.run([options.prof, "info", "-i", joiner.data]).stdout
    faults.check("killed: how it ended", re.search("^ended +when the recorder left the program, which went on$", told, re.M), told)


def refusals(served):
    joiner.refused("no process", 4194300, "there is no process")
    thread = next(name for name in os.listdir(f"/proc/{served.pid}/task") if int(name) != served.pid)
    joiner.refused("a thread", thread, "is a thread of process")
    joiner.refused("a measure", served.pid, "can't be used with --locks", more=("--locks",))
    os.kill(served.pid, signal.SIGSTOP)
    until(lambda: "\nState:\tT" in served.proc("status"))
    joiner.refused("stopped", served.pid, "is stopped")
    os.kill(served.pid, signal.SIGCONT)
    with subprocess.Popen(["sleep", "60"]) as plain:
        joiner.refused("no probes", plain.pid, "can't be recorded")
        plain.kill()
    if os.geteuid() == 0:
        try:
            other = subprocess.run([options.prof, "record", "-o", "/tmp/none", "-p", str(served.pid)], text=True, check=False,
                                   capture_output=True, user=NOBODY, env=run.environment())
            faults.check("another user", "another user's" in other.stderr, other.stderr)
        except PermissionError:
            print("skipped: another user: it may not execute prof where it is")


def traced(served):
    """Its tracer takes a signal, and doesn't let it go on."""
    tracer = ("import ctypes, sys, time\n"
              "libc = ctypes.CDLL(None, use_errno=True)\n"
              "libc.ptrace.argtypes = [ctypes.c_long] * 4\n"
              "print(libc.ptrace(0x4206, int(sys.argv[1]), 0, 0), flush=True)\n"  # PTRACE_SEIZE
              "time.sleep(3600)\n")
    with subprocess.Popen([sys.executable, "-c", tracer, str(served.pid)], stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline().strip() == "0":
            until(lambda: "\nState:\tt" in served.proc("status"))
            joiner.refused("traced", served.pid, "stopped by a debugger")
        else:
            print("skipped: traced: ptrace is refused")
        process.kill()


def becomes_another_user():
    served = joiner.joined()
    served.ask(f"user {NOBODY}")
    lines = lambda: {re.search(r"Uid:\s+(.*)", path.read_text(encoding="utf-8"))[1].split()[1]
                     for path in pathlib.Path(f"/proc/{served.pid}/task").glob("*/status")}
    faults.check("user: all threads", until(lambda: lines() == {str(NOBODY)}), lines())
    faults.check("user: ends", served.finish()[2] == 3)


for name in ("clang-14", "clang-16", "clang-19"):
    if shutil.which(name):
        joiner.build("joined.c", "joined", compiler=name)
        served = joiner.joined()
        calls_between(served)
        faults.check(f"{name}: status", served.finish()[2] == 3)
        break
nothing_called()
joiner.build("joined.c", "joined", "-Wall")
joiner.build("plugged.c", "plugged.so", "-shared", "-fPIC")
plain = joiner.joined(standby="").finish()
served = joiner.joined()
faults.check("one thread more", until(served.stands_by))
calls_between(served)
again_and_again(served)
joiner.library(served)
killed(served)
killed(served, "--overhead=5%")
refusals(served)
traced(served)
process = joiner.recorder(served.pid)
faults.check("joined till the end", joiner.has_joined(served.pid))
faults.check("answers till the end", served.ask("count 9") == "count 9")
ended = served.finish()
faults.check("same output", ended == plain, f"{plain}, then {ended}")
faults.check("the program's end", process.wait(PATIENCE_S) == 0, process.stderr.read())
faults.check("its report", run.report(options, joiner.data).get("counted") == 9)
last = joiner.joined()
faults.check("pthread_exit of main", last.finish("leave")[2] == 0)
if os.geteuid() == 0:
    becomes_another_user()
faults.finish()
