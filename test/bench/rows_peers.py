"""Rows: the same program under the other profilers that are installed, as multiples of its plain wall time."""
import shutil

import programs
from measuring import Row, in_turn, median, progress, repeats, run
from rows_cost import recorder

CALLGRIND_SHARE = 10  # callgrind gets so much less to do, being so much slower


def cleared(folder, command):
    """A run of another recorder into an empty folder."""
    def once():
        shutil.rmtree(folder, ignore_errors=True)
        return run(command, folder=folder.parent)
    return once


def peer_rows(builds):
    progress("peers")
    size = builds.lua_size
    arguments = [*programs.lua_arguments(size), "straight"]
    plain = [builds.program("lua", "plain"), *arguments]
    pg = [programs.build("lua", "pg", builds.compiler, ["-g", "-O2", "-pg"], builds.folder), *arguments]
    ways = {"plain": plain, "gprof": lambda: run(pg, folder=builds.folder),
            "prof": recorder(builds, builds.folder / "peer.data", [builds.program("lua", "plugin"), *arguments])}
    if shutil.which("uftrace"):
        data = builds.folder / "peer-uftrace.data"
        ways["uftrace"] = cleared(data, ["uftrace", "record", "--no-pager", "-d", data, *pg])
    times = repeats(3, 1)
    runs = in_turn(times, **ways)
    for left in builds.folder.glob("peer*.data"):  # gigabytes
        shutil.rmtree(left)
    base = median(runs["plain"])
    for name, what in (("gprof", "gprof (-pg), counts calls, times by samples"), ("uftrace", "uftrace record (-pg)"),
                       ("prof", "prof record")):
        if name in runs:
            yield Row(f"lua, times plain: {what}", f"{median(runs[name]) / base:.1f}",
                      note=f"{base:.2f} s plain, median of {times}")
    if shutil.which("valgrind"):
        small = [*programs.lua_arguments(max(size // CALLGRIND_SHARE, 1)), "straight"]
        runs = in_turn(1, plain=[plain[0], *small],
                       callgrind=["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=/dev/null", plain[0], *small])
        yield Row("lua, times plain: callgrind", f"{median(runs['callgrind']) / median(runs['plain']):.0f}", note="one run")
