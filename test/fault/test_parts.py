#!/usr/bin/env python3
"""Recordings in parts (prof record --split): the program, the recorder or both are killed; the disk is full.  What was written is read by every reader."""
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "record"))
import recording  # noqa: E402
from recording import PATIENCE_S, children, contains, equal, wait_for  # noqa: E402
from shared import counted, until_stopped  # noqa: E402


def size_of(path):
    try:
        return path.stat().st_size
    except OSError:  # not there yet; or deleted meanwhile (--keep)
        return 0


def parts_of(data):
    """Those whose file has begun: a killed recorder may leave one with nothing in it."""
    return sorted(part for part in data.glob("part-*") if size_of(part / "trace") >= 64)


def start(bench, name, options=()):
    file = bench.folder / name
    data = bench.folder / f"{name}.data"
    process = bench.start([bench.prof, "record", "--split=100ms", *options, "-o", data, bench.program, "endless", file])
    return file, data, process


def ended(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def check(bench, data, last_is_whole):
    """All parts but perhaps the last are whole; every reader reads each."""
    parts = parts_of(data)
    for part in parts:
        whole = bench.info(part)["complete"]
        if not whole and (last_is_whole or part != parts[-1]):  # the last one is whole too, if the next had not begun
            raise AssertionError(f"{part.name} of {len(parts)} has no end")
        equal(f"verify {part.name}", bench.run([bench.prof, "verify", part]).returncode, 0 if whole else 1)
    if not bench.info(parts[-1])["complete"] and bench.run([bench.prof, "report", "-i", parts[-1]]).returncode == 0:
        readers = bench.run([os.environ["UNFINISHED"], "--says=cut short", parts[-1]])
        equal(f"every reader: {readers.stdout} {readers.stderr}", readers.returncode, 0)
    return sum(bench.calls_of("leaf", part) for part in parts
               if bench.run([bench.prof, "report", "-i", part]).returncode == 0)


def has_calls(bench, part):
    return bench.run([bench.prof, "report", "-i", part]).returncode == 0 and bench.calls_of("leaf", part) > 0


def program_killed(bench):
    for attempt in range(3):
        file, data, process = start(bench, f"program{attempt}")
        wait_for("parts", lambda data=data, attempt=attempt: len(parts_of(data)) >= 2 + attempt)
        os.kill(children(process.pid)[0], signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
        equal("status", process.returncode, -signal.SIGKILL)
        called, recorded = sum(counted(file)), check(bench, data, True)
        # A call that is open at a cut is in both parts, for each of two threads; one each had not returned.
        if not called <= recorded <= called + 2 * len(parts_of(data)):
            raise AssertionError(f"{called} calls had returned, {recorded} are in the parts")


def recorder_killed(bench):
    """A part of 100 ms has no call if the machine was busy: where all parts are kept, one that has some is waited for."""
    for attempt in range(3):
        file, data, process = start(bench, f"recorder{attempt}", ["--keep=3"] if attempt else [])
        wait_for("parts", lambda data=data, attempt=attempt: any(part.name >= f"part-000{2 + 2 * attempt}"
                                                                 for part in parts_of(data)))
        if not attempt:
            wait_for("a part with calls", lambda data=data: any(has_calls(bench, part) for part in parts_of(data)[:-1]))
        program = children(process.pid)[0]
        before = sum(counted(file))
        process.kill()
        process.wait(timeout=PATIENCE_S)
        wait_for("calls without a recorder", lambda file=file, before=before: sum(counted(file)) > before + 100000)
        os.kill(program, signal.SIGKILL)
        if check(bench, data, False) == 0 and not attempt:
            raise AssertionError("no call is in the parts")


def both_killed(bench):
    for attempt in range(3):
        _, data, process = start(bench, f"both{attempt}")
        wait_for("parts", lambda data=data, attempt=attempt: len(parts_of(data)) >= 2 + attempt)
        program = children(process.pid)[0]
        for victim in (program, process.pid) if attempt % 2 else (process.pid, program):
            os.kill(victim, signal.SIGKILL)
        process.wait(timeout=PATIENCE_S)
        wait_for("the program's end", lambda program=program: ended(program))
        check(bench, data, False)


def full_disk(bench):
    """The disk fills up while parts follow each other: the recording ends, what is there is read, the program goes on."""
    folder = bench.folder / "small"
    folder.mkdir(exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2500k", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        print("full_disk: no right to mount")
        return
    try:
        file, called, stop = until_stopped(bench, "full")
        process = bench.start([bench.prof, "record", "--split=1M", "-o", folder / "data", bench.program, "until", file])
        wait_for("calls that need several such disks", lambda: called() > 200000000)
        stop()
        errors = process.communicate(timeout=PATIENCE_S)[1]
        equal("status", process.returncode, 5)
        contains("stderr", errors, "No space left")
        whole = parts_of(folder / "data")[:-1]  # 1M each, on a disk of 2.5M: its speed doesn't matter
        if len(whole) < 2 or sum(bench.calls_of("leaf", part) for part in whole) == 0:
            raise AssertionError("nothing can be read")
        for part in parts_of(folder / "data"):
            equal(f"damage of {part.name}", bench.info(part)["unreadable_bytes"], 0)
    finally:
        subprocess.run(["umount", folder], check=True)


def old_parts_make_room(bench):
    """The same disk, and --keep: it never fills up."""
    folder = bench.folder / "small"
    folder.mkdir(exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        print("old_parts_make_room: no right to mount")
        return
    try:
        file, _, stop = until_stopped(bench, "room")
        process = bench.start([bench.prof, "record", "--split=100ms", "--keep=2", "-o", folder / "data", bench.program,
                               "until", file])
        wait_for("parts", lambda: any(part.name >= "part-0012" for part in parts_of(folder / "data")))
        stop()
        errors = process.communicate(timeout=PATIENCE_S)[1]
        equal("status", process.returncode, 5)
        contains("stderr", errors, "none lost")
        equal("parts", len(parts_of(folder / "data")), 2)
    finally:
        subprocess.run(["umount", folder], check=True)


if __name__ == "__main__":
    recording.main([program_killed, recorder_killed, both_killed, full_disk, old_parts_make_room])
