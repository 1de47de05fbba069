#!/usr/bin/env python3
"""The module of prof.f90: a Fortran program names its thread, switches, clears and asks its recording, and reports zones and points; without the plugin it runs as it is."""
import json
import shutil
import subprocess
import sys

import recording
from recording import PROGRAMS, equal

MODULE = recording.HERE.parents[2] / "include/prof.f90"


def build(bench, output, *flags, program="solve.f90"):
    for source, made in ((MODULE, "prof.o"), (PROGRAMS / program, "program.o")):
        subprocess.run(["gfortran", "-g", "-O1", "-Wall", "-Werror", *flags, "-c", source, "-o", made], cwd=bench.folder, check=True)
    subprocess.run(["gfortran", "prof.o", "program.o", "-o", output], cwd=bench.folder, check=True)


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


def zones_and_points(bench):
    build(bench, "steps", f"-fplugin={bench.options.plugin}", program="zones.f90")
    equal("status", bench.record(program=bench.folder / "steps").returncode, 0)
    rows = json.loads(bench.run([bench.prof, "report", "--by=zone", "--format=json"]).stdout)["zones"]
    equal("zones", {row["name"]: row["calls"] for row in rows}, {"assemble 1": 1, "assemble 2": 1, "assemble 3": 1, "inner": 3, "request": 3})
    tree = bench.run([bench.prof, "tree", "--min-share=0", "--format=json"]).stdout
    below = {(one["name"], two["name"], three["name"]) for one in walk(json.loads(tree)["roots"]) for two in one["children"] for three in two["children"]}
    equal("inner in assemble in the program", ("steps", "assemble 2", "inner") in below, True)
    equal("a call in a zone", ("assemble 2", "inner", "steps::assemble") in below, True)
    frames = json.loads(bench.run([bench.prof, "report", "--by=frame", "--format=json"]).stdout)["frames"]
    equal("frames", [(row["name"], row["count"]) for row in frames], [("step", 2)])
    events = json.loads(bench.run([bench.prof, "replay", "--format=json"]).stdout)["events"]
    values = [(event["name"], event["value"]) for event in events if event["event"] == "counter"]
    equal("counters", values[-4:], [("residual", 1), ("error", 0.5), ("cells", 3000), ("bytes", 5000000000)])
    values = [(event["name"], event["value"]) for event in events if event["event"] == "value"]
    equal("values", values[-4:], [("cells", 30), ("share", 0.75), ("long", 6000000000), ("double", -0.5)])
    equal("values are in zones", min(event["depth"] for event in events if event["event"] == "value") >= 3, True)
    requests = json.loads(bench.run([bench.prof, "report", "--by=request", "--format=json"]).stdout)["requests"]
    equal("requests", sorted((row["id"], row["parts"]) for row in requests), [("7", 1), ("8", 2)])
    equal("marks", [event["name"] for event in events if event["event"] == "mark"], ["solved"])
    spans = json.loads(bench.run([bench.prof, "report", "--by=span", "--format=json"]).stdout)["spans"]
    equal("spans", [(row["name"], row["count"]) for row in spans], [("exchange", 3)])
    build(bench, "bare-steps", program="zones.f90")
    equal("without the plugin", bench.run([bench.folder / "bare-steps"]).stdout.split(), ["done"])


def walk(nodes):
    for node in nodes:
        yield node
        yield from walk(node["children"])


if __name__ == "__main__":
    if not shutil.which("gfortran"):
        print("skipped: no gfortran")
        sys.exit(77)
    recording.main([controls, without, zones_and_points])
