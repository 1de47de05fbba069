#!/usr/bin/env python3
"""Parallel regions of OpenMP stand under what forked them, in whichever thread they ran; with GCC and each Clang that has a runtime.
Time that a thread spins at a barrier is waiting."""
import os
import pathlib
import shutil
import subprocess

import recording
from recording import PROGRAMS, equal

REGIONS = {"main/first/solve/region": 20, "main/second/solve/region": 40, "main/outer/region": 2, "main/outer/region/inner/region": 4}
CLANGS = [f"clang-{major}" for major in (14, 16, 17, 18, 19)]


def paths_of(branch, outer=()):
    name = "region" if "[parallel region" in branch["name"] else branch["name"]
    path = (*outer, name)
    yield "/".join(path), branch["calls"]
    for child in branch.get("children", []):
        yield from paths_of(child, path)


def check(bench, name, program):
    bench.record(program=program, environment={"OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}, options=["-o", name])
    tree = bench.read("tree", name)
    found = dict(path for branch in tree["roots"] for path in paths_of(branch))
    regions = {path: calls for path, calls in found.items() if path.endswith("region")}
    equal(f"{name}: regions", regions, REGIONS)
    calls = {row["name"]: row["calls"] for row in bench.read("report", name)["functions"]}
    equal(f"{name}: main's calls", calls["main"], 1)
    equal(f"{name}: work's calls", calls["work"], 64)


def gcc(bench):
    program = bench.folder / "regions"
    bench.build("regions.c", program, ["-fopenmp", "-fno-optimize-sibling-calls"])
    check(bench, "gcc", program)


def clang(bench):
    plugins = pathlib.Path(bench.options.plugin).parent
    libraries = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so")) # one version can be installed: it serves all
    for compiler in CLANGS:
        if not shutil.which(compiler) or not (plugins / f"prof-{compiler}.so").exists() or not libraries:
            print(f"{compiler}: not here")
            continue
        program = bench.folder / compiler
        own = subprocess.run([compiler, "-print-file-name=libomp.so"], capture_output=True, text=True, check=True).stdout.strip()
        where = [] if os.path.isabs(own) else [f"-L{libraries[-1].parent}"]
        subprocess.run([compiler, "-g", "-O2", "-fopenmp", "-fno-optimize-sibling-calls", f"-fplugin={bench.options.plugin}",
                        PROGRAMS / "regions.c", "-o", program, *where], check=True)
        check(bench, compiler + ".data", program)


def spins(bench):
    if len(os.sched_getaffinity(0)) < 2:
        print("one processor: threads don't spin")
        return
    program = bench.folder / "spins"
    bench.build("spins.c", program, ["-fopenmp", "-fno-optimize-sibling-calls"])
    bench.record(program=program, environment={"OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "active"}, options=["-o", "spins.data"])
    cover = bench.read("report", "spins.data")["cover"]
    if "waiting_ns" not in cover:
        print("no scheduler switches here")
        return
    equal("some time was spun", cover.get("spinning_ns", 0) > 0, True)
    equal("of the waiting", cover["spinning_ns"] <= cover["waiting_ns"], True)
    equal("parts add up", cover["running_ns"] + cover["waiting_ns"] + cover["preempted_ns"], cover["inside_ns"])


if __name__ == "__main__":
    recording.main([gcc, clang, spins])
