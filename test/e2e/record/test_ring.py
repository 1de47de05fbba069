#!/usr/bin/env python3
"""prof record --mode=ring: snapshots on SIGUSR2, at the program's end and its crash; the program goes on meanwhile; memory has a bound."""
import os
import pathlib
import shutil
import signal
import struct

import recording
from recording import PATIENCE_S, children, contains, equal, wait_for


def snapshots_of(data):
    return sorted(one.name for one in data.glob("snapshot-*") if (one / "trace").exists())


def counted(file, word=0):
    return struct.unpack("qq", file.read_bytes()[:16])[word]


def start(bench, options, *arguments):
    file = bench.folder / "page"
    shutil.rmtree(bench.folder / "prof.data", ignore_errors=True)
    file.write_bytes(bytes(16))
    process = bench.start([bench.prof, "record", "--mode=ring", *options, bench.program, *arguments, file])
    wait_for("calls", lambda: counted(file) > 10000)
    return file, process


def stop(file):
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))


def whole(bench, name):
    checked = bench.run([bench.prof, "verify", f"prof.data/{name}"])
    return checked.returncode == 0


def snapshot(bench, process, number):
    """Asks for one and waits until it is whole."""
    name = f"snapshot-{number:04}"
    process.send_signal(signal.SIGUSR2)
    wait_for(name, lambda: name in snapshots_of(bench.folder / "prof.data") and whole(bench, name))
    return name


def on_a_signal(bench):
    """Each snapshot has all calls until then, if that much is kept; the program goes on."""
    file, process = start(bench, ["--keep=512M"], "until")
    least = []
    for number in (1, 2, 3):
        least.append(counted(file))
        snapshot(bench, process, number)
        wait_for("more calls", lambda before=counted(file): counted(file) > before)
    stop(file)
    output, errors = process.communicate(timeout=PATIENCE_S)
    equal("status", process.returncode, 5)
    calls = counted(file)
    equal("output", output, f"{calls}\n")
    names = snapshots_of(bench.folder / "prof.data")
    equal("snapshots", names, [f"snapshot-000{number}" for number in range(1, 5)])
    contains("what prof says", errors, "prof: 4 snapshots")
    contains("what prof says", errors, "snapshot written: prof.data/snapshot-0001")
    found = [bench.calls_of("leaf", f"prof.data/{name}") for name in names]
    for at, (name, calls_then) in enumerate(zip(names, found)):
        if at < 3 and not least[at] <= calls_then <= calls:
            raise AssertionError(f"{name} has {calls_then} calls, there were at least {least[at]}")
        info = bench.info(f"prof.data/{name}")
        contains(f"end of {name}", info["end"], "this is a snapshot" if at < 3 else "with the program, exit status 5")
        equal(f"lost in {name}", info["lost_events"], 0)
        equal(f"verify {name}", whole(bench, name), True)
    equal("calls of the last", found[3], calls)
    equal("order", found, sorted(found))
    equal("the folder is read as its newest", bench.calls_of("leaf"), calls)


def the_latest_is_kept(bench):
    """By time and by size: early calls are gone, frames that were open all the time are there."""
    for options in (["--keep=400ms"], ["--keep=1M"]):
        file, process = start(bench, options, "until")
        wait_for("more than is kept", lambda file=file: counted(file) > 40000000)
        before = counted(file)
        count, name = 1, snapshot(bench, process, 1)
        while bench.calls_so_far("leaf", f"prof.data/{name}") == 0:  # the program stood still for so long
            count, name = count + 1, snapshot(bench, process, count + 1)
        stop(file)
        process.communicate(timeout=PATIENCE_S)
        for one in (name, f"snapshot-{count + 1:04}"):
            equal(f"verify {one}", whole(bench, one), True)
            calls = bench.calls_of("leaf", f"prof.data/{one}")
            if not 0 < calls < counted(file):
                raise AssertionError(f"{options}: {calls} of {before} calls are kept")
            report = bench.read("report", f"prof.data/{one}")
            outer = [row for row in report["functions"] if row["name"] == "until"]
            equal(f"until in {one}", [row["calls"] for row in outer], [1])
        if options == ["--keep=1M"] and bench.info(f"prof.data/{name}")["bytes"] > 3 << 20:
            raise AssertionError(f"a snapshot has {bench.info(f'prof.data/{name}')['bytes']} bytes")


def crash(bench):
    """The program is killed, or aborts: the last snapshot has its calls up to then."""
    for attempt in range(3):
        file, process = start(bench, ["--keep=512M"], "endless")
        if attempt:
            snapshot(bench, process, 1)
        wait_for("calls", lambda file=file: min(counted(file), counted(file, 1)) > 20000)
        os.kill(children(process.pid)[0], (signal.SIGKILL, signal.SIGSEGV, signal.SIGKILL)[attempt])
        process.communicate(timeout=PATIENCE_S)
        called, recorded = counted(file) + counted(file, 1), bench.calls_of("leaf")
        if not called <= recorded <= called + 2:
            raise AssertionError(f"{called} calls had returned, {recorded} are in the last snapshot")


def recorder_killed(bench):
    """What was written before is read; the program goes on."""
    file, process = start(bench, [], "until")
    name = snapshot(bench, process, 1)
    program = children(process.pid)[0]
    for _ in range(3):
        process.send_signal(signal.SIGUSR2)
    process.kill()
    process.wait(timeout=PATIENCE_S)
    wait_for("calls without a recorder", lambda before=counted(file): counted(file) > before + 100000)
    stop(file)
    wait_for("the program's end", lambda: not pathlib.Path(f"/proc/{program}").exists())
    equal("verify", whole(bench, name), True)
    for other in (bench.folder / "prof.data").glob("snapshot-*"):
        if (other / "trace").exists() and (other / "trace").stat().st_size >= 64:
            equal(f"info {other.name}", bench.info(other)["unreadable_bytes"], 0)


def many_at_once(bench):
    """Signals while a snapshot is written: none is half written, and there is at least one more."""
    file, process = start(bench, ["--keep=64M"], "until")
    for _ in range(20):
        process.send_signal(signal.SIGUSR2)
    wait_for("two", lambda: len(snapshots_of(bench.folder / "prof.data")) >= 1)
    stop(file)
    errors = process.communicate(timeout=PATIENCE_S)[1]
    names = snapshots_of(bench.folder / "prof.data")
    for name in names:
        equal(f"verify {name}", whole(bench, name), True)
    contains("what prof says", errors, f"prof: {len(names)} snapshots")


def no_room(bench):
    """A folder that can't be written: a message, and the recording goes on."""
    file, process = start(bench, [], "until")
    data = bench.folder / "prof.data"
    wait_for("the folder", data.exists)
    for number in range(1, 3):
        (data / f"snapshot-{number:04}").touch()
    process.send_signal(signal.SIGUSR2)
    wait_for("more calls", lambda before=counted(file): counted(file) > before + 200000)
    stop(file)
    errors = process.communicate(timeout=PATIENCE_S)[1]
    equal("status", process.returncode, 5)
    contains("what prof says", errors, "File exists")


def without_calls(bench):
    """A program that isn't instrumented leaves the older recording alone, and no snapshot."""
    bench.record("plain", 9, 0)
    result = bench.record("plain", 3, 0, program=bench.plain, options=["--mode=ring"])
    equal("status", result.returncode, 0)
    equal("older one", bench.calls_of("leaf"), 9)
    equal("folders", [left.name for left in bench.folder.glob("prof.data*")], ["prof.data"])


if __name__ == "__main__":
    recording.main([on_a_signal, the_latest_is_kept, crash, recorder_killed, many_at_once, no_room, without_calls])
