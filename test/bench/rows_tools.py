"""Rows: speed and memory of the tools on a large trace."""
import shutil
import subprocess

import programs
from measuring import Row, in_turn, median, progress, repeats, row_of, run
from rows_cost import info, recorder

UFTRACE_LUA_SIZE = 3


def large_trace(builds):
    """A recording of one thread of lua with 150M events or more (fewer in a quick run); made once."""
    data = builds.folder / "large.data"
    command = [builds.program("lua", "plugin"), *programs.lua_arguments(builds.large_lua_size)]
    progress("recording the large trace")
    recorder(builds, data, command)()
    return data, info(builds, data)["events"]


def uftrace_speed(builds):
    """Events per second of `uftrace report`, or None where it is not installed."""
    if not shutil.which("uftrace"):
        return None
    program = programs.build("lua", "pg", builds.compiler, ["-g", "-O2", "-pg"], builds.folder)
    data = builds.folder / "uftrace.data"
    shutil.rmtree(data, ignore_errors=True)
    run(["uftrace", "record", "--no-pager", "-d", data, program, *programs.lua_arguments(UFTRACE_LUA_SIZE),
         "straight"])
    report = ["uftrace", "report", "--no-pager", "-d", data, "-f", "call"]
    text = subprocess.run(report, capture_output=True, text=True, check=True).stdout
    calls = sum(int(line.split()[0]) for line in text.splitlines() if line.split() and line.split()[0].isdigit())
    runs = in_turn(repeats(5, 3), uftrace=lambda: run(report, builds.core))
    return 2 * calls / median(runs["uftrace"])


def speed_rows(builds, data, events):
    progress("speed of prof report")
    command = [builds.prof, "report", "-i", data]
    runs = in_turn(repeats(9, 3), one=lambda: run(command, builds.core), two=lambda: run(command, builds.two_cores))
    speed = events / median(runs["one"])
    yield row_of("prof report, million events/s, one core", speed / 1e6, 50, 150, "M", at_least=True, digits=0,
                 note=f"{events / 1e6:.0f}M events in {median(runs['one']):.2f} s; user+sys {median(runs['one'], 'cpu_s'):.2f} s")
    peer = uftrace_speed(builds)
    if peer:
        yield row_of("&nbsp; over uftrace report", speed / peer, 10, 30, "x", at_least=True, digits=1,
                     note=f"uftrace report: {peer / 1e6:.1f}M events/s on the same program without its coroutines and errors")
    else:
        yield Row("&nbsp; over uftrace report", "not measured", note="no uftrace here")
    yield row_of("&nbsp; with two cores, a trace of one thread", median(runs["one"]) / median(runs["two"]), 1.7, 1.9, "x",
                 at_least=True)


def memory_rows(builds, data, events):
    readers = {
        "info": ["info"], "report": ["report"], "report by thread": ["report", "--by", "thread"], "tree": ["tree"],
        "flame": ["flame", "-o", builds.folder / "large.svg"], "replay": ["replay"],
    }
    for kind in ("folded", "speedscope", "chrome", "csv", "json"):
        readers[f"export {kind}"] = ["export", "--format", kind]
    worst, parts = 0, []
    for name, arguments in readers.items():
        progress(f"memory of prof {name}")
        out = builds.folder / "peak.txt"
        taken = run([builds.peak, out, builds.prof, arguments[0], "-i", data, *arguments[1:]])
        peak = int(out.read_text()) * 1024
        worst = max(worst, peak)
        parts.append(f"{name} {peak / 2**20:.0f} MB in {taken.wall_s:.1f} s")
    yield row_of(f"peak memory of a tool, {events / 1e6:.0f}M events", worst / 2**20, 256, 64, " MB", digits=0,
                 note=", ".join(parts))
