#!/usr/bin/env python3
"""test_names.py --prof PROF --compiler COMPILER - static functions of one name in two files: see README.md."""
import collections
import csv
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

SOURCES = {"other.c": "other.c", "one.c": "x/part.c", "two.c": "y/part.c"}
CALLS = {"main": 1, "x_run": 1, "y_run": 1, "init (x/part.c)": 1, "init (y/part.c)": 2, "step (other.c)": 5, "step (part.c)": 3, "only": 1}
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}: {got!r}, not {wanted!r}")


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def run(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=500, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL)
        equal(f"{command}: status", (done.returncode, done.stderr if done.returncode else ""), (0, ""))
        return done.stdout

    def prof(self, *command):
        return self.run(self.options.prof, *command, "-i", "data")


def check(bench):
    report = bench.prof("report", "-f", "total,calls,name", "--width=0")
    equal("report", {name: int(calls) for calls, name in re.findall(r"(\d+)  (\S+(?: \(.*\))?)$", report, re.M)}, CALLS)
    tree = bench.prof("tree", "--min-share=0", "--width=0")
    equal("tree", sorted(re.findall(r"[a-z_]+(?: \([a-z/.]*\))?$", tree, re.M)), sorted(CALLS))
    callers = bench.prof("tree", "--callers=init", "--width=0")
    equal("callers", [name in callers for name in ("init (x/part.c)", "init (y/part.c)")], [True, True])
    bench.run(bench.options.prof, "flame", "-i", "data", "-o", "flame.svg")
    picture = (bench.folder / "flame.svg").read_text(encoding="utf-8")
    equal("flame", [name in picture for name in ("init (x/part.c)", "init (y/part.c)", "step (other.c)", "only (")], [True, True, True, False])


def check_plain(bench):
    """What programs read has the name; a pattern of the name means all."""
    functions = json.loads(bench.prof("report", "--format=json"))["functions"]
    equal("JSON", sorted((row["name"], pathlib.PurePath(row["file"]).parts[-1], row["calls"]) for row in functions if row["name"] in ("init", "step")),
          [("init", "part.c", 1), ("init", "part.c", 2), ("step", "other.c", 5), ("step", "part.c", 3)])
    rows = collections.Counter(row["name"] for row in csv.DictReader(io.StringIO(bench.prof("report", "--format=csv"))))
    equal("CSV", (rows["init"], rows["step"]), (2, 2))
    equal("-F", len(json.loads(bench.prof("report", "-F", "init", "--format=json"))["functions"]), 2)
    equal("-N", [row["name"] for row in json.loads(bench.prof("report", "-N", "init", "--format=json"))["functions"] if row["name"] == "init"], [])
    alone = bench.prof("report", "-F", "init", "--file=*x/part.c", "-f", "calls,name")
    equal("one alone", re.findall(r"\d  (init.*)$", alone, re.M), ["init"])


def calls_of(report):
    return {(row["name"], "/".join(pathlib.PurePath(row["file"]).parts[-2:])): row["calls"] for row in report["functions"]}


def check_patterns(bench):
    """A name as it is shown means that function, for readers and for the recorder."""
    for name, wanted in (("init (x/part.c)", {("init", "x/part.c"): 1}), ("init (y/part.c)", {("init", "y/part.c"): 2}), ("in*t (y/part.c:4)", {("init", "y/part.c"): 2}),
                         ("only (other.c)", {("only", "other.c"): 1}), ("init (part.c)", {("init", "x/part.c"): 1, ("init", "y/part.c"): 2})):
        equal(f"-F {name}", calls_of(json.loads(bench.prof("report", "-F", name, "--format=json"))), wanted)
    bench.run(bench.options.prof, "record", "-o", "kept", "-F", "init (y/part.c)", "./names")
    equal("record -F", calls_of(json.loads(bench.run(bench.options.prof, "report", "-i", "kept", "--format=json"))), {("init", "y/part.c"): 2})
    replay = bench.prof("replay", "--width=0")
    equal("replay", collections.Counter(re.findall(r"(\w+ \([a-z/.]*\))[;{ ]", re.sub(r"/\*.*", "", replay))),
          {name: calls for name, calls in CALLS.items() if "(" in name})
    diff = bench.run(bench.options.prof, "diff", "data", "data", "--min-share=0", "-n", 0)
    # to prof diff a file is its last part, as a build may lie elsewhere: both init are one
    equal("diff", [name in diff for name in ("init (", "step (part.c)", "step (other.c)", "only (")], [False, True, True, False])


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        flags = [*programs.plugin_flags(options.prof, options.compiler), "-fplugin-arg-prof-min-statements=0"]
        for source, name in SOURCES.items():
            (bench.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(HERE / source, bench.folder / name)
        bench.run(options.compiler, "-g", "-O1", *flags, *SOURCES.values(), "-o", "names")
        bench.run(options.prof, "record", "-o", "data", "./names")
        check(bench)
        check_plain(bench)
        check_patterns(bench)
    print("\n".join(faults) or "functions of one name are told apart where people read")
    return 1 if faults else 0


sys.exit(main())
