#!/usr/bin/env python3
"""`prof record -p` without PROF_STANDBY: the runtime is loaded into a program that runs, whatever it does just then."""
import concurrent.futures
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import joining
import run
from joining import NOBODY, PATIENCE_S, Program, stopped, until

PREPARED, STOPPED = "the runtime was loaded into process", "one thread stopped for"
FORBIDDEN = ("allows no ptrace", "forbids ptrace")
WAITS = ("condition", "semaphore", "signal", "semaphore-set", "futex", "select", "epoll", "epoll-masked", "receive", "read", "poll", "sleep",
         "sleep-until")
rounds = joining.number_of("--rounds", 20)
options = run.arguments()
faults = run.Faults()
joiner = joining.Joiner(options, faults)


def late(*words, path="late", user=None, **environment):
    program = Program([faults.folder / path, *words], user, PROF_RUNTIME="/nowhere", **environment)
    answer = program.process.stdout.readline().strip()
    if answer != "ready":
        print(f"{words}: {answer}")
    return program


def recorded(program, *more, name="data"):
    """One recording of some milliseconds: the recorder's messages, or None."""
    done = run.run([options.prof, "record", "-o", faults.folder / name, "--duration=20ms", *more, "-p", program.pid])
    return done.stderr if done.returncode == 0 else None


def ends_well(what, program, word="end"):
    ended = program.finish(word)
    faults.check(f"{what}: ends", ended == ("wrong 0", "", 3), ended)


def skip_if_forbidden():
    program = late("line")
    done = run.run([options.prof, "record", "-o", joiner.data, "--duration=20ms", "-p", program.pid])
    program.finish()
    if any(word in done.stderr for word in FORBIDDEN):
        print(f"skipped: all {len(WAITS) + rounds + 20} checks: {done.stderr.strip()}")
        shutil.rmtree(faults.folder, ignore_errors=True)
        sys.exit(77)


def again_and_again(plain):
    """Each time a new process, with threads that allocate and a timer's signals."""
    pauses_ms = []
    for number in range(rounds):
        program = joiner.joined(standby="")
        text = recorded(program, *((), ("--overhead=5%",))[number % 2])
        changed = until(lambda: not program.is_joined()) and program.changed_bytes()
        ended = program.finish()
        if text is None or PREPARED not in text or changed != 0 or ended != plain:
            faults.check(f"round {number}", False, f"{text} {changed} {ended}")
            return
        pauses_ms.append(float(text.split(STOPPED)[1].split()[0]))
    pauses_ms.sort()
    print(f"{rounds} times; one thread stopped for {pauses_ms[rounds // 2]} ms (median), {pauses_ms[rounds * 99 // 100]} ms (99%), {pauses_ms[-1]} ms")


def one_process(plain):
    """The second recording needs no ptrace; libraries that are loaded later are recorded too."""
    program = joiner.joined(standby="")
    text = recorded(program)
    faults.check("first", text is not None and PREPARED in text and program.stands_by(), text)
    text = recorded(program)
    faults.check("second", text is not None and PREPARED not in text, text)
    joiner.calls_between(program, "late")
    joiner.library(program)
    changed = until(lambda: not program.is_joined()) and program.changed_bytes()
    faults.check("nops", changed == 0, changed)
    ended = program.finish()
    faults.check("same output", ended == plain, f"{plain}, then {ended}")


def loaded_before():
    """A library that was loaded before the recorder came, and may be unloaded after it."""
    program = joiner.joined(standby="")
    program.ask("plug 1")
    faults.check("loaded before the recorder", joiner.plugs(program, "plug 30", "unplug", "plug 20") == 50)
    faults.check("loaded before: status", program.finish()[2] == 3)


def waits():
    for name in WAITS:
        program = late(name)
        time.sleep(0.01 * random.random())
        text = recorded(program)
        faults.check(f"{name}: joined", text is not None and PREPARED in text, text)
        ends_well(name, program)
    program = late("line")
    faults.check("line: joined", recorded(program) is not None and program.ask("a") == "a")
    ends_well("line", program)
    program = late("spin")
    faults.check("spin: joined", recorded(program) is not None)
    program.process.terminate()
    ends_well("spin", program)
    program = late(path="own")
    faults.check("own malloc: joined", recorded(program) is not None)
    ends_well("own malloc", program)


def unsafe():
    """They are looked at for some seconds each, so all at once."""
    cases = ((("qsort",), "late", "in the C library"), (("handler",), "late", "in the C library"),
             (("coroutine",), "late", "the last was"), (("spin",), "own", "the last was"))
    programs = [late(*words, path=path) for words, path, _ in cases]
    with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
        texts = list(pool.map(lambda program: run.run([options.prof, "record", "-o", faults.folder / f"data{program.pid}",
                                                       "--duration=20ms", "-p", program.pid]), programs))
    for (words, path, where), program, done in zip(cases, programs, texts):
        faults.check(f"unsafe {path} {words[0]}", done.returncode != 0 and where in done.stderr and "no thread came to a safe place" in done.stderr,
                     done.stderr)
        if path == "own":
            program.process.terminate()
        ends_well(f"unsafe {path} {words[0]}", program)


def locked():
    """Another thread keeps the loader: the call is taken back; if the recorder is killed, the thread goes on by itself."""
    begun = faults.folder / "begun"
    program = late("load", faults.folder / "library.so", LATE_BEGUN=begun)
    joiner.refused("locked", program.pid, "is loading a library")
    faults.check("locked: answers", program.ask("a") == "a" and not program.stands_by())
    program.process.kill()
    program.process.communicate()
    begun.unlink()
    program = late("load", faults.folder / "library.so", LATE_BEGUN=begun)
    recorders, held = [joiner.recorder(program.pid)], [False]

    def stays_held():
        """The recorder takes the call back after some seconds, which this test may have missed."""
        if recorders[-1].poll() is not None:
            recorders.append(joiner.recorder(program.pid))
            held.append(False)
        held.append(is_held(program))
        time.sleep(0.02)
        return all(held[-3:])

    faults.check("killed in it: held", until(stays_held))
    stopped(recorders[-1], signal.SIGKILL)
    begun.unlink()
    faults.check("killed in it: answers", program.ask("b") == "b" and until(program.stands_by))
    faults.check("killed in it: joined", recorded(program) is not None)
    ends_well("killed in it", program)


def status_of(task):
    try:
        return task.read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):  # the thread ended meanwhile
        return "TracerPid:\t0\n"


def is_held(program):
    return any("TracerPid:\t0\n" not in status_of(task) for task in pathlib.Path(f"/proc/{program.pid}/task").glob("*/status"))


def after_kill(program):
    """Why the next recorder failed; "": it didn't.  The thread that was held may still be about the runtime."""
    said = []

    def joins():
        done = run.run([options.prof, "record", "-o", faults.folder / "data", "--duration=20ms", "-p", program.pid])
        said[:] = [done.stderr] if done.returncode else []
        return not said or "is loading a library" not in said[0]

    until(joins, 0.05)
    return "".join(said)


def killed_anywhere(plain):
    """Each second recorder is killed as soon as it holds a thread, the others at any time."""
    in_hold = 0
    for number in range(rounds):
        program = joiner.joined(standby="")
        process = joiner.recorder(program.pid)
        if number % 2 == 0:
            until(lambda: is_held(program) or program.stands_by(), 0)
            in_hold += is_held(program)
        else:
            time.sleep(0.04 * number / rounds)
        stopped(process, signal.SIGKILL)
        answer = program.ask("count 9")
        gone, said = until(lambda: not program.is_joined()), after_kill(program)
        ended = program.finish()
        if answer != "count 9" or not gone or said or ended != plain:
            faults.check(f"killed {number}", False, f"{answer} {gone} {said} {ended}")
            return
    print(f"right killed {rounds} times, {in_hold} of them while a thread was held")


def starts():
    """The loader still opens a file, and has not come to the C library: the recorder waits.  Three times, as it doesn't wait for long."""
    pipe, said = faults.folder / "preloaded", []
    os.mkfifo(pipe)
    while len(said) < 3:
        program = Program([faults.folder / "late", "line"], PROF_RUNTIME="/nowhere", LD_PRELOAD=pipe)
        process = joiner.recorder(program.pid, "--duration=20ms")
        time.sleep(0.3)
        with open(pipe, "wb"):  # empty: the loader warns, and goes on without it
            pass
        _, text = process.communicate(timeout=PATIENCE_S)
        ready = program.process.stdout.readline()
        output, _, status = program.finish()
        if (process.returncode, ready, output, status) == (0, "ready\n", "wrong 0", 3):
            print("right starts")
            return
        said.append(text)
    faults.check("starts", False, said)


def refusals():
    program = late("filter")
    joiner.refused("filter", program.pid, "has a seccomp filter", "PROF_STANDBY=1")
    ends_well("filter", program)
    program = late("line")
    tracer = ("import ctypes, sys, time\n"
              "libc = ctypes.CDLL(None, use_errno=True)\n"
              "libc.ptrace.argtypes = [ctypes.c_long] * 4\n"
              "print(libc.ptrace(0x4206, int(sys.argv[1]), 0, 0), flush=True)\n"  # PTRACE_SEIZE
              "time.sleep(3600)\n")
    with subprocess.Popen([sys.executable, "-c", tracer, str(program.pid)], stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline().strip() == "0":
            joiner.refused("traced", program.pid, "is traced by python", str(process.pid))
        process.kill()
    os.kill(program.pid, signal.SIGSTOP)
    until(lambda: "\nState:\tT" in program.proc("status"))
    joiner.refused("stopped", program.pid, "is stopped")
    os.kill(program.pid, signal.SIGCONT)
    ends_well("stopped", program)
    program = late("line", path="plain")
    joiner.refused("no probes", program.pid, "was not compiled with the plugin")
    program.finish()
    if joiner.build("late.c", "static", "-static"):
        program = late("line", path="static")
        joiner.refused("static", program.pid, "is a static program")
        program.finish()
    if os.geteuid() == 0:
        program = late("line")
        os.chmod(faults.folder, 0o755)
        try:
            other = subprocess.run([options.prof, "record", "-o", "/tmp/none", "-p", str(program.pid)], text=True, check=False, capture_output=True,
                                   user=NOBODY, env=run.environment())
            faults.check("another user", "another user's" in other.stderr, other.stderr)
        except PermissionError:
            print("skipped: another user: it may not execute prof where it is")
        ends_well("another user", program)
        program = late("line", user=NOBODY)
        joiner.refused("root, another user's", program.pid, "is another user's")
        faults.check("root, another user's: untouched", not program.stands_by())
        ends_well("root, another user's", program)


for name in ("late", "library.so", "own", "plain"):
    source = {"late": "late.c", "library.so": "late_library.c", "own": "late_malloc.c", "plain": "late.c"}[name]
    joiner.build(source, name, *(["-shared", "-fPIC"] if name.endswith(".so") else []), *(["-fno-builtin"] if name == "own" else []),
                 plugin=name not in ("plain", "library.so"))
skip_if_forbidden()
joiner.build("plugged.c", "plugged.so", "-shared", "-fPIC")
for compiler in ("clang-14", "clang-16", "clang-19", "gcc"):
    if shutil.which(compiler) and joiner.build("joined.c", f"joined-{compiler}", compiler=compiler):
        subprocess.run(["strip", faults.folder / f"joined-{compiler}"], check=True)
        program = joiner.joined(standby="", path=faults.folder / f"joined-{compiler}")
        joined = recorded(program)
        faults.check(f"{compiler}, stripped", joined is not None and PREPARED in joined and program.finish()[2] == 3, joined)
joiner.build("joined.c", "joined")
plain = joiner.joined(standby="").finish()
one_process(plain)
loaded_before()
waits()
again_and_again(plain)
killed_anywhere(plain)
unsafe()
locked()
starts()
refusals()
faults.finish()
