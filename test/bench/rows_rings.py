"""Rows: memory that programs and recorder share while recording; pauses by snapshots; the recorder's work with filters and summaries."""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

import programs
from measuring import Row, progress, row_of, run

SECONDS_BETWEEN_LOOKS = 0.02


def shared_bytes(pid):
    """Memory of the rings: pages that the recorder's memory file holds."""
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            if os.readlink(entry).startswith("/memfd:"):
                return os.stat(entry).st_blocks * 512
        except OSError:
            pass  # closed in between
    return 0


def watch(child):
    """Largest amount seen until the recorder ends."""
    most = 0
    while child.poll() is None:
        try:
            most = max(most, shared_bytes(child.pid))
        except OSError:
            break
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return most


def record(builds, data, command, *options, **pipes):
    shutil.rmtree(data, ignore_errors=True)
    return subprocess.Popen([builds.prof, "record", *options, "-o", data, "--", *map(str, command)], stderr=subprocess.DEVNULL, **pipes)


TURNS, TURN_MS, FILL_SECONDS = 40, 500, 6


def pauses(builds):
    """Longest gaps between two calls, in microseconds: in turns with a snapshot, and without; time that threads waited for the recorder."""
    program, data = builds.folder / "ring_pause", builds.folder / "pause.data"
    run([builds.compiler, "-g", "-O2", "-pthread", *builds.plugin_flags, builds.source / "ring_pause.c", "-o", program])
    shutil.rmtree(data, ignore_errors=True)
    found = ([], [])
    with subprocess.Popen([builds.prof, "record", "--mode=ring", "--keep=64M", "--sample=off", "-o", data, program, str(TURNS), str(TURN_MS)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        for turn in range(TURNS):
            if turn * TURN_MS >= FILL_SECONDS * 1000 and turn % 2:
                subprocess.run([builds.prof, "ctl", str(child.pid), "snapshot"], check=False, capture_output=True)
            gap = float(child.stdout.readline())
            if turn * TURN_MS >= FILL_SECONDS * 1000:
                found[turn % 2].append(gap)
        said = child.communicate()[1]
    waited = next((line.rsplit(", ", 1)[1] for line in said.splitlines() if "waiting for the recorder" in line), "not told")
    return found[1], found[0], waited


def pause_row(builds):
    progress("pause of a snapshot")
    with_one, without, waited = pauses(builds)
    middle = [statistics.median(side) for side in (with_one, without)]
    return row_of("ring of 64 MB: longest gap between calls in turns with a snapshot, less that in others", max(middle[0] - middle[1], 0) / 1000, 1, 0,
                  " ms", digits=2, note=f"medians of {len(with_one)} and {len(without)} turns: {middle[0] / 1000:.2f} and {middle[1] / 1000:.2f} ms; "
                                        f"two threads; {waited}")


def filter_rows(builds):
    """The recorder's CPU time with a filter over that without, for the same program."""
    progress("filters while recording")
    lua, data = [builds.program("lua", "plugin"), *programs.lua_arguments(max(builds.lua_size // 8, 3))], builds.folder / "filter.data"
    spent = {}
    for options in ((), ("-D", "2"), ("-F", "main")):
        shutil.rmtree(data, ignore_errors=True)
        subprocess.run([builds.prof, "record", "--sample=off", "--light=off", "-o", data, *options, "--", *map(str, lua)], check=True,
                       capture_output=True)
        shown = subprocess.run([builds.prof, "info", "-i", data, "--format=json"], check=True, capture_output=True, text=True)
        spent[options] = json.loads(shown.stdout)["recorder_cpu_ns"]
    for options, must in ((("-D", "2"), 1), (("-F", "main"), 1.5)):
        yield row_of(f"recorder's CPU time with {' '.join(options)}, over all calls", spent[options] / spent[()], must, 1, "", digits=2,
                     note=f"lua, {spent[()] / 1e6:.0f} ms without a filter")


def resident_bytes(pid):
    """The largest so far, without the memory that it shares with programs."""
    facts = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    return 1024 * int(facts["RssAnon"].split()[0])


def summary_rows(builds):
    """What a recording costs that keeps no events."""
    progress("summary")
    lua, data = [builds.program("lua", "plugin"), *programs.lua_arguments(builds.lua_size)], builds.folder / "summary.data"
    most = 0
    with record(builds, data, lua, "--mode=summary", stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            try:
                most = max(most, resident_bytes(child.pid))
            except (OSError, KeyError):
                break
            time.sleep(SECONDS_BETWEEN_LOOKS)
    shown = subprocess.run([builds.prof, "info", "-i", data, "--format=json"], check=True, capture_output=True, text=True)
    facts = json.loads(shown.stdout)
    yield row_of("recorder's CPU time for an event, --mode=summary", facts["recorder_cpu_ns"] / facts["events"], 5, 3, " ns", digits=1,
                 note=f"lua, {facts['events'] / 1e6:.0f} million events")
    yield row_of("recorder's own memory, --mode=summary", most / 2**20, 64, 16, " MB", digits=1, note=f"the file has {facts['bytes'] / 1024:.0f} KiB")


def row(what, bytes_seen, must, aim, note):
    if not bytes_seen:
        return Row(what, "not seen", note="no shared memory file of the recorder was found")
    return row_of(what, bytes_seen / 2**20, must, aim, " MB", digits=1, note=note)


def ring_rows(builds):
    progress("memory of the rings")
    lua = [builds.program("lua", "plugin"), *programs.lua_arguments(max(builds.lua_size // 4, 5))]
    with record(builds, builds.folder / "ring.data", lua, stdout=subprocess.DEVNULL) as child:
        busy = watch(child)
    yield row("ring memory, one busy thread", busy, 16, 4, "largest seen while lua was recorded")

    idle = builds.folder / "idle_threads"
    run([builds.compiler, "-g", "-O2", "-pthread", *builds.plugin_flags, builds.source / "idle_threads.c", "-o", idle])
    with record(builds, builds.folder / "idle.data", [idle, 1000], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        time.sleep(0.5)  # the recorder goes round a few times
        seen = shared_bytes(child.pid)
        child.stdin.close()
        child.stdout.read()
    yield row("ring memory, 1,000 threads that wait", seen, 64, 16, "while they wait, after 21 calls each")
    yield pause_row(builds)
    yield from filter_rows(builds)
    yield from summary_rows(builds)
