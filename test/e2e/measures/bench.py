"""Programs for tests of measures: built with and without the plugin, run alone and recorded."""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

EVERY = ("--memory", "--locks", "--io", "--machine=100ms", "--counters=page-faults,context-switches")  # measures, all together


class Bench:
    def __init__(self, folder):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", type=pathlib.Path, required=True)
        self.prof = parser.parse_args().prof.resolve()
        self.folder = pathlib.Path(folder)
        self.compiler = programs.default_compiler()
        self.plugin = programs.plugin_flags(self.prof, self.compiler)
        self.faults = []

    def run(self, *command):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        return subprocess.run([str(word) for word in command], capture_output=True, timeout=300, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C"}, text=True, errors="replace")

    def equal(self, what, got, wanted):
        if got != wanted:
            self.faults.append(f"{what}: {got!r}, not {wanted!r}"[:2000])

    def build(self, source, output, *flags, plugin=True):
        compiler = self.compiler.replace("gcc", "g++").replace("clang", "clang++") if source.endswith(".cc") else self.compiler
        done = self.run(compiler, "-g", "-O1", "-pthread", *(self.plugin if plugin else []), HERE / source, "-o", output, *flags)
        self.equal(f"{source}: compiler", (done.returncode, done.stderr), (0, ""))
        return self.folder / output

    def record(self, program, *arguments, options=("--memory",)):
        """Records it, and compares how it behaves with a run without prof."""
        alone = self.run(program, *arguments)
        done = self.run(self.prof, "record", "-o", "data", *options, program, *arguments)
        self.equal(f"{program.name} {options}: status and output", (done.returncode, done.stdout), (alone.returncode, alone.stdout))
        return done

    def read(self, *command):
        done = self.run(self.prof, *command, "-i", "data", "--format=json")
        self.equal(f"{command}: status", done.returncode, 0)
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def end(self, said):
        print("\n".join(self.faults) or said)
        return 1 if self.faults else 0
