#!/usr/bin/env python3
"""The module of prof.f90: a Fortran program names its thread, and switches, clears and asks its recording; without the plugin it runs as it is."""
import shutil
import subprocess
import sys

import recording
from recording import PROGRAMS, equal

MODULE = recording.HERE.parents[2] / "include/prof.f90"


def build(bench, output, *flags):
    for source, made in ((MODULE, "prof.o"), (PROGRAMS / "solve.f90", "solve.o")):
        subprocess.run(["gfortran", "-g", "-O1", "-Wall", "-Werror", *flags, "-c", source, "-o", made], cwd=bench.folder, check=True)
    subprocess.run(["gfortran", "prof.o", "solve.o", "-o", output], cwd=bench.folder, check=True)


def told(text):
    return [line.split() for line in text.splitlines() if set(line.split()) <= {"T", "F"}]


def controls(bench):
    build(bench, "solve", f"-fplugin={bench.options.plugin}")
    done = bench.record(program=bench.folder / "solve")
    equal("cleared, on between, start, on, snapshot; read, calls, time, nothing, its calls", told(done.stdout),
          [["T", "F", "T", "T", "F"], ["T", "T", "T", "F", "F"]])
    equal("work", bench.calls_of("solve::work"), 2)
    equal("before prof_clear, and between", (bench.calls_of("solve::setup"), bench.calls_of("solve::hidden")), (0, 0))
    equal("thread", [thread["name"] for thread in bench.info()["thread_list"]], ["solver"])
    alone = bench.run([bench.folder / "solve"])
    equal("without a recording", told(alone.stdout), [["F"] * 5] * 2)


def without(bench):
    build(bench, "bare")
    equal("without the plugin", told(bench.run([bench.folder / "bare"]).stdout), [["F"] * 5] * 2)


if __name__ == "__main__":
    if not shutil.which("gfortran"):
        print("skipped: no gfortran")
        sys.exit(77)
    recording.main([controls, without])
