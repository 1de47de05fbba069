#!/usr/bin/env python3
"""A process whose recorder has ended while it goes on is joined by the next one; what waits when a recorder leaves, waits."""
import json
import os
import shutil
import signal
import sys
import time

import joining
import run
from joining import Program, stopped, until

PREPARED = "the runtime was loaded into process"
FORBIDDEN = ("allows no ptrace", "forbids ptrace")
options = run.arguments()
faults = run.Faults()
joiner = joining.Joiner(options, faults)


class LeftBehind(Program):
    """A program that goes on after its recorder: that was killed, or recorded a shell, which has ended."""

    def __init__(self, killed, *more):
        first = [options.prof, "record", "-o", faults.folder / "first", *more]
        super().__init__([*first, "sh", "-c", 'exec 3<&0; "$0" "$@" <&3 & echo $!; ' + ("wait" if killed else ""), faults.folder / "joined", "2",
                          faults.folder / "plugged.so"])
        recorder, self.pid = self.pid, int(self.process.stdout.readline())
        if killed:
            self.ask("count 0")
            joiner.refused("while it is recorded", self.pid, "is recorded already")
            os.kill(recorder, signal.SIGKILL)
        self.process.wait(run.PATIENCE_S)
        self.ask("count 0")

    def end(self):
        self.process.stdin.write("end\n")
        self.process.stdin.close()
        return self.process.stdout.read().strip()


def recorded(program, *more):
    done = run.run([options.prof, "record", "-o", joiner.data, "--duration=20ms", *more, "-p", program.pid])
    return done.stderr if done.returncode == 0 else None


def is_forbidden():
    """ptrace(2) may be."""
    program = joiner.joined(standby="")
    done = run.run([options.prof, "record", "-o", joiner.data, "--duration=20ms", "-p", program.pid])
    program.finish()
    return any(word in done.stderr for word in FORBIDDEN)


def left_behind(name, killed, *more):
    program = LeftBehind(killed, *more)
    text = recorded(program)
    faults.check(f"{name}: prepared", text is not None and PREPARED in text and program.stands_by(), text)
    text = recorded(program, "--overhead=5%")
    faults.check(f"{name}: again", text is not None and PREPARED not in text, text)
    joiner.calls_between(program, name)
    joiner.library(program)
    changed = until(lambda: not program.is_joined()) and program.changed_bytes()
    faults.check(f"{name}: nops", changed == 0, changed)
    output = program.end()
    faults.check(f"{name}: output", output == "wrong 0", output)


def found_no_recorder():
    """The environment names a recorder that has ended: the program runs alone, until one comes."""
    program = Program([faults.folder / "joined", "2", faults.folder / "plugged.so"], PROF_RECORD="1", PROF_RING="/proc/1/fd/999999",
                      PROF_RUNTIME=options.runtime)
    program.ask("count 0")
    text = recorded(program)
    faults.check("no recorder: prepared", text is not None and PREPARED in text, text)
    joiner.calls_between(program, "no recorder")
    output, _, status = program.finish()
    faults.check("no recorder: ends", (output, status) == ("wrong 0", 3), (output, status))


def threads_of(data):
    read = run.run([options.prof, "report", "-i", data, "--by=thread", "--format=json"])
    rows = json.loads(read.stdout)["threads"] if read.returncode == 0 else []
    return [{"running": row["running_ns"], "waiting": row["waiting_ns"]} for row in rows]


def waits(name, standby):
    """Two threads, each of which waits in a call when the recorder leaves; neither runs for as long as one sample takes to come."""
    program = Program([faults.folder / "served"], PROF_STANDBY=standby, PROF_RUNTIME=options.runtime)
    process = joiner.recorder(program.pid)
    faults.check(f"{name}: joins", joiner.has_joined(program.pid))
    faults.check(f"{name}: answers", program.ask("nap 40") == "nap 40")
    time.sleep(0.3)
    said = stopped(process)
    rows = threads_of(joiner.data)
    faults.check(f"{name}: waits", len(rows) == 2 and all(row["waiting"] > row["running"] for row in rows), f"{rows} {said}")
    program.finish()


def waits_at_limit():
    data = faults.folder / "limit"
    program = Program([options.prof, "record", "-o", data, "--duration=500ms", "--then=stop", faults.folder / "served"])
    program.ask("nap 40")
    program.process.wait(run.PATIENCE_S)
    rows = threads_of(data)
    faults.check("limit: waits", len(rows) == 2 and all(row["waiting"] > row["running"] for row in rows), rows)


joiner.build("plugged.c", "plugged.so", "-shared", "-fPIC")
joiner.build("joined.c", "joined")
joiner.build("served.c", "served")
waits("standby", "1")
waits_at_limit()
if is_forbidden():
    print("skipped: 5 programs, and waits that were left behind: the system forbids ptrace")
    if not faults.count:
        shutil.rmtree(faults.folder, ignore_errors=True)
        sys.exit(77)
else:
    waits("prepared late", "")
    left_behind("left behind", killed=False)
    left_behind("killed", killed=True)
    left_behind("of a budget", False, "--overhead=5%")
    left_behind("of a budget, killed", True, "--overhead=5%")
    found_no_recorder()
faults.finish()
