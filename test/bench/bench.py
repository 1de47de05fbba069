#!/usr/bin/env python3
"""bench.py --build BUILD [--only NAME,...] - prints what prof costs as a table of ratios; see README.md.

BENCH_QUICK=1: smaller inputs and fewer turns.  Exit status 0 when everything could be measured, whatever came out.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e" / "programs"))
import measuring  # noqa: E402
import programs  # noqa: E402
import rows_budget  # noqa: E402
import rows_cost  # noqa: E402
import rows_counters  # noqa: E402
import rows_counts  # noqa: E402
import rows_drain  # noqa: E402
import rows_floor  # noqa: E402
import rows_flops  # noqa: E402
import rows_inclusive  # noqa: E402
import rows_join  # noqa: E402
import rows_lines  # noqa: E402
import rows_measures  # noqa: E402
import rows_peers  # noqa: E402
import rows_processes  # noqa: E402
import rows_rings  # noqa: E402
import rows_rotation  # noqa: E402
import rows_sampling  # noqa: E402
import rows_size  # noqa: E402
import rows_times  # noqa: E402
import rows_tiny  # noqa: E402
import rows_tools  # noqa: E402
import rows_top  # noqa: E402
import rows_vector  # noqa: E402
import rows_view  # noqa: E402
import rows_zones  # noqa: E402
from measuring import Row, print_table, progress, quick, run  # noqa: E402


NO_LOOPS = "-fplugin-arg-prof-loops=none"


class Builds:
    """The programs that are measured, built when first asked for, and the sizes of what they are given."""
    max_size = "40G"

    def __init__(self, build):
        self.build = build
        self.source = HERE
        self.prof = build / "tools" / "prof"
        if not self.prof.exists():
            sys.exit(f"bench: there is no {self.prof}: make build")
        self.folder = build / "bench"
        self.folder.mkdir(exist_ok=True)
        self.use(programs.default_compiler())
        cores = sorted(os.sched_getaffinity(0))
        self.core = str(cores[-1])
        self.two_cores = ",".join(map(str, cores[-2:]))
        self.lua_size, self.large_lua_size = (10, 20) if quick() else (90, 135)
        self.sqlite_size = 20 if quick() else 100
        self.text_megabytes = 10 if quick() else 100
        self.two_rdtsc, self.peak = (self.small_program(name) for name in ("two_rdtsc", "peak"))

    def use(self, compiler):
        """What is built from now on is built by this compiler."""
        self.compiler = compiler
        self.plugin_flags = programs.plugin_flags(self.prof, compiler)

    def small_program(self, name):
        run([self.compiler, "-O2", HERE / f"{name}.c", "-o", self.folder / name])
        return self.folder / name

    def flags(self, variant):
        """What is added to the plain command: variant "plain", "plugin" or "functions" (the plugin with loops=none)."""
        return {"plain": [], "plugin": self.plugin_flags, "functions": [*self.plugin_flags, NO_LOOPS]}[variant]

    def program(self, name, variant):
        flags = ["-g", "-O2", *self.flags(variant)]
        return programs.build(name, f"bench-{variant}", self.compiler, flags, self.folder / self.compiler)


def tool_rows(builds):
    data, events = rows_tools.large_trace(builds)
    yield from rows_tools.speed_rows(builds, data, events)
    yield from rows_tools.memory_rows(builds, data, events)


# What a compiler has a say in: measured for each of --compilers.
BY_COMPILER = {
    "floor": rows_floor.floor_rows,
    "off": rows_cost.off_rows,
    "vector": rows_vector.vector_rows,
    "times": rows_times.time_rows,
    "tiny": rows_tiny.tiny_rows,
    "size": rows_size.size_rows,
    "compile": rows_size.compile_rows,
    "zones": rows_zones.zone_rows,
}
SECTIONS = BY_COMPILER | {
    "on": rows_cost.on_rows,
    "budget": rows_budget.budget_rows,
    "counters": rows_counters.counter_rows,
    "counts": rows_counts.count_rows,
    "flops": rows_flops.flop_rows,
    "drain": rows_drain.drain_rows,
    "inclusive": rows_inclusive.inclusive_rows,
    "jitter": rows_floor.jitter_rows,
    "join": rows_join.join_rows,
    "tools": tool_rows,
    "top": rows_top.top_rows,
    "view": rows_view.view_rows,
    "lines": rows_lines.line_rows,
    "rings": rows_rings.ring_rows,
    "rotation": rows_rotation.rotation_rows,
    "processes": rows_processes.process_rows,
    "sampling": rows_sampling.sampling_rows,
    "measures": rows_measures.measure_rows,
    "peers": rows_peers.peer_rows,
}


def measure(rows, mark, name, builds):
    """Adds the rows of a section; False when it could not be measured, which is a row as well."""
    progress(f"== {mark}{name}")
    try:
        for row in SECTIONS[name](builds):
            row.what = mark + row.what
            rows.append(row)
            progress(f"{row.what}: {row.measured} {row.note}")
        return True
    except SystemExit:
        rows.append(Row(mark + name, "could not be measured", note="what it needs can't be had here: the reason stands above the table"))
        return False
    except (RuntimeError, OSError, subprocess.CalledProcessError, KeyError, ValueError) as error:
        rows.append(Row(mark + name, "could not be measured", note=" ".join(str(error).split())[:200]))
        progress(f"{name}: {error}")
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--only", default=",".join(SECTIONS), help="of " + ", ".join(SECTIONS))
    parser.add_argument("--programs", default="", help="of lua, SQLite speedtest1, zstd -3, zstd -19, rows of off and on; of lua, SQLite, zstd, Bullet, BLAS, rows of vector; of lua, SQLite, zstd -19, Bullet, fib, 8 threads, dense zones, redis, phases, rows of budget")
    parser.add_argument("--compilers", default="all", help="or a list: floor, off, vector, size, compile and zones for each of them")
    parser.add_argument("--turns", type=int, default=0, help="in place of the usual number of each measurement")
    parser.add_argument("--minutes", type=float, default=0, help="of recording, in rows of rotation: 30 for a long run; 3 in place of 0, 1 with BENCH_QUICK=1")
    options = parser.parse_args()
    if options.minutes < 0:
        parser.error("--minutes: give a positive number, as in --minutes=30")
    measuring.turns = options.turns
    builds = Builds(options.build.resolve())
    builds.names = [name for name in options.programs.split(",") if name]
    builds.minutes = options.minutes
    default = builds.compiler
    compilers = programs.compilers(builds.prof) if options.compilers == "all" else options.compilers.split(",")
    rows, broken = [], 0
    for name in options.only.split(","):
        for compiler in compilers if name in BY_COMPILER else [default]:
            builds.use(compiler)
            mark = f"{compiler}: " if len(compilers) > 1 and name in BY_COMPILER else ""
            broken += not measure(rows, mark, name, builds)
    builds.use(default)
    print(f"\n{time.strftime('%Y-%m-%d')}, {measuring.machine()}, {', '.join(map(measuring.version, compilers))}"
          f"{', quick run with small inputs' if quick() else ''}\n")
    print_table(rows)
    (builds.folder / "table.json").write_text(json.dumps([dataclasses.asdict(row) for row in rows], indent=1))
    return 1 if broken else 0


sys.exit(main())
