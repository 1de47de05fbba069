#!/usr/bin/env python3
"""test_iterations.py --prof PROF --compiler COMPILER - single iterations of loops, see README.md."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import programs  # noqa: E402
import slices  # noqa: E402

ASK = "-fplugin-arg-prof-iterations="
FLAGS = ["-O2", "-O0", "-O1", "-O3 -march=x86-64-v3 -funroll-loops", "-O3 -ffast-math", "-O2 -flto", "-O0 -flto", "-O2 -fPIC -masm=intel",
         "-Os -ffunction-sections -Wl,--gc-sections", "-O2 -fplugin-arg-prof-loops=all -fplugin-arg-prof-loop-counts=all", "-O2 -fplugin-arg-prof-loops=none",
         "-O2 -g0"]
# function: iterations of its outermost loops, in the order of the source
PLAIN = {"work": None, "counted": [12], "fixed": [4], "vector": [100], "nested": [5, 2], "ways": [22, 22], "returns": [4], "leaves": [3], "scans": [3],
         "recursive": [3 + 6 + 6], "caught": [5], "again": [4 + 6], "inlined": [9], "once": [6], "unnamed": [3, 3]}
CXX = {"work": None, "ranged": [4], "thrown": [3, 6], "passes": [1 + 2 + 3], "outer": [3], "sums": [3 + 6], "operator()": [7]}
PARALLEL = {"shared": [40], "joined": [20], "around": [3]}
# Loops that both compilers count exactly, and as one: no pass changes them once their iterations have probes.
COMPARED = ("counted", "vector", "nested", "returns")
CALLED = {"nested": [("work", 15 + 2)], "returns": [("work", 3), ("counted", 1)], "recursive": [("recursive", 15)]}
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}:\n  {got!r}, not\n  {wanted!r}"[:3000])


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder, self.compiler = options.prof, folder, options.compiler
        self.plugin = programs.plugin_flags(options.prof, options.compiler)

    def run(self, *command):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        return subprocess.run([str(word) for word in command], capture_output=True, timeout=900, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C", "ASAN_OPTIONS": "detect_leaks=0"})

    def build(self, flags, chosen, source="loops.c", plugin=True):
        compiler = self.compiler if source.endswith(".c") else self.compiler.replace("gcc", "g++").replace("clang", "clang++")
        lld = [f"-fuse-ld=lld-{self.compiler.split('-')[1]}"] if "clang" in self.compiler and "-flto" in flags else []
        output = self.folder / f"program{len(list(self.folder.iterdir()))}"
        words = [word for word in shlex.split(flags) if plugin or "plugin" not in word]
        done = self.run(compiler, "-g", *(self.plugin if plugin else []), *words, *lld, *([ASK + chosen] if chosen and plugin else []), HERE / source, "-o", output)
        if source == "parallel.c" and done.returncode:
            return None  # this compiler has no OpenMP here
        equal(f"{compiler} {flags}", (done.returncode, done.stderr.decode()), (0, ""))
        return output

    def record(self, program, *options):
        done = self.run(self.prof, "record", "-o", "data", *options, program)
        equal(f"{program}: record", done.returncode, 0)
        return done.stdout

    def read(self, command, *options, status=0):
        done = self.run(self.prof, command, "-i", "data", "--format=json", *options)
        equal(f"{command} {options}: status", (done.returncode, done.stderr), (status, b"" if status == 0 else done.stderr))
        return json.loads(done.stdout) if done.stdout else {}


def rows_of(bench, what, wanted):
    """The rows of --by=iteration; each function has those that are wanted."""
    rows = bench.read("report", "--by=iteration", "--raw").get("iterations", [])
    found = {}
    for row in sorted(rows, key=lambda row: row["line"]):
        match = re.fullmatch(r"loop (loops\.c|loops\.cc|parallel\.c):(\d+) in (\S+)", row["name"])
        equal(f"{what}: {row['name']}", bool(match) and (int(match[2]), pathlib.Path(row["file"]).name), (row["line"], match and match[1]))
        if match:
            found.setdefault(match[3], []).append(row["calls"])
    named = {name: counts for name, counts in found.items() if wanted.get(name, []) is not None}
    equal(what, named, {name: counts for name, counts in wanted.items() if counts})
    return rows


def against_loops(bench, what, rows):
    """As many as the loop counts, where it does; not longer than the loop."""
    loops = {}
    for loop in bench.read("loops", "--raw").get("loops", []):
        loops.setdefault((pathlib.Path(loop["file"]).name, loop["line"]), []).append(loop)
    compared = 0
    for row in rows:
        same = loops.get((pathlib.Path(row["file"]).name, row["line"]), [])
        if len(same) != 1 or same[0]["function"] != row["name"].split()[-1] or same[0]["function"] not in COMPARED:
            continue  # or the compiler has made several functions
        compared += 1
        equal(f"{what}: {row['name']}: iterations of prof loops", same[0]["iterations"], row["calls"])
        if same[0]["total_ns"] < row["total_ns"]:
            faults.append(f"{what}: {row['name']}: {row['total_ns']} ns in iterations, {same[0]['total_ns']} in the loop")
    return compared


def nodes_of(nodes, around=()):
    for node in nodes:
        yield node, around
        yield from nodes_of(node["children"], (*around, node))


def tree_of(bench, what):
    """Iterations stand beneath their function, and what their bodies call beneath them."""
    calls = {}
    for node, around in nodes_of(bench.read("tree", "--min-share=0").get("roots", [])):
        if node.get("kind") == "iteration":
            name = node["name"].split()[-1]
            outside = "main" if name == "inlined" else name
            equal(f"{what}: around {node['name']}", around[-1]["name"].partition(".")[0], outside)
        elif around and around[-1].get("kind") == "iteration":
            key = around[-1]["name"].split()[-1], node["name"].partition(".")[0]
            calls[key] = calls.get(key, 0) + node["calls"]
    for name, called in CALLED.items():
        for inner, count in called:
            equal(f"{what}: {inner} in iterations of {name}", calls.get((name, inner)), count)


def check(bench, what, source, flags, wanted):
    program = bench.build(flags, "*", source)
    if program is None:
        return
    plain = bench.run(bench.build(flags, None, source, plugin=False)).stdout
    equal(f"{what}: off", bench.run(program).stdout, plain)
    equal(f"{what}: on", bench.record(program), plain)
    rows = rows_of(bench, what, wanted)
    if "loops=none" not in flags:
        compared = against_loops(bench, what, rows)
        equal(f"{what}: loops with both figures", compared > 0 or source != "loops.c" or "-g0" in flags, True)
    cover = bench.read("tree").get("cover", {})
    equal(f"{what}: unmatched", cover.get("unmatched"), 0)
    if source == "loops.c":
        tree_of(bench, what)


def shapes(bench):
    for flags in slices.turn(FLAGS, bench.compiler, 3):
        check(bench, f"{flags} loops.c", "loops.c", flags, PLAIN)
        # Clang leaves constexpr functions out.
        check(bench, f"{flags} loops.cc", "loops.cc", flags, CXX if "clang" in bench.compiler else {**CXX, "folded": [5]})


def parallel(bench):
    for flags in ("-O0 -fopenmp", "-O2 -fopenmp"):
        check(bench, f"{flags} parallel.c", "parallel.c", flags, PARALLEL)


def named(bench):
    """Only the named ones; a pattern that names nothing, or a function without a loop, does nothing."""
    text = (HERE / "loops.c").read_text().splitlines()
    line = next(i for i, row in enumerate(text, 1) if "/* LINE */" in row)
    for chosen, wanted in ((f"loops.c:{line},vec*", {"unnamed": [3], "vector": [100]}), (f"*/iterations/loops.c:{line}", {"unnamed": [3]}),
                           (f"loops.c:{line + 1}", {"unnamed": [6]})):
        bench.record(bench.build("-O2", chosen))
        rows_of(bench, chosen, wanted)
    for chosen in ("nothing", "jump", "loops.c:1", None):
        bench.record(bench.build("-O2", chosen))
        done = bench.run(bench.prof, "report", "-i", "data", "--by=iteration")
        equal(f"{chosen}: status", (done.returncode, b"were not asked for at compile time" in done.stderr), (1, True))
    program = bench.build("-O2 -fplugin-arg-prof-exclude=counted -fplugin-arg-prof-include=fixed -fplugin-arg-prof-probe=annotated", "counted,nested")
    bench.record(program)
    rows_of(bench, "exclude wins, the rest is instrumented", {"nested": [5, 2]})


def readers(bench):
    bench.record(bench.build("-O2", "*"))
    name = next(row["name"] for row in bench.read("report", "--by=iteration").get("iterations", []) if row["name"].endswith("in returns"))
    calls = bench.read("slowest", "-F", name, "-n", "3").get("calls", [])
    equal("slowest", [call["name"] for call in calls], [name] * 3)
    inside = {node["name"].partition(".")[0] for call in calls for node in call["tree"]}
    equal("its subtree", bool(inside & {"work", "counted"}), True)
    for limit, status in (("1000000s", 0), ("1ns", 1)):
        bench.read("report", "--by=iteration", f"--slo={name} max < {limit}", status=status)
    roots = bench.read("tree", f"--under={name}", "--min-share=0").get("roots", [])
    equal("under", [(root["name"], root["calls"]) for root in roots], [(name, 4)])
    zones = bench.run(bench.prof, "report", "-i", "data", "--by=zone")
    equal("zones: none", zones.returncode, 1)
    folded = bench.run(bench.prof, "export", "-i", "data", "--format=folded").stdout.decode()
    equal("folded", f";{name} [iteration];counted" in folded, True)


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-iterations-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        cases = slices.of_code_and_readers((shapes, parallel), (named, readers), options.compiler, programs.compilers(options.prof))
        for case in cases:
            case(bench)
    print("\n".join(faults) or f"{len(cases)} cases")
    sys.exit(bool(faults))


main()
