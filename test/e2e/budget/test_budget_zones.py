#!/usr/bin/env python3
"""test_budget_zones.py --prof PROF --compiler COMPILER - dense zones in recordings with a budget, see README.md."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import programs  # noqa: E402
import slices  # noqa: E402

STATUS, ROUNDS, DENSE, APART, DENSE_ZONES = 3, 400, 40000, 5000, ("small", "inlined", "outer", "inner", "each", "around")
TRIES = 10  # of what needs the recorder to run while the program does
# By node: what is around it.
PLACES = {"small": "small", "inlined": "has_inlined", "outer": "nested", "inner": "outer", "each": "looped", "around": "calls",
          "leaf": "around", "looped": "coarse", "calls": "coarse", "coarse": "round_of"}
FORMATS = ("folded", "speedscope", "chrome", "perfetto", "csv", "json", "callgrind", "pprof", "sqlite", "dot", "firefox")
READERS = (("report", "--by=zone"), ("report", "--under=outer"), ("report", "-N", "inner"), ("tree",), ("tree", "--under=coarse"), ("tree", "--loops"),
           ("tree", "--callers", "leaf"), ("flame",), ("loops",), ("lines",), ("verify",), ("info",), ("replay", "-F", "coarse"))
faults = []


def expect(what, good, shown=""):
    if not good:
        faults.append(f"{what}: {shown!r}")


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder = pathlib.Path(options.prof).resolve(), folder
        flags = [*programs.plugin_flags(options.prof, options.compiler), f"-I{HERE.parents[2] / 'include'}"]
        self.programs = {name: self.build(options.compiler, name, *words, *flags)
                         for name, words in (("c", ("-O2",)), ("cxx", ("-O2", "-x", "c++", "-fno-exceptions")), ("plain", ("-O0",)))}

    def build(self, compiler, name, *flags):
        command = [compiler, "-g", *flags, HERE / "dense_zones.c", "-o", self.folder / name, "-pthread"]
        done = self.run(command)
        if done.returncode:
            sys.exit(f"{command}: {done.stderr}")
        return self.folder / name

    def run(self, command):
        variables = {key: value for key, value in os.environ.items() if not key.startswith(("PROF_", "CUDA_", "NVTX_"))}
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, check=False,
                              cwd=self.folder, stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C"})

    def read(self, *words):
        done = self.run([self.prof, *words, "-i", "data", "--format=json"])
        expect(f"{words}: status", done.returncode == 0, done.stderr)
        return json.loads(done.stdout or "{}")

    def record(self, name, *words):
        """The zones by name, and the events."""
        done = self.run([self.prof, "record", "-o", "data", "--overhead=5%", self.programs[name], *words])
        expect(f"{name} {words}: status", done.returncode == STATUS, (done.returncode, done.stderr))
        self.said = done.stderr
        return {row["name"]: row for row in self.read("report", "--by=zone", "-n", "0").get("zones", [])}, self.read("info").get("events", 0)


def is_within(row, calls):
    return row.get("estimated") and row["calls_low"] <= calls <= (row["calls_high"] or calls)


def nodes_of(node, around=()):
    """Pairs of names: of a node, and of what is around it."""
    for child in node.get("children", []):
        yield child["name"].split("(")[0], around
        yield from nodes_of(child, child["name"].split("(")[0])


def find_places(bench):
    """Those that are missing, and all."""
    pairs = set(nodes_of({"children": bench.read("tree", "--min-share=0").get("roots", [])}))
    return {name: around for name, around in PLACES.items() if (name, around) not in pairs}, sorted(pairs, key=str)


def check_zones(bench, name, *words, times=1):
    """Known numbers are in the intervals, of most zones: each has one chance in twenty to be outside, and a busy machine has few windows."""
    what = f"{name} {words}"
    for _ in range(TRIES):
        zones, events = bench.record(name, *words)
        expect(f"{what}: coarse zones are exact", zones.get("coarse", {}).get("calls") == ROUNDS * times, zones.get("coarse"))
        expect(f"{what}: few events", 0 < events < ROUNDS * DENSE * times, events)
        expect(f"{what}: dense zones are in bursts", all(zones.get(zone, {}).get("estimated") for zone in DENSE_ZONES), zones)
        expect(f"{what}: the closing line", "zones recorded in bursts" in bench.said, bench.said)
        wrong, pairs = find_places(bench)
        within = [zone for zone in DENSE_ZONES if is_within(zones.get(zone, {}), ROUNDS * DENSE * times)]
        if faults or (not wrong and len(within) >= len(DENSE_ZONES) - 1):
            break
    expect(f"{what}: places", not wrong, (wrong, pairs))
    expect(f"{what}: calls", len(within) >= len(DENSE_ZONES) - 1, zones)
    own = {row["name"]: row["self_ns"] for row in bench.read("report", "-n", "0").get("functions", []) if row.get("kind") != "zone"}
    for host, zone in (("looped", "each"), ("small", "small")):
        expect(f"{what}: {host} has less time than its zone", own.get(host, 0) < zones[zone]["self_ns"], (own, zones[zone]))


def check_readers(bench):
    for words in READERS:
        done = bench.run([bench.prof, *words, "-i", "data"])
        expect(f"{words}: status", done.returncode == 0, done.stderr)
    for name in FORMATS:
        done = bench.run([bench.prof, "export", f"--format={name}", "-i", "data", "-o", "exported"])
        expect(f"export {name}", done.returncode == 0, done.stderr)


def check_c(bench):
    check_zones(bench, "c")
    check_readers(bench)


def check_cxx(bench):
    check_zones(bench, "cxx")


def check_thread(bench):
    check_zones(bench, "cxx", "thread", times=2)


def check_fork(bench):
    check_zones(bench, "c", "fork", times=2)


def check_plain(bench):
    """Without optimisation an end by line may be of any zone of its function: they change their states together."""
    check_zones(bench, "plain")


def check_apart(bench):
    """A zone that ends in another function is recorded always, and a line says what that costs."""
    zones, _ = bench.record("c", "apart")
    row = zones.get("apart", {})
    expect("apart: exact", row.get("calls") == ROUNDS * APART and not row.get("estimated"), row)
    expect("apart: the closing line", "zones that end in another function" in bench.said, bench.said)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--prof", "--compiler"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        for check in (check_c, check_cxx, *slices.turn((check_plain, check_thread, check_fork, check_apart), options.compiler, 2)):
            check(bench)
    for fault in faults:
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
