"""Rows: the same programs under prof and the other profilers that are installed: time, data, and time to the first report.

"met" of the recording with a budget: it takes less elapsed time than `perf record -g`, and has call counts.
"""
import os
import pathlib
import shutil
import statistics

import programs
import rows_budget
from measuring import Row, in_turn, progress, quick, repeats, run

CALLGRIND_SHARE = 10  # callgrind gets so much less to do, being so much slower
HERTZ = 999
STRAIGHT = "straight"  # without errors and coroutines, which uftrace doesn't survive


class Way:
    """A profiler: how it records the work, what it writes, how it reports."""

    def __init__(self, what, work, before=(), data=None, report=None):
        self.what, self.work, self.before, self.data, self.report = what, work, before, data, report

    def record(self):
        if self.data:
            shutil.rmtree(self.data, ignore_errors=True)
            self.data.unlink(missing_ok=True)
        return self.work.run(self.before, folder=self.data.parent if self.data else None)

    def megabytes(self):
        if not self.data or not self.data.exists():
            return 0
        files = self.data.rglob("*") if self.data.is_dir() else [self.data]
        return sum(os.path.getsize(path) for path in files if path.is_file()) / 1e6


def workloads(builds):
    """name -> (program, what makes work of its file)."""
    few = quick()

    def alone(*arguments):
        return lambda program: rows_budget.Alone([program, *arguments])
    every = {"lua": ("lua", alone(*programs.lua_arguments(builds.lua_size if few else 300), STRAIGHT)),
             "SQLite": ("sqlite", alone("--size", "20" if few else "50")),
             "redis": ("redis", lambda program: rows_budget.Served(builds, program, 50000))}
    return {name: what for name, what in every.items() if not builds.names or name in builds.names}


def ways(builds, source, work_of):
    folder = builds.folder / "peers"
    folder.mkdir(exist_ok=True)
    pg_file = programs.build(source, "pg", builds.compiler, ["-g", "-O2", "-pg"], builds.folder)
    plain, probed, pg = (work_of(program) for program in (builds.program(source, "plain"), builds.program(source, "plugin"), pg_file))
    budget, full, perf, uftrace, gmon = (folder / name for name in ("budget.data", "full.data", "perf.data", "uftrace.data", "gmon.out"))
    record = [builds.prof, "record", f"--max-size={builds.max_size}"]
    found = {
        "plain": Way("plain", plain),
        "budget": Way("prof record --overhead=5%", probed, [*record, "-o", budget, "--overhead=5%", "--"], budget,
                      [builds.prof, "report", "-i", budget]),
        "full": Way("prof record --overhead=full", probed, [*record, "-o", full, "--overhead=full", "--"], full,
                    [builds.prof, "report", "-i", full]),
        "gprof": Way("gprof (-pg): counts calls, times by samples", pg, [], gmon, ["gprof", "-b", pg_file, gmon]),
    }
    if shutil.which("perf"):
        found["perf"] = Way(f"perf record -g -F {HERTZ}: no counts", plain, ["perf", "record", "-q", "-g", "-F", HERTZ, "-o", perf, "--"],
                            perf, ["perf", "report", "--stdio", "-g", "none", "-i", perf])
    if shutil.which("uftrace"):
        found["uftrace"] = Way("uftrace record (-pg)", pg, ["uftrace", "record", "--no-pager", "-d", uftrace], uftrace,
                               ["uftrace", "report", "--no-pager", "-d", uftrace])
    return found


def peer_rows(builds):
    for name, (source, work_of) in workloads(builds).items():
        progress(f"peers: {name}")
        found = ways(builds, source, work_of)
        times = repeats(3, 1)
        runs = in_turn(times, **{key: way.record for key, way in found.items()})
        middle = {key: [statistics.median(getattr(taken, field) for taken in taken_all) for field in ("wall_s", "cpu_s")]
                  for key, taken_all in runs.items()}
        wall, cpu = middle["plain"]
        for key, way in found.items():
            if key == "plain":
                continue
            reported = run(way.report, folder=pathlib.Path(way.data).parent) if way.report else None
            row = Row(f"{name}: {way.what}", f"{middle[key][0] / wall:.2f}", note=(
                f"wall over plain; CPU {middle[key][1] / cpu:.2f}; {way.megabytes():.1f} MB" +
                (f"; first report {reported.wall_s:.1f} s" if reported else "") + f"; {wall:.2f} s plain, medians of {times}"))
            if key == "budget" and "perf" in middle:
                row.must = f"<= {middle['perf'][0] / wall:.2f}"
                row.met = middle[key][0] <= middle["perf"][0]
            yield row
        shutil.rmtree(builds.folder / "peers")
        if shutil.which("valgrind") and name == "lua":
            yield callgrind_row(builds)


def callgrind_row(builds):
    plain = builds.program("lua", "plain")
    small = [*programs.lua_arguments(max(builds.lua_size // CALLGRIND_SHARE, 1)), STRAIGHT]
    runs = in_turn(1, plain=[plain, *small],
                   callgrind=["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=/dev/null", plain, *small])
    return Row("lua: callgrind", f"{runs['callgrind'][0].wall_s / runs['plain'][0].wall_s:.0f}", note="wall over plain; one run")
