#!/usr/bin/env python3
"""No room: size limits, files that may not grow, a full disk, folders that can't be written."""
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "record"))
import recording  # noqa: E402
from recording import PATIENCE_S, children, contains, equal, wait_for  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
LONG = 4000000  # calls that make a trace of some hundred kilobytes


def limit_files(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def size_limit(bench):
    result = bench.record("plain", 15 * LONG, 5, options=["--max-size=1M", "--level=1"])
    equal("status", result.returncode, 5)
    contains("stderr", result.stderr, "--max-size")
    info = bench.info()
    equal("complete", info["complete"], True)
    contains("end", info["end"], "size limit")
    if not 500000 < info["bytes"] <= 1 << 20:
        raise AssertionError(f"the trace has {info['bytes']} bytes")
    equal("lost", info["lost_events"], 0)
    recorded = bench.calls_of("leaf")
    if not 0 < recorded < 15 * LONG:
        raise AssertionError(f"{recorded} calls are in the trace")


def size_limit_with_many_threads(bench):
    """What all threads still hold when the limit is met doesn't carry the trace beyond it."""
    bench.record("threads", 24, LONG, options=["--max-size=1M"])
    info = bench.info()
    contains("end", info["end"], "size limit")
    if info["bytes"] > 1 << 20:
        raise AssertionError(f"the trace has {info['bytes']} bytes")


def size_limit_met_at_the_end(bench):
    """Threads that have ended, and a program that has, leave more in the buffers than the trace has room for."""
    ready, go = bench.folder / "ready", bench.folder / "go"
    script = f": >{ready}; until test -e {go}; do sleep 0.02; done; exec {bench.program} threads 60 120000"
    process = bench.start([bench.prof, "record", "--buffer=512M", "--max-size=1M", "--", "sh", "-c", script])
    wait_for("the program", ready.exists)  # a child that has not got so far needs prof
    program = children(process.pid)[0]
    process.send_signal(signal.SIGSTOP)
    go.touch()
    wait_for("its end", lambda: pathlib.Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[0] == "Z")
    process.send_signal(signal.SIGCONT)
    process.communicate(timeout=PATIENCE_S)
    info = bench.info()
    contains("end", info["end"], "size limit")
    if not 500000 < info["bytes"] <= 1 << 20:
        raise AssertionError(f"the trace has {info['bytes']} bytes")


def same_losses(bench, result, data="prof.data"):
    """What `prof record` says at its end and what `prof info` says: also where nothing more could be written."""
    info = bench.info(data)
    lost = info["lost_events"]
    said = f"{info['events']:,} events of {info['threads']:,} threads, {f'{lost:,}' if lost else 'none'} lost"
    contains("stderr", result.stderr, said)
    if lost == 0:
        raise AssertionError(f"nothing was lost: {result.stderr}")
    contains("end", info["end"], "could not be written")


def losses_are_told(bench):
    """A file that may not grow: the last records have room that was kept for them."""
    for limit in (30000, 100000):
        result = bench.run([bench.prof, "record", bench.program, "threads", 4, LONG // 2], preexec_fn=limit_files(limit))
        equal("status", result.returncode, 0)
        contains("stderr", result.stderr, "File too large")
        same_losses(bench, result)
        if (bench.folder / "prof.data" / "trace").stat().st_size > limit:
            raise AssertionError("it grew")


def room_is_given_back(bench):
    """A file takes no more of the disk than it holds, also when it was made on a disk that promises room."""
    bench.record("plain", LONG // 8, 5)
    status = (bench.folder / "prof.data" / "trace").stat()
    if status.st_blocks * 512 > status.st_size + 65536:
        raise AssertionError(f"{status.st_blocks} blocks for {status.st_size} bytes")


def deleted_or_moved(bench):
    """The recording was deleted or moved meanwhile: `prof record` reports that, and the new place."""
    for move in (False, True):
        data, moved, ready, go = (bench.folder / name for name in ("gone", "moved", "ready", "go"))
        for file in (ready, go):
            file.unlink(missing_ok=True)
        script = f"{bench.program} plain 1000 5; : >{ready}; until test -e {go}; do sleep 0.02; done; exec {bench.program} plain 1000 5"
        process = bench.start([bench.prof, "record", "-o", data, "--", "sh", "-c", script])
        wait_for("the first program", ready.exists)
        wait_for("its events", lambda: (data / "trace").exists())
        if move:
            data.rename(moved)
        else:
            shutil.rmtree(data)
        go.touch()
        stderr = process.communicate(timeout=PATIENCE_S)[1]
        if move:
            contains("stderr", stderr, f"in {moved}")
            contains("stderr", stderr, "none lost")
            equal("calls", bench.calls_of("leaf", moved), 2000)
        else:
            contains("stderr", stderr, "was deleted while it was made")
            if "none lost" in stderr or "next:" in stderr:
                raise AssertionError(stderr)


def every_write_fails_once(bench):
    """The file may have N bytes, for many N: wherever the disk is full, the program runs, and what was written is read."""
    whole = bench.record("threads", 2, LONG // 4)
    equal("status of the whole", whole.returncode, 0)
    size = (bench.folder / "prof.data" / "trace").stat().st_size
    readable = 0
    refused = 0
    # Sizes differ from run to run, by how often a thread waited: of the parts between, at least three are refused and hold a chunk.
    parts = [size * eighths // 8 for eighths in range(1, 8)]
    for limit in [0, 1, 63, 64, 100, 600, 1000, 2000, 3000, *parts, size - 5000, size - 300]:
        result = bench.run([bench.prof, "record", bench.program, "threads", 2, LONG // 4], preexec_fn=limit_files(limit))
        if result.returncode == 1:  # not even its head could be written, so nothing was started
            contains(f"stderr with {limit}", result.stderr, "prof: ")
            if limit >= 2000:
                raise AssertionError(f"with room for {limit} bytes nothing was started: {result.stderr}")
            continue
        equal(f"status with {limit}", result.returncode, 0)
        shown = bench.run([bench.prof, "info", "--format", "json"])
        equal(f"info with {limit}", shown.returncode, 0)
        contains(f"info with {limit}", shown.stdout, '"unreadable_bytes":0')
        said = result.stderr.count("File too large")
        if said == 0 and '"complete":true' in shown.stdout:
            continue  # this one fitted
        equal(f"said with {limit}", said, 1)
        refused += 1
        readable += bench.run([bench.prof, "report"]).returncode == 0
    if refused < 6 or readable < 3:
        raise AssertionError(f"{refused} recordings were refused room, {readable} of them can be reported")


def full_disk(bench):
    """A file system of 256 KiB; needs the right to mount."""
    folder = bench.folder / "small"
    folder.mkdir(exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        print("full_disk: no right to mount, left to every_write_fails_once")
        return
    try:
        result = bench.record("threads", 4, LONG, options=["-o", folder / "data"])
        equal("status", result.returncode, 0)
        contains("stderr", result.stderr, "No space left")
        if bench.calls_of("leaf", folder / "data") == 0:
            raise AssertionError("nothing can be read")
        same_losses(bench, result, folder / "data")
    finally:
        subprocess.run(["umount", folder], check=True)


def quota(bench):
    """The user's share is used up: a write is cut short, the next refused, and what is there can't be cut back either."""
    library = bench.folder / "quota.so"
    bench.build(HERE / "programs" / "quota.c", library, ["-shared", "-fPIC"], plugin=False)
    preload = {"LD_PRELOAD": str(library), "QUOTA": "100"}
    if bench.run([bench.prof, "--version"], preload).returncode:
        print("quota: nothing can be preloaded into a sanitizer's build")
        return
    command = ["env", "-u", "LD_PRELOAD", bench.program, "threads", 4, LONG // 4]
    bench.run([bench.prof, "record", *command])
    size = (bench.folder / "prof.data" / "trace").stat().st_size
    for part in range(1, 8):
        result = bench.run([bench.prof, "record", *command], {**preload, "QUOTA": str(size * part // 24)})
        equal("status", result.returncode, 0)
        contains("stderr", result.stderr, "Disk quota exceeded")
        info = bench.info()
        equal("complete", info["complete"], False)
        if f"prof: {info['events']:,} events" not in result.stderr or "none lost" in result.stderr:
            raise AssertionError(f"{info['events']} events are in the trace: {result.stderr}")


def size_limit_and_tables(bench):
    """Names and counts of lines, which are kept whole, leave no room for calls, or some: no more is taken, and why is said."""
    chance = random.Random(7)
    names = [f"f{chance.getrandbits(2000):0500x}" for _ in range(2700)]
    source, program = bench.folder / "many.c", bench.folder / "many"
    with source.open("w", encoding="ascii") as file:
        file.write("#include <stdlib.h>\nstatic volatile long sum;\n")
        for name in names:
            file.write(f"__attribute__((noipa)) static void {name}(long x) {{ if (x & 1) sum += x; }}\n")
        file.write("static void (*const all[])(long) = {" + ",".join(names) + "};\n")
        file.write(f"int main(int c, char **v) {{ for (long i = 0; i < atol(v[1]); i++) all[i * i % {len(names)}](i); return c; }}\n")
    bench.build(source, program, ["-O0", "-g0", "-fplugin-arg-prof-lines=count"])
    for limit, events in ((1 << 20, False), (4 << 20, True)):
        result = bench.record(3000000, program=program, options=[f"--max-size={limit}"])
        equal("status", result.returncode, 2)
        contains("stderr", result.stderr, "--max-size")
        info = bench.info()
        contains("end", info["end"], "size limit")
        equal("has events", info["events"] > 0, events)
        if events and info["bytes"] > limit:
            raise AssertionError(f"the trace has {info['bytes']} bytes")


def no_region(bench):
    """A hard limit on files that leaves no room even for the shared memory."""
    result = bench.run([bench.prof, "record", bench.program, "plain", 10, 3],
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    equal("status", result.returncode, 1)
    contains("stderr", result.stderr, "buffer")


def unwritable_folder(bench):
    folder = bench.folder / "closed"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o555)
    places = ["/proc/prof.data", "/sys/prof.data"] + ([folder / "data"] if os.geteuid() else [])
    for place in places:
        result = bench.record("plain", 10, 3, options=["-o", place])
        equal(f"status with {place}", result.returncode, 1)
        equal("the program ran", result.stdout, "")
        contains("remedy", result.stderr, "-o")


def no_memory_for_the_buffer(bench):
    """An address space too small for the region is said before anything is started."""
    limit = 100 << 20
    if bench.run([bench.prof, "--version"], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))).returncode:
        return  # not even that: a sanitizer's build
    result = bench.run([bench.prof, "record", bench.program, "plain", 10, 3],
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    equal("status", result.returncode, 1)
    contains("stderr", result.stderr, "buffer")
    equal("a folder was made", (bench.folder / "prof.data").exists(), False)


if __name__ == "__main__":
    recording.main([size_limit, size_limit_with_many_threads, size_limit_met_at_the_end, every_write_fails_once, full_disk, losses_are_told,
                    room_is_given_back, deleted_or_moved, quota, size_limit_and_tables,
                    no_region, unwritable_folder, no_memory_for_the_buffer])
