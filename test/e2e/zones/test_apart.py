#!/usr/bin/env python3
"""test_apart.py --prof PROF --compiler COMPILER - zones that end in another function than they began in, see README.md: what each
reader shows of them."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import programs  # noqa: E402
import slices  # noqa: E402

FLAGS = ["-O0", "-O1 -fno-optimize-sibling-calls", "-O2 -fno-optimize-sibling-calls", "-O3 -fno-optimize-sibling-calls", "-O2 -flto -fno-optimize-sibling-calls"]
# calls of each zone; unmatched exits, orphan calls
ZONES = {"callee": {"callee": 1, "file": 1}, "caller": {"caller": 1, "file": 1}, "overlap": {"overlap": 1, "a": 1, "b": 1, "c": 1, "d": 1},
         "loops": {"loops": 1, "a": 4, "file": 4}, "left": {"left": 1, "leaked": 100}, "named": {"named": 1, "n2": 1},
         "exceptions": {"exceptions": 1, "file": 3}}
ENDS = {"left": (0, 36), "loops": (0, 2)}  # of 100 left open 64 may pile up; longjmp leaves a call and a zone
# Zones and functions by path, below the functions that run a case: where they are, and how often they were left there.
PATHS = {"callee": {"callee [zone]/open_file": 1, "callee [zone]/open_file/file [zone]": 0, "callee [zone]/file [zone]": 1,
                    "callee [zone]/file [zone]/close_file": 0, "callee [zone]/close_file": 1},
         "caller": {"caller [zone]/upper/lower/file [zone]": 0, "caller [zone]/upper/file [zone]": 0, "caller [zone]/file [zone]": 1},
         "overlap": {"overlap [zone]/a [zone]": 1, "overlap [zone]/a [zone]/b [zone]": 0, "overlap [zone]/b [zone]": 1,
                     "overlap [zone]/c [zone]": 1, "overlap [zone]/c [zone]/d [zone]": 0, "overlap [zone]/d [zone]": 1},
         "loops": {"loops [zone]/a [zone]": 4, "loops [zone]/jump/file [zone]": 4},
         "named": {"named/n2 [zone]": 0, "n2 [zone]": 1, "end_named": 1},
         "exceptions": {"exceptions [zone]/throwing/file [zone]": 3}}
SNAPSHOT = "prof: this is snapshot-0001, the newest that holds calls; name another one with -i\n"
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}: {got!r}, not {wanted!r}")


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder, self.compiler = options.prof, folder, options.compiler
        self.plugin = programs.plugin_flags(options.prof, options.compiler)

    def run(self, *command):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        variables.update({key: value for key, value in os.environ.items() if key == "PROF_RUNTIME"})
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C"})

    def build(self, flags, language, plugin=True):
        compiler = self.compiler if language == "c" else self.compiler.replace("gcc", "g++").replace("clang", "clang++")
        lld = [f"-fuse-ld=lld-{self.compiler.split('-')[1]}"] if "clang" in self.compiler and "-flto" in flags else []
        command = [compiler, "-g", *shlex.split(flags), *lld, *(self.plugin if plugin else []), f"-I{programs.ROOT / 'include'}", "-x",
                   language, HERE / "apart.cc", "-o", "apart"]
        equal(f"{flags} {language}: warnings", self.run(*command).stderr, "")

    def record(self, word, *options):
        equal(f"{word} {options}: status", self.run(self.prof, "record", "-o", "data", *options, "./apart", word).returncode, 3)

    def read(self, *command):
        done = self.run(self.prof, command[0], "-i", "data", "--format=json", *command[1:])
        equal(f"{command}: status", (done.returncode, done.stderr.replace(SNAPSHOT, "")), (0, ""))
        return json.loads(done.stdout) if done.returncode == 0 else {}


def paths_of(nodes, path=""):
    for node in nodes:
        name = node["name"].split("(")[0] + (" [zone]" if node.get("kind") == "zone" else "")  # Clang's C++ names have parameters
        yield f"{path}/{name}", node
        yield from paths_of(node["children"], f"{path}/{name}")


def figures(bench):
    return {row["name"]: row for row in bench.read("report", "--by=zone").get("zones", [])}


def times(bench):
    return {name: (row["total_ns"], row["min_ns"], row["max_ns"]) for name, row in figures(bench).items()}


def check_tree(bench, what, word):
    tree = bench.read("tree", "--min-share=0")
    found = dict(paths_of(tree.get("roots", [])))
    for path, calls in PATHS.get(word, {}).items():
        got = [node["calls"] for full, node in found.items() if full.endswith("/" + path) and full.count("/") < path.count("/") + 4]
        equal(f"{what}: calls of {path}", got[:1], [calls])
    for path, node in found.items():  # pieces are taken off the right places
        inside = sum(child["total_ns"] for child in node["children"])
        equal(f"{what}: {path} holds its calls", inside <= node["total_ns"] + 3 * len(node["children"]), True)
        equal(f"{what}: {path} has a time", node["self_ns"] >= 0 and node["total_ns"] < 10**12, True)
    cover = tree.get("cover", {})
    equal(f"{what}: unmatched, skipped", (cover.get("unmatched"), cover.get("skipped")), ENDS.get(word, (0, 0)))


def check_calls(bench, what, word):
    """Each call once, and as long, in each reader."""
    rows = figures(bench)
    equal(f"{what}: zones", {name: row["calls"] for name, row in rows.items()}, ZONES[word])
    events = bench.read("replay", "--time=elapsed").get("events", [])
    last = [event for event in events if event["event"] == "leave" and event.get("kind") == "zone" and not event.get("goes_on")]
    first = [event for event in events if event["event"] == "enter" and event.get("kind") == "zone" and not event.get("goes_on")]
    equal(f"{what}: replay", (len(first), len(last)), (sum(ZONES[word].values()), sum(ZONES[word].values())))
    depth = 0
    for event in events:  # entries and exits fit, at all places
        depth -= event["event"] == "leave"
        equal(f"{what}: depth in replay", event["depth"], depth)
        depth += event["event"] == "enter"
    for name in ZONES[word] if word != "left" else ():  # those nest: one is the slowest
        longest = bench.read("slowest", "-F", f"{name} [zone]", "-n", "200").get("calls", [])
        equal(f"{what}: slowest {name}", len(longest), ZONES[word][name])
        spans = sorted(event["duration_ns"] for event in last if event["name"] == name)
        equal(f"{what}: durations of {name}", sorted(call["duration_ns"] for call in longest), spans)
    timeline = bench.run(bench.prof, "export", "-i", "data", "--format=csv", "--timeline").stdout.splitlines()
    equal(f"{what}: rows of calls", sum("[zone]" in line for line in timeline), sum(ZONES[word].values()))


def check_under(bench, what):
    """What ran beneath a zone, wherever that was."""
    roots = bench.read("tree", "--under=file", "--min-share=0").get("roots", [])
    equal(f"{what}: under", [(node["name"], node["calls"]) for node in roots], [("file", 1)])
    children = {node["name"].split("(")[0]: node["calls"] for node in roots[0]["children"]} if roots else {}
    equal(f"{what}: beneath", (sum(calls for name, calls in children.items() if name.startswith("work")) >= 2, "close_file" in children), (True, True))


def check_others(bench):
    """Summary, ring, parts, budget, filters while recording."""
    bench.record("callee", "--mode=summary")
    equal("summary", {name: row["calls"] for name, row in figures(bench).items()}, ZONES["callee"])
    found = dict(paths_of(bench.read("tree", "--min-share=0").get("roots", [])))
    equal("summary: paths", [node["calls"] for path, node in found.items() if path.endswith("callee [zone]/file [zone]")], [1])
    bench.record("overlap", "--mode=ring")
    equal("ring", {name: row["calls"] for name, row in figures(bench).items()}, ZONES["overlap"])
    bench.record("caller", "--overhead=50%")
    equal("budget", {name: row["calls"] for name, row in figures(bench).items()}, ZONES["caller"])
    bench.record("callee", "-N", "work")
    equal("without work", {name: row["calls"] for name, row in figures(bench).items()}, ZONES["callee"])
    bench.record("callee", "-F", "callee")
    check_tree(bench, "only callee", "callee")
    bench.record("loops", "-F", "file [zone]")
    equal("only file", figures(bench)["file"]["calls"], 4)


def check_plain(bench):
    """Without the plugin there are no functions, and zones nest as they overlap."""
    bench.build("-O2", "c", False)
    for word in ("callee", "caller", "overlap", "left"):
        bench.record(word)
        equal(f"{word}, plain", {name: row["calls"] for name, row in figures(bench).items()}, ZONES[word])


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-apart-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        for flags in slices.turn(FLAGS, bench.compiler, 2):
            for language in ("c", "c++"):
                bench.build(flags, language)
                for word in ZONES:
                    if word == "exceptions" and language == "c":
                        continue
                    bench.record(word)
                    check_tree(bench, f"{flags} {language} {word}", word)
                    check_calls(bench, f"{flags} {language} {word}", word)
                    if word == "callee":
                        check_under(bench, f"{flags} {language}")
        check_others(bench)
        check_plain(bench)
    print("\n".join(faults) or f"{len(ZONES)} cases")
    sys.exit(bool(faults))


main()
