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

import run

PATIENCE_S = 60  # of a loaded machine
NOBODY = 65534
rounds = 20
if "--rounds" in sys.argv:
    at = sys.argv.index("--rounds")
    rounds = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
options = run.arguments()
faults = run.Faults()
program, data = faults.folder / "joined", faults.folder / "data"


def until(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


class Joined:
    """The program; PROF_STANDBY as given."""

    def __init__(self, standby="1", threads=2, path=program):
        self.process = subprocess.Popen(
            [path, str(threads), faults.folder / "plugged.so"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
            env=run.environment(PROF_STANDBY=standby, PROF_RUNTIME=options.runtime))
        self.pid = self.process.pid
        self.ask("count 0")

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        return self.process.stdout.readline().strip()

    def finish(self, line="end"):
        output, errors = self.process.communicate(line + "\n", timeout=PATIENCE_S)
        return output.strip(), errors, self.process.returncode

    def proc(self, name):
        return pathlib.Path(f"/proc/{self.pid}/{name}").read_text(encoding="utf-8", errors="replace")

    def is_joined(self):
        return "memfd:prof-ring" in self.proc("maps")

    def resident_kb(self):
        return int(re.search(r"VmRSS:\s+(\d+)", self.proc("status"))[1])

    def changed_bytes(self):
        """Of the program's code in memory, compared with its file."""
        changed = 0
        file = pathlib.Path(os.readlink(f"/proc/{self.pid}/exe")).read_bytes()
        with open(f"/proc/{self.pid}/mem", "rb") as memory:
            for line in self.proc("maps").splitlines():
                part = re.match(r"(\w+)-(\w+) r-xp (\w+) .*/joined$", line)
                if part:
                    begin, end, offset = (int(word, 16) for word in part.groups())
                    memory.seek(begin)
                    text = memory.read(end - begin)
                    changed += sum(a != b for a, b in zip(text, file[offset:offset + len(text)]))
        return changed


def recorder(pid, *more):
    return subprocess.Popen([options.prof, "record", "-o", data, *more, "-p", str(pid)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=run.environment())


def has_joined(pid):
    """All sites are on: the recorder answers after that."""
    return until(lambda: run.run([options.prof, "ctl", pid, "status"]).returncode == 0)


def stopped(process, number=signal.SIGINT):
    process.send_signal(number)
    output, errors = process.communicate(timeout=PATIENCE_S)
    return process.returncode, output + errors


def refused(what, pid, *words, more=()):
    done = run.run([options.prof, "record", "-o", data, *more, "-p", pid])
    fine = done.returncode != 0 and all(word in done.stderr for word in words)
    faults.check(what, fine, f"{done.returncode}: {done.stderr}")


def calls_between(served):
    """The counted calls of a recording equal the program's own number, once all sites are on."""
    process = recorder(served.pid)
    faults.check("joins", has_joined(served.pid))
    answer = served.ask("count 1000"), served.ask("fork 70")
    code, text = stopped(process)
    faults.check("answers", answer == ("count 1000", "fork 5") and code == 0, f"{answer} {code} {text}")
    calls = run.report(options, data)
    faults.check("calls", calls.get("counted") == 1070 and calls.get("churned", 0) > 0, calls)
    for command in ("verify", "info", "tree", "replay", "lines", "flame"):
        read = run.run([options.prof, command, "-i", data])
        faults.check(f"prof {command}", read.returncode == 0, read.stdout[-2000:] + read.stderr)


def again_and_again(served):
    before_kb = 0
    for number in range(rounds):
        more = ((), ("--sample=off",), ("--overhead=5%",))[number % 3]
        process = recorder(served.pid, "--duration=15ms", *more)
        _, errors = process.communicate(timeout=PATIENCE_S)
        if process.returncode != 0:
            faults.check(f"round {number}", False, errors)
            return
        if number == min(10, rounds // 2):
            before_kb = served.resident_kb()
    faults.check("leaves", until(lambda: not served.is_joined()))
    faults.check("memory", served.resident_kb() < before_kb + 2048, f"{before_kb} KB, then {served.resident_kb()} KB")
    faults.check("nops", served.changed_bytes() == 0, served.changed_bytes())


def killed(served, *more):
    process = recorder(served.pid, *more)
    until(served.is_joined)
    refused("twice", served.pid, "is recorded already")
    stopped(process, signal.SIGKILL)
    faults.check("killed: answers", served.ask("count 9") == "count 9")
    faults.check("killed: leaves", until(lambda: not served.is_joined()) and served.changed_bytes() == 0,
                 served.changed_bytes())
    process = recorder(served.pid, "--duration=20ms")
    faults.check("killed: joined again", process.wait(PATIENCE_S) == 0, process.stderr.read())


def plugs(served, *steps):
    """Calls of a library's function while it is loaded and unloaded."""
    process = recorder(served.pid)
    faults.check("joins", has_joined(served.pid))
    answers = [served.ask(step) for step in steps]
    code, text = stopped(process)
    faults.check(f"{steps}: answers", code == 0 and answers == [step if " " in step else f"{step} 0" for step in steps],
                 f"{answers} {code} {text}")
    return run.report(options, data).get("plugged")


def library(served):
    faults.check("loaded meanwhile", plugs(served, "plug 40", "unplug", "plug 50") == 90)
    faults.check("loaded before", plugs(served, "plug 60", "unplug") == 60)
    faults.check("unloaded before", plugs(served, "count 1") is None)
    served.ask("plug 1")
    faults.check("loaded again", plugs(served, "plug 70") == 70)


def refusals(served):
    refused("no process", 4194300, "there is no process")
    thread = next(name for name in os.listdir(f"/proc/{served.pid}/task") if int(name) != served.pid)
    refused("a thread", thread, "is a thread of process")
    refused("a measure", served.pid, "can't be used with --locks", more=("--locks",))
    os.kill(served.pid, signal.SIGSTOP)
    until(lambda: "\nState:\tT" in served.proc("status"))
    refused("stopped", served.pid, "is stopped")
    os.kill(served.pid, signal.SIGCONT)
    with subprocess.Popen(["sleep", "60"]) as plain:
        refused("no probes", plain.pid, "can't be recorded")
        plain.kill()
    unprepared = Joined(standby="0")
    refused("unprepared", unprepared.pid, "PROF_STANDBY=1")
    faults.check("unprepared: status", unprepared.finish()[2] == 3)
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
            refused("traced", served.pid, "stopped by a debugger")
        else:
            print("skipped: traced: ptrace is refused")
        process.kill()


def becomes_another_user():
    served = Joined()
    served.ask(f"user {NOBODY}")
    lines = lambda: {re.search(r"Uid:\s+(.*)", path.read_text(encoding="utf-8"))[1].split()[1]
                     for path in pathlib.Path(f"/proc/{served.pid}/task").glob("*/status")}
    faults.check("user: all threads", until(lambda: lines() == {str(NOBODY)}), lines())
    faults.check("user: ends", served.finish()[2] == 3)


def built(name, *more, compiler="gcc"):
    done = run.build(options, "joined.c", faults.folder / name, "-Wall", *more, compiler=compiler)
    faults.check(f"compiles {name}", done.returncode == 0, done.stderr)
    return done.returncode == 0


for name in ("clang-14", "clang-16", "clang-19"):
    if shutil.which(name):
        built("joined", "-fplugin-arg-prof-min-statements=0", compiler=name)
        served = Joined()
        calls_between(served)
        faults.check(f"{name}: status", served.finish()[2] == 3)
        break
built("joined", "-fplugin-arg-prof-min-statements=0")
run.build(options, "plugged.c", faults.folder / "plugged.so", "-shared", "-fPIC", "-fplugin-arg-prof-min-statements=0")
plain = Joined(standby="").finish()
served = Joined()
faults.check("one thread more", until(lambda: "prof-standby" in " ".join(
    path.read_text(encoding="utf-8") for path in pathlib.Path(f"/proc/{served.pid}/task").glob("*/comm"))))
calls_between(served)
again_and_again(served)
library(served)
killed(served)
killed(served, "--overhead=5%")
refusals(served)
traced(served)
process = recorder(served.pid)
until(served.is_joined)
ended = served.finish()
faults.check("same output", ended == plain, f"{plain}, then {ended}")
faults.check("the program's end", process.wait(PATIENCE_S) == 0, process.stderr.read())
faults.check("its report", run.report(options, data).get("churned", 0) > 0)
last = Joined()
faults.check("pthread_exit of main", last.finish("leave")[2] == 0)
if os.geteuid() == 0:
    becomes_another_user()
faults.finish()
