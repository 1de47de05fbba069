"""Rows: measured from inside by programs of the build: probe_floor prints `name value` lines, codec_speed a table."""
import subprocess

import programs
from measuring import Row, progress, row_of, run

NAME_COLUMNS = 28  # of codec_speed's table


def figures(builds, program, *arguments):
    """{name: value} that a program prints, or None where the build has no such program."""
    path = builds.build / "test" / "bench" / program
    if not path.exists():
        return None
    text = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        parts = line.split()
        if len(parts) >= 2:
            try:
                found[parts[0]] = float(parts[1])
            except ValueError:
                pass
    return found


def floor_rows(builds):
    progress("entry and exit over two bare rdtsc")
    library = builds.folder / f"floor_work-{builds.compiler}.so"
    run([builds.compiler, "-O2", "-fPIC", "-shared", "-DFLOOR_BY_PLUGIN", f"-I{programs.ROOT}/wire", f"-I{programs.ROOT}/test/support",
         builds.source / "floor_work.c", "-o", library, *builds.plugin_flags])
    found = figures(builds, "probe_floor", library)
    if found is None:
        yield Row("on: entry and exit over two bare rdtsc", "not measured", note="no probe_floor in this build")
        return
    for key, what in (("tiny_ratio", "tiny function"), ("fib_ratio", "fib")):
        yield row_of(f"on: entry and exit over two bare rdtsc, {what}", found[key], 1.15, 1.03, digits=3)


def jitter_rows(builds):
    """The recorded streams again, each time off by up to 16 ticks, through the same encoder."""
    program = builds.build / "test" / "bench" / "codec_speed"
    if not program.exists():
        yield Row("trace bytes per event, times jittered by 16 ticks", "not measured", note="no codec_speed in this build")
        return
    for data in sorted(builds.folder.glob("on-*.data")):
        text = subprocess.run([program, "--rounds=1", data], capture_output=True, text=True, check=True).stdout
        jittered = text.splitlines()[-1][NAME_COLUMNS:].split()
        yield row_of(f"trace bytes per event, times jittered by 16 ticks: {data.stem[3:]}", float(jittered[1]), 2.0, 1.2,
                     note=f"first {jittered[0]}M events of the busiest thread", digits=3)
