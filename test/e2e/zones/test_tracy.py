#!/usr/bin/env python3
"""test_tracy.py --prof PROF --compiler COMPILER - programs that are marked for Tracy, with prof_tracy.h before its headers."""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

INCLUDE = programs.ROOT / "include"
GAME = {"frame": 3, "step": 3, "body": 12, "twice": 12, "fail": 3}
JOB = {"work": 1, "round": 5}
VALUES = {"game": {"bodies": [15, 255, 4095], "value": [4, 4, 4]}, "job": {"rounds": [0, 1, 2, 3, 4], "value": [0, 1, 2, 3, 4]}}
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}: {got!r}, not {wanted!r}")


def run(folder, *command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False, cwd=folder, stdin=subprocess.DEVNULL)


def build(options, folder, source, flags, output):
    compiler = options.compiler if source.endswith(".c") else options.compiler.replace("gcc", "g++").replace("clang", "clang++")
    done = run(folder, compiler, "-g", *flags, "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{HERE}", f"-I{INCLUDE}", "-include", "prof_tracy.h", HERE / source, "-o", output)
    equal(f"{source} {flags}: warnings", done.stderr, "")


def read(options, folder, *command):
    done = run(folder, options.prof, *command, "-i", "data", "--format=json")
    return json.loads(done.stdout) if done.returncode == 0 else {}


def check(options, folder, source, flags, zones):
    name = source.split(".")[0]
    what = f"{source} {' '.join(flags)}"
    build(options, folder, source, flags, name)
    equal(f"{what}: status", run(folder, options.prof, "record", "-o", "data", f"./{name}").returncode, 0)
    rows = read(options, folder, "report", "--by=zone").get("zones", [])
    equal(f"{what}: zones", {row["name"]: row["calls"] for row in rows}, zones)
    equal(f"{what}: lines", [row["name"] for row in rows if row["line"] == 0], [])
    cover = read(options, folder, "tree").get("cover", {})
    equal(f"{what}: unmatched, skipped", (cover.get("unmatched"), cover.get("skipped")), (0, 0))
    values = {}
    for event in read(options, folder, "replay").get("events", []):
        if event["event"] in ("counter", "value"):
            values.setdefault(event["name"], []).append(event["value"])
    equal(f"{what}: values", values, VALUES[name])


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-tracy-") as name:
        folder = pathlib.Path(name)
        for flags in (["-O0"], ["-O2"], ["-O2", "-fPIC"]):
            check(options, folder, "game.cc", flags, GAME)
            check(options, folder, "job.c", flags, JOB)
        build(options, folder, "game.cc", ["-O2", "-DPROF_NO_ZONES"], "none")
        build(options, folder, "job.c", ["-O2", "-DPROF_NO_ZONES", "-DPROF_TRACY_ONLY_ZONES"], "none")
    print("\n".join(faults) or "as marked")
    sys.exit(bool(faults))


main()
