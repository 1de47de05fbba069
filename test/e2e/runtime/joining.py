"""Programs that run, and recorders that join them, for the tests of `prof record -p`."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import code_in_memory  # noqa: E402 (lies there)

PATIENCE_S = run.PATIENCE_S
NOBODY = 65534
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & leaves it ignored, also in recorders


def number_of(option, default):
    """Takes `option N` out of the command line."""
    if option not in sys.argv:
        return default
    at = sys.argv.index(option)
    number = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
    return number


def until(condition, nap_s=0.002):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(nap_s)
    return True


class Program:
    """Answers each line with a line."""

    def __init__(self, command, user=None, **environment):
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, bufsize=1, user=user, env=run.environment(**environment))
        self.pid = self.process.pid

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

    def stands_by(self):
        return any(path.read_text(encoding="utf-8") == "prof-standby\n" for path in pathlib.Path(f"/proc/{self.pid}/task").glob("*/comm"))

    def resident_kb(self):
        return int(re.search(r"VmRSS:\s+(\d+)", self.proc("status"))[1])

    def changed_bytes(self):
        return code_in_memory.changed_bytes(self.pid)


class Joiner:
    """Starts recorders; counts what is wrong."""

    def __init__(self, options, faults):
        self.options, self.faults = options, faults
        self.data = faults.folder / "data"
        self.process = None  # the recorder that was started last

    def joined(self, standby="1", threads=2, path=None):
        """joined.c; PROF_STANDBY as given."""
        program = Program([path or self.faults.folder / "joined", threads, self.faults.folder / "plugged.so"],
                          PROF_STANDBY=standby, PROF_RUNTIME=self.options.runtime)
        program.ask("count 0")
        return program

    def recorder(self, pid, *more):
        self.process = subprocess.Popen([self.options.prof, "record", "-o", self.data, *more, "-p", str(pid)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=run.environment())
        return self.process

    def has_joined(self, pid):
        """All sites are on: the recorder answers after that.  False: it has ended."""
        def answers():
            return run.run([self.options.prof, "ctl", pid, "status"]).returncode == 0
        return until(lambda: answers() or self.process.poll() is not None) and answers()

    def refused(self, what, pid, *words, more=()):
        done = run.run([self.options.prof, "record", "-o", self.data, *more, "-p", pid])
        fine = done.returncode != 0 and all(word in done.stderr for word in words)
        self.faults.check(what, fine, f"{done.returncode}: {done.stderr}")

    def calls_between(self, served, name):
        """The counted calls of a recording equal the program's own number, once all sites are on."""
        process = self.recorder(served.pid)
        self.faults.check(f"{name}: joins", self.has_joined(served.pid))
        answer = served.ask("count 1000"), served.ask("fork 70")
        code, text = stopped(process)
        self.faults.check(f"{name}: answers", answer == ("count 1000", "fork 5") and code == 0, f"{answer} {code} {text}")
        calls = run.report(self.options, self.data)
        self.faults.check(f"{name}: calls", calls.get("counted") == 1070 and calls.get("churned", 0) > 0, calls)

    def plugs(self, served, *steps):
        """Calls of a library's function while it is loaded and unloaded."""
        process = self.recorder(served.pid)
        self.faults.check("joins", self.has_joined(served.pid))
        answers = [served.ask(step) for step in steps]
        code, text = stopped(process)
        self.faults.check(f"{steps}: answers", code == 0 and answers == [step if " " in step else f"{step} 0" for step in steps],
                          f"{answers} {code} {text}")
        return run.report(self.options, self.data).get("plugged")

    def library(self, served):
        self.faults.check("loaded meanwhile", self.plugs(served, "plug 40", "unplug", "plug 50") == 90)
        self.faults.check("loaded before", self.plugs(served, "plug 60", "unplug") == 60)
        self.faults.check("unloaded before", self.plugs(served, "count 1") is None)
        served.ask("plug 1")
        self.faults.check("loaded again", self.plugs(served, "plug 70") == 70)
        served.ask("unplug")

    def build(self, source, name, *more, compiler="gcc", plugin=True):
        done = run.build(self.options, source, self.faults.folder / name, *more, *(["-fplugin-arg-prof-min-statements=0"] if plugin else []),
                         compiler=compiler, plugin=plugin)
        self.faults.check(f"compiles {name}", done.returncode == 0, done.stderr)
        return done.returncode == 0


def stopped(process, number=signal.SIGINT):
    process.send_signal(number)
    output, errors = process.communicate(timeout=PATIENCE_S)
    return process.returncode, output + errors
