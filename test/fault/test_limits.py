#!/usr/bin/env python3
"""Limits are kept. A recording ends by its size between 0.9 and 1.0 of --max-size, whatever the program is, and not before.

The whole (see test/support/slices.py): the whole table, up to 4 GiB; needs minutes and 5 GB.
"""
import os
import pathlib
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("e2e/record", "support")]
import recording  # noqa: E402
from recording import PATIENCE_S, contains, equal  # noqa: E402
from slices import WHOLE  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
MIB = 1 << 20
SLACK_BELOW, SLACK = 16 * MIB, 256 << 10
MANY = 50000 if WHOLE else 5000

#        functions, start in ms, threads, processes, open frames, limits in MiB of the short table, of the whole one
TABLE = [(2, 0, 1, 1, 0, [1], [1, 16, 256]),
         (2, 600, 100, 1, 0, [1], [1, 16]),
         (2, 0, 1, 1, 60000, [1], [1, 16]),
         (500, 0, 1, 1, 0, [1, 16], [1, 16, 256]),
         (500, 600, 1, 1, 0, [1], [1, 16, 256]),
         (500, 0, 1, 1, 30000, [1], [1, 16]),
         (500, 0, 100, 1, 0, [1], [1, 16, 256]),
         (500, 600, 2, 100, 0, [1], [1, 16, 256]),
         (MANY, 0, 1, 1, 0, [4], [1, 4, 16, 256, 4096]),
         (MANY, 600, 100, 1, 0, [4], [4, 16, 256])]


def program_of(bench, functions):
    folder = bench.folder / f"fills{functions}"
    if not folder.exists():
        folder.mkdir()
        names = "".join(f"ONE({i})\n" for i in range(functions))
        (folder / "fills.h").write_text(names + "#define ALL " + ",".join(f"f{i}" for i in range(functions)) + "\n")
        bench.build(HERE / "programs" / "fills.c", folder / "fills",
                    ["-O0", "-g0", f"-I{folder}", f"-DFUNCTIONS={functions}", "-fplugin-arg-prof-min-statements=0"])
    return folder / "fills"


def size_of(bench):
    return (bench.folder / "prof.data" / "trace").stat().st_size


def one(bench, functions, start, threads, processes, frames, limit):
    """Calls for more than the limit: the more functions, the more bytes a call takes."""
    calls = int(limit * {2: 10, 500: 2}.get(functions, 0.5)) // threads // processes
    result = bench.record(start, threads, processes, calls, frames, program=program_of(bench, functions),
                          options=[f"--max-size={limit}"], timeout=3000)
    equal("status", result.returncode, 0)
    contains("stderr", result.stderr, "--max-size")
    size = size_of(bench)
    what = f"{functions} functions, {start} ms, {threads} threads, {processes} processes, {frames} open"
    print(f"{what}: {size / limit:.3f} of {limit / MIB:g} MiB", flush=True)
    if not 0.9 * limit <= size <= limit + (SLACK if limit < SLACK_BELOW else 0):
        raise AssertionError(f"{what}: {size} bytes of {limit}")


def table(bench):
    for functions, start, threads, processes, frames, short, whole in TABLE:
        for limit in whole if WHOLE else short:
            one(bench, functions, start, threads, processes, frames, limit * MIB)


def below_the_limit(bench):
    """Many names and few events, or none, don't end a recording."""
    for functions, start, calls in ((2000, 600, 200000), (500, 600, 200000), (5000, 0, 0)):
        result = bench.record(start, 1, 1, calls, program=program_of(bench, functions), options=["--max-size=4M"])
        equal("status", result.returncode, 0)
        info = bench.info()
        contains("end", info["end"], "with the program")
        equal("lost", info["lost_events"], 0)
        if info["events"] < 2 * calls:
            raise AssertionError(f"{info['events']} events of {calls} calls with {functions} functions: {result.stderr}")


def names_alone(bench):
    """A program's names fill the trace: it is said, and what there is can be read."""
    result = bench.record(0, 1, 1, 1000, program=program_of(bench, 50000 if WHOLE else 30000), options=["--max-size=1M"])
    equal("status", result.returncode, 0)
    if "names of functions" not in result.stderr:
        equal("end", bench.info()["end"], "with the program, exit status 0")
    if size_of(bench) > MIB + SLACK:
        raise AssertionError(f"{size_of(bench)} bytes")


def most_memory(process):
    """What the shared region took at most, and what the recorder had of its own, in bytes."""
    region = own = 0
    ring = None
    while process.poll() is None:
        try:
            for link in [ring] if ring else pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
                if "prof-ring" in os.readlink(link):
                    ring = link
                    region = max(region, os.stat(link).st_blocks * 512)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            own = max(own, int(status.partition("RssAnon:")[2].split()[0]) << 10)
        except (OSError, IndexError):
            pass
        time.sleep(0.002)
    return region, own


def buffer(bench):
    """Threads that call without a pause take no more than --buffer, a page each and the tables of threads, and as much in the recorder."""
    program = program_of(bench, 500)
    for threads, buffer, calls in ((100, 8, 3000000), (500, 8, 3000000), (1, 1, 1000000)):
        process = bench.start([bench.prof, "record", f"--buffer={buffer}M", program, 0, threads, 1, calls // threads])
        region, own = most_memory(process)
        stderr = process.communicate(timeout=PATIENCE_S)[1]
        equal("status", process.returncode, 0)
        contains("stderr", stderr, "none lost")
        print(f"{threads} threads, --buffer={buffer}M: region {region / MIB:.1f} MiB, recorder {own / MIB:.1f} MiB", flush=True)
        if region > buffer * MIB + threads * 16384 + MIB:
            raise AssertionError(f"{threads} threads: the region takes {region / MIB:.1f} MiB of --buffer={buffer}M")
        if own > buffer * MIB + threads * 65536 + 16 * MIB:
            raise AssertionError(f"{threads} threads: the recorder takes {own / MIB:.1f} MiB with --buffer={buffer}M")


if __name__ == "__main__":
    recording.main([table, below_the_limit, buffer] + ([names_alone] if WHOLE else []))
