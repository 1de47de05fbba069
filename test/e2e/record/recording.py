"""Builds the programs of this folder, runs them under `prof record`, and reads back what it wrote."""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
PATIENCE_S = 400  # until something counts as hung: on a loaded machine a process stands still for seconds


class Bench:
    """One test program's life: a scratch folder, the built programs, cases that pass or fail."""

    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", required=True)
        parser.add_argument("--plugin", required=True, help="prof.so")
        parser.add_argument("--compiler", default="gcc")
        parser.add_argument("--only", help="run cases whose name has this in it")
        self.options = parser.parse_args()
        self.prof = pathlib.Path(self.options.prof).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-record-")).resolve()
        self.program = self.folder / "calls"
        self.library = self.folder / "library.so"
        self.plain = self.folder / "plain"
        self.passed, self.failed = 0, 0
        self.build("calls.c", self.program)
        self.build("calls.c", self.plain, plugin=False)
        self.build("library.c", self.library, ["-shared", "-fPIC"])

    def build(self, source, output, flags=(), plugin=True):
        plugin_flags = [f"-fplugin={self.options.plugin}"] if plugin else []
        subprocess.run([self.options.compiler, "-g", "-O2", PROGRAMS / source, "-o", output, *plugin_flags, *flags,
                        "-pthread"], check=True)

    def build_plain(self, inputs, output, flags=()):
        subprocess.run([self.options.compiler, *inputs, "-o", output, *flags, "-pthread"], check=True)

    def environment(self, extra=None):
        variables = {key: value for key, value in os.environ.items()
                     if not key.startswith(("PROF_", "OMPI_", "PMI", "SLURM_"))}
        variables["LC_ALL"] = "C"
        variables.update(extra or {})
        return variables

    def run(self, command, environment=None, folder=None, timeout=PATIENCE_S, **more):
        """A finished process with text output; a negative return code is a signal."""
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              check=False, env=self.environment(environment), cwd=folder or self.folder,
                              stdin=subprocess.DEVNULL, timeout=timeout, **more)

    def start(self, command, environment=None, **more):
        return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=self.environment(environment), cwd=self.folder, stdin=subprocess.DEVNULL, **more)

    def record(self, *arguments, program=None, options=(), environment=None, **more):
        return self.run([self.prof, "record", *options, "--", program or self.program, *arguments], environment, **more)

    def read(self, command, data="prof.data", *options):
        result = self.run([self.prof, command, "-i", data, "--format", "json", *options])
        if result.returncode:
            raise AssertionError(f"prof {command} -i {data}: {result.returncode} {result.stderr}")
        return json.loads(result.stdout)

    def info(self, data="prof.data"):
        return self.read("info", data)

    def calls_of(self, function, data="prof.data"):
        """Over all modules."""
        result = self.run([self.prof, "report", "-i", data, "--format", "json", "-n", "0"])
        if result.returncode:
            raise AssertionError(f"prof report -i {data}: {result.returncode} {result.stderr}")
        return sum(row["calls"] for row in json.loads(result.stdout)["functions"] if row["name"] == function)

    def calls_so_far(self, function, data="prof.data"):
        """The same; 0 where the recording, or this part of it, holds no calls (yet)."""
        try:
            return self.calls_of(function, data)
        except AssertionError:
            return 0

    def paths(self, data="prof.data", options=(), above=()):
        """Calls by path, below `above`; {} if a filter leaves none."""
        result = self.run([self.prof, "tree", "-i", data, "--format=json", "-n", "0", "--min-share=0", *options])
        found = {}

        def take(node, path):
            path = (*path, node["name"])
            found[path] = found.get(path, 0) + node["calls"]
            for child in node["children"]:
                take(child, path)

        if result.returncode:
            contains("an empty tree", result.stderr, "no call")
            return found
        for root in json.loads(result.stdout)["roots"]:
            take(root, above)
        return found

    def case(self, function):
        """Runs one case: it raises AssertionError, or passes."""
        name = function.__name__
        if self.options.only and self.options.only not in name:
            return
        for left in self.folder.glob("prof.data*"):
            shutil.rmtree(left)
        try:
            function(self)
            self.passed += 1
        except (AssertionError, OSError, subprocess.SubprocessError, LookupError, StopIteration, ValueError) as problem:
            self.failed += 1
            print(f"FAILED {name}: {type(problem).__name__} {problem}", flush=True)
            self.end_all()

    def end_all(self):
        """Kills what a failed case left running: every process that works in the scratch folder."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            if target_of(process / "cwd") == str(self.folder):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process.name), signal.SIGKILL)

    def finish(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


def children(pid):
    return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def equal(what, got, expected):
    if got != expected:
        raise AssertionError(f"{what}: {got!r}, expected {expected!r}")


def contains(what, text, part):
    if part not in text:
        raise AssertionError(f"{what}: {part!r} is not in {text!r}")


def wait_for(what, condition, seconds=PATIENCE_S):
    """Asks until it is true; a generous limit, since this is no measurement."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen within {seconds} s")
        time.sleep(0.01)


def target_of(link):
    """None: it is gone; processes end and close files at any time."""
    try:
        return os.readlink(link)
    except OSError:
        return None


def opened_by(process):
    try:
        return [target_of(link) for link in (process / "fd").iterdir()]
    except OSError:
        return []


def recorders(bench):
    """Processes of prof that write below the test's folder."""
    found = [process for process in pathlib.Path("/proc").glob("[0-9]*") if target_of(process / "exe") == str(bench.prof)]
    return [int(process.name) for process in found
            if any(path and path.startswith(str(bench.folder)) for path in opened_by(process))]


def main(cases):
    bench = Bench()
    for function in cases:
        bench.case(function)
    bench.finish()
