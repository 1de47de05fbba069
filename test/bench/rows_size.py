"""Rows: compile time, and what the plugin adds to a program's file."""
import subprocess

import programs
from measuring import in_turn, median, progress, repeats, row_of, run


def sections(path):
    """{name: (bytes, allocated)} of an ELF file."""
    text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        parts = line.replace("[ ", "[").split()
        if len(parts) > 7 and parts[0].startswith("[") and parts[0] != "[Nr]":
            found[parts[1]] = (int(parts[5], 16), "A" in parts[7])
    return found


def percent(after, before):
    return (after / before - 1) * 100


def size_rows(builds):
    plain, probed = (sections(builds.program("lua", variant)) for variant in ("plain", "plugin"))
    yield row_of("lua's .text over plain", percent(probed[".text"][0], plain[".text"][0]), 12, 8, " %", digits=1,
                 note=f"{plain['.text'][0]} -> {probed['.text'][0]} bytes")
    before, after = (sum(size for size, allocated in table.values() if allocated) for table in (plain, probed))
    yield row_of("lua's allocated bytes over plain", percent(after, before), 25, 15, " %", digits=1,
                 note=f"{before} -> {after} bytes")


def compile_rows(builds):
    progress("compile time of sqlite3.c")
    source = next((programs.cache_folder() / "sources" / "sqlite3" / "prof-made").glob("sqlite3.c"))
    command = [builds.compiler, "-g", "-O2", "-c", source, "-o", "/dev/null"]
    # Another order of flags would be another program to the compiler's caches; the plugin's come last.
    times = repeats(5, 1)
    runs = in_turn(times, plain=lambda: run(command), plugin=lambda: run([*command, *builds.plugin_flags]))
    yield row_of("compile time of sqlite3.c over plain", percent(median(runs["plugin"], "cpu_s"),
                                                                 median(runs["plain"], "cpu_s")), 5, 3, " %", digits=1,
                 note=f"user+sys {median(runs['plain'], 'cpu_s'):.1f} s plain, -g -O2, median of {times}")
