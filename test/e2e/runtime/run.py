"""Builds the programs of this folder and runs them plain, under `prof record`, and against the ring double."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PATIENCE_S = 400  # of a loaded machine, on which a process stands still for seconds
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("prof", "plugin", "runtime", "include"):
        parser.add_argument(f"--{name}", required=True, type=lambda text: pathlib.Path(text).resolve())
    return parser.parse_args()


def build(options, source, output, *flags, compiler="gcc", plugin=True):
    chosen = [f"-fplugin={options.plugin}"] if plugin else []
    return subprocess.run([compiler, "-g", "-O2", *chosen, f"-I{options.include}", *flags, PROGRAMS / source, "-o", output,
                           "-pthread"], capture_output=True, text=True, check=False)


def environment(**more):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
    return {**kept, **{key: str(value) for key, value in more.items()}}


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=PATIENCE_S,
                          env=environment(**more), stdin=subprocess.DEVNULL)


def report(options, folder, *more):
    result = run([options.prof, "report", "-i", folder, "-n", "0", "--format", "json", *more])
    if result.returncode != 0:
        sys.exit(f"prof report {folder}: {result.stderr}")
    return {row["name"]: row["calls"] for row in json.loads(result.stdout)["functions"]}


class Faults:
    def __init__(self):
        self.count = 0
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-runtime-"))

    def check(self, what, fine, detail=""):
        if not fine:
            self.count += 1
            print(f"FAULT {what}: {detail}")
        else:
            print(f"right {what}")

    def finish(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        sys.exit(1 if self.count else 0)
