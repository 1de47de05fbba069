"""Rows: measured from inside by programs of the build (probe_floor, codec_speed), which print `name value` lines."""
import subprocess

from measuring import Row, progress, row_of


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
    found = figures(builds, "probe_floor")
    if found is None:
        yield Row("on: entry and exit over two bare rdtsc", "not measured", note="no probe_floor in this build")
        return
    for key, what in (("tiny_ratio", "tiny function"), ("fib_ratio", "fib")):
        yield row_of(f"on: entry and exit over two bare rdtsc, {what}", found[key], 1.15, 1.03, digits=3)


def jitter_rows(builds):
    found = figures(builds, "codec_speed", builds.folder / "lua.data")
    if found is None:
        yield Row("trace bytes per event, times jittered by 16 ticks", "not measured", note="no codec_speed in this build")
        return
    yield row_of("trace bytes per event, times jittered by 16 ticks: lua", found["jittered_bytes_per_event"], 2.0, 1.2)
