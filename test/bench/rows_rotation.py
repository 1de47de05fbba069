"""Rows: a server that is recorded for minutes with a small budget and rotation: its throughput, the recorder's memory, the disk."""
import shutil
import subprocess
import time

import rows_budget
from measuring import progress, quick, row_of, run
from rows_rings import resident_bytes

SECONDS, PART_SECONDS, KEPT = 180, 15, 4
REQUESTS = 60_000  # of each kind in a turn, some seconds
KINDS = "set,get,lpush,lrange_100"


class Server:
    """redis-server, maybe under prof record; answers until it is told to end."""

    def __init__(self, served, socket, before=()):
        self.tools, self.socket, self.seconds = served.tools, socket, 0.0
        socket.unlink(missing_ok=True)
        command = [*before, served.server, "--port", 0, "--unixsocket", socket, "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not socket.exists():
            time.sleep(0.01)

    def ask(self, requests=REQUESTS):
        begin = time.perf_counter()
        run([self.tools / "redis-benchmark", "-s", self.socket, "-n", requests, "-c", 20, "-t", KINDS, "-q"])
        self.seconds += time.perf_counter() - begin

    def end(self):
        run([self.tools / "redis-cli", "-s", self.socket, "shutdown", "nosave"])
        if self.process.wait(timeout=120) != 0:
            raise RuntimeError(f"redis ended with {self.process.returncode}")


def parts_of(data):
    return [part for part in data.glob("part-*") if (part / "trace").exists()]


def bytes_of(data):
    return sum(file.stat().st_size for file in data.rglob("*") if file.is_file())


def rotation_rows(builds):
    seconds = builds.minutes * 60 if builds.minutes else 60 if quick() else SECONDS
    progress(f"redis with --overhead=2% and rotation, {2 * seconds} s")
    served, data = rows_budget.Served(builds), builds.folder / "rotation.data"
    shutil.rmtree(data, ignore_errors=True)
    off = Server(served, builds.folder / "off.socket")
    on = Server(served, builds.folder / "on.socket", [builds.prof, "record", "--overhead=2%", f"--split={PART_SECONDS}s", f"--keep={KEPT}", "-o", data, "--"])
    memory, disk, most_parts = [], 0, 0
    try:
        for server in (off, on):
            server.ask()
            server.seconds = 0.0
        while on.seconds < seconds:
            off.ask()
            on.ask()
            memory.append(resident_bytes(on.process.pid))
            disk, most_parts = max(disk, bytes_of(data)), max(most_parts, len(parts_of(data)))
            progress(f"  off {off.seconds:.1f} s, recorded {on.seconds:.1f} s, recorder {memory[-1] / 2**20:.1f} MB")
    finally:
        off.end()
        on.end()
    yield row_of("redis at 2% with rotation: throughput over off", off.seconds / on.seconds, 0.97, 0.99, at_least=True, digits=3,
                 note=f"{on.seconds:.0f} s recorded, in turns of {REQUESTS} requests of each kind")
    early = max(memory[: max(len(memory) // 3, 1)])
    yield row_of("... the recorder's memory at the end over the most in its first third", memory[-1] / early, 1.1, 1, digits=2,
                 note=f"{early / 2**20:.1f} MB, then {memory[-1] / 2**20:.1f} MB")
    yield row_of("... parts on the disk", most_parts, KEPT + 1, KEPT, digits=0, note=f"the present one and {KEPT} kept; at most {disk / 2**20:.1f} MB")
