#!/usr/bin/env python3
"""test_points.py --prof PROF --compiler COMPILER - what a program reports by prof.h, see README.md."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
sys.path.insert(0, str(HERE.parents[1] / "support"))
import programs  # noqa: E402
import slices  # noqa: E402

STATUS = 3
LONG = "n" * 65536
FLAGS = ["-O0", "-O2", "-O3 -fPIC -masm=intel", "-O2 -flto", "-Os -ffunction-sections -Wl,--gc-sections"]
STRICT = "-Wall -Wextra -Wshadow -Wpedantic -Wno-overlength-strings -Werror"
POINTS = ("mark", "frame", "counter", "value")
THIRD = -1 / 3
CLEAN = [("mark", 'a %s %% {att|intel} "quoted" \\ \t$0'),
         *[point for i in range(4)
           for point in [("frame", "frame"), ("mark", LONG if i & 1 else "(empty)"), ("value", "next", i + 1), ("value", "inlined", i), ("value", "x", i)]],
         *[("counter", "signed", value) for value in (-2 ** 63, -1, 0, 2 ** 63 - 1)],
         ("counter", "unsigned", 2 ** 64 - 1, "bytes"), ("counter", "short", -2), ("counter", "char", 65), ("counter", "enum", 3),
         ("counter", "float", 0.5, "%"), ("counter", "double", THIRD, "%"), ("counter", "double", None, "%"), ("counter", "double", None, "%"),
         *[("frame", "thread's")] * 3]
faults = []


def equal(what, got, wanted):
    if got != wanted:
        at = next((i for i, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), 0) if isinstance(got, list) else None
        pair = (got, wanted) if at is None else (got[at:at + 3], wanted[at:at + 3])
        faults.append(f"{what}: {pair[0]!r}, not {pair[1]!r}".replace(LONG, "LONG")[:2000])


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder, self.compiler = options.prof, folder, options.compiler
        self.plugin = programs.plugin_flags(options.prof, options.compiler)
        (folder / "long_name.h").write_text(f'#define LONG_NAME "{LONG}"\n')

    def run(self, *command):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        return subprocess.run([str(word) for word in command], capture_output=True, timeout=900, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C"})

    def build(self, flags, plugin, language="c"):
        compiler = self.compiler if language == "c" else self.compiler.replace("gcc", "g++").replace("clang", "clang++")
        lld = [f"-fuse-ld=lld-{self.compiler.split('-')[1]}"] if "clang" in self.compiler and "-flto" in flags else []
        output = self.folder / "points"
        done = self.run(compiler, "-g", *shlex.split(flags), *lld, *(self.plugin if plugin else []), "-pthread", f"-I{programs.ROOT / 'include'}",
                        f"-I{self.folder}", "-x", language, HERE / "points.c", "-o", output, "-lm")
        equal(f"{compiler} {flags}", (done.returncode, done.stderr.decode()), (0, ""))
        return output

    def record(self, program, word, *options):
        done = self.run(self.prof, "record", "-o", "data", *options, program, word)
        equal(f"{word}: status", done.returncode, STATUS)
        return done.stdout

    def read(self, *command):
        done = self.run(self.prof, *command, "-i", "data", "--format=json")
        equal(f"{command}: status", done.returncode, 0)
        return json.loads(done.stdout) if done.returncode == 0 else {}


def reported(bench):
    """Points in the order of time, threads one after another."""
    events = [event for event in bench.read("replay").get("events", []) if event["event"] in POINTS]
    order = {tid: i for i, tid in reversed(list(enumerate(event["tid"] for event in events)))}
    return [tuple(event[key] for key in ("event", "name", "value", "unit") if key in event) for event in sorted(events, key=lambda event: order[event["tid"]])]


def shapes(bench):
    for flags in slices.turn(FLAGS, bench.compiler, 2):
        for plugin in (False, True):
            for language in ("c", "c++"):
                what = f"{flags} {language} {'with' if plugin else 'without'} the plugin"
                program = bench.build(f"{flags} {STRICT}", plugin, language)
                equal(f"{what}: output", bench.record(program, "clean"), b"evaluated 4\n")
                equal(what, reported(bench), CLEAN)
                frames = {frame["name"]: frame["count"] for frame in bench.read("report", "--by=frame").get("frames", [])}
                equal(f"{what}: frames", frames, {"frame": 3, "thread's": 2})
    equal("off", bench.run(program, "clean").stdout, b"evaluated 4\n")


def calls_of_values(bench):
    """With the plugin a value belongs to the call that reports it; with a budget too: such calls are always recorded."""
    program = bench.build("-O2", True)
    for options in ((), ("--overhead=5%",)):
        bench.record(program, "dense", *options)
        events = bench.read("replay").get("events", [])
        values = [event for event in events if event["event"] == "value"]
        named = [event for event in events if "name" in event]
        around = {named[i - 1]["name"] for i, event in enumerate(named) if event["event"] == "value"}
        equal(f"{options}: values", (len(values), around), (100000, {"small"}))


def pauses(bench):
    bench.record(bench.build("-O2", False), "paused")
    equal("paused", reported(bench), [("mark", "before"), ("mark", "after")])


def requests(bench):
    """Parts of two threads, spans from one to the other; with the plugin and without, in both languages."""
    for language, plugin, flags in (("c", False, "-O0"), ("c", True, "-O2"), ("c++", False, "-O2 -flto"), ("c++", True, "-O0")):
        what = f"requests, {flags} {language} {plugin}"
        bench.record(bench.build(f"{flags} {STRICT}", plugin, language), "requests")
        rows = bench.read("report", "--by=request").get("requests", [])
        equal(what, sorted((row["id"], row["parts"], row["threads"], row["cut"]) for row in rows), [("7", 4, 2, False), ("8", 4, 2, False)])
        equal(f"{what}: busy", [0 < row["busy_ns"] < row["duration_ns"] for row in rows], [True, True])
        spans = bench.read("report", "--by=span")
        equal(f"{what}: spans", ([(row["name"], row["count"]) for row in spans.get("spans", [])], spans.get("unfinished_spans"), spans.get("unmatched_ends")),
              ([("queued", 2)], 1, 0))
        zones = {row["name"]: row["calls"] for row in bench.read("report", "--by=zone").get("zones", [])}
        equal(f"{what}: zones", zones, {"request": 8})


def exports(bench):
    bench.record(bench.build("-O2", False), "clean")
    for form in ("chrome", "perfetto"):
        equal(form, bench.run(bench.prof, "export", "-i", "data", f"--format={form}", "-o", f"data.{form}").returncode, 0)
    events = json.loads((bench.folder / "data.chrome").read_text())["traceEvents"]
    counters = [event for event in events if event["ph"] == "C"]
    equal("chrome: counters", [event["args"] for event in counters if event["name"] == "double"], [{"%": THIRD}])
    equal("chrome: marks", sum(event.get("cat") == "mark" for event in events), 5)
    done = bench.run(bench.prof, "report", "-i", "data")
    equal("no calls", (done.returncode, b"no calls" in done.stderr), (1, True))


def absent(bench):
    """By wish the macros do nothing but evaluate, and still refuse names that are no literals."""
    program = bench.build("-O2 -DPROF_NO_ZONES", False)
    equal("absent: output", bench.run(program, "clean").stdout, b"evaluated 4\n")
    equal("absent: rows", b"prof_rows" in program.read_bytes(), False)
    (bench.folder / "wrong.c").write_text('#include <prof.h>\nvoid f(const char *name);\nvoid f(const char *name) { PROF_MARK(name); }\n')
    equal("a name that is no literal", bench.run(bench.compiler, f"-I{programs.ROOT / 'include'}", "-c", "wrong.c").returncode != 0, True)


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-points-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        cases = slices.of_code_and_readers((shapes, requests, absent), (calls_of_values, pauses, exports), options.compiler, programs.compilers(options.prof))
        for case in cases:
            case(bench)
    print("\n".join(faults) or f"{len(cases)} cases")
    sys.exit(bool(faults))


main()
