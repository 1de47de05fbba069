"""Rows: memory that programs and recorder share while recording."""
import os
import pathlib
import shutil
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


def record(builds, data, command, **pipes):
    shutil.rmtree(data, ignore_errors=True)
    return subprocess.Popen([builds.prof, "record", "-o", data, "--", *map(str, command)], stderr=subprocess.DEVNULL, **pipes)


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
