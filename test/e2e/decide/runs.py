"""Runs made of text, with known times, and what every test here needs."""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
PAGE = HERE.parents[2] / "docs/json-decide.md"
NAMES = [f"work_{number}" for number in range(8)]


class Bench:
    """prof, and a folder to run it in."""

    def __init__(self, folder):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", type=pathlib.Path, required=True)
        parser.add_argument("--trace-make", type=pathlib.Path, required=True)
        options = parser.parse_args()
        self.prof_path, self.trace_make = options.prof.resolve(), options.trace_make.resolve()
        self.folder = pathlib.Path(folder)

    def run(self, *arguments, status=0, environment=None):
        """What prof prints; stops unless it ends with that status."""
        done = subprocess.run([self.prof_path, *map(str, arguments)], cwd=self.folder, env={**os.environ, **(environment or {})},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr if status else done.stdout

    def json(self, *arguments, **others):
        return json.loads(self.run(arguments[0], "--format=json", *arguments[1:], **others))

    def make(self, name, text):
        path = self.folder / f"{name}.txt"
        path.write_text(text)
        subprocess.run([self.trace_make, f"--text={path}", "-o", self.folder / name], check=True, stdout=subprocess.DEVNULL)

    def make_runs(self, side, count, seed, noisy="", **changes):
        """Recordings SIDE.0 ...: calls of `NAMES` of about 1 us, 2 us, ..., each times its change; 1% of noise, 3% a run.
        The function `noisy` has 30% of noise."""
        noise = random.Random(seed)
        for number in range(count):
            factor = noise.gauss(1, 0.03)
            times = {name: 1000 * (place + 1) * factor * max(0.3, noise.gauss(1, 0.3 if name == noisy else 0.01)) * changes.get(name, 1)
                     for place, name in enumerate(NAMES)}
            self.make(f"{side}.{number}", run_text(times, noise))


def run_text(times, noise, calls=60):
    """A program that calls each function so often, one call after another."""
    lines = ["setting command ./app\\x00", *(f"function {name} file=app.c line={10 * place + 10}" for place, name in
                                             enumerate(["main", *times])), "thread main", "main +10 enter main"]
    for _ in range(calls):
        for name, time in times.items():
            lines += [f"main +5 enter {name} caller=main", f"main +{round(time * noise.gauss(1, 0.05))} exit {name}"]
    return "\n".join([*lines, "main +10 exit main", "end wall=10000000 user=9000000 system=1000000", ""])


def keys_of(value, path=""):
    """Names of all members: a.b, a[].b."""
    if isinstance(value, dict):
        return {key for name, member in value.items() for key in keys_of(member, f"{path}.{name}" if path else name)}
    if isinstance(value, list):
        return {path + "[]"} | {key for member in value for key in keys_of(member, path + "[]")}
    return {path}


def documented(section):
    """The keys that the page's section names."""
    text = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.S | re.M)[1]
    return {key for row in text.splitlines() if row.startswith("| ") for key in re.findall(r"`([^`]+)`", row.split("|")[1])}


def check_keys(section, *values):
    found = set().union(*(keys_of(value) for value in values))
    assert found <= documented(section), (section, sorted(found - documented(section)))
