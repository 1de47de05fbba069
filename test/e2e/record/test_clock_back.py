#!/usr/bin/env python3
"""The system's clock is set back by a day while a program is recorded: parts, rings and summaries go on, and readers show the right time."""
import json
import time

import recording
from recording import PATIENCE_S, equal, wait_for
from test_parts import counted, number_of, parts_of, start_until, stop_until

DAY_S = 86400
BACK_S = 1  # so long the recorder goes on afterwards


def start(bench, *options):
    preload = bench.folder / "clock_back.so"
    if not preload.exists():
        bench.build("clock_back.c", preload, ["-shared", "-fPIC"], plugin=False)
    began, back = time.time(), bench.folder / "back"
    back.unlink(missing_ok=True)
    file, process = start_until(bench, ["--sample=off", *options], {"LD_PRELOAD": str(preload), "CLOCK_BACK": str(back)})
    wait_for("calls", lambda: counted(file) > 1000)
    back.touch()  # now the recorder's clock is set back
    time.sleep(BACK_S)
    wait_for("calls after it", lambda before=counted(file): counted(file) > before)
    return file, process, began


def finish(bench, file, process, began):
    """All is there, and the recording began when it did; the number of calls."""
    stop_until(file)
    output, errors = process.communicate(timeout=PATIENCE_S)
    equal(f"status: {errors}", process.returncode, 5)
    return int(output)


def began_at(bench, data, began):
    exported = json.loads(bench.run([bench.prof, "export", "--format=json", "-i", data]).stdout)
    at = exported["start_realtime_ns"] / 1e9
    if not began - 1 <= at <= began + PATIENCE_S:
        raise AssertionError(f"{data} began at {at}, not after {began}")


def calls_of(bench, data):
    equal(f"verify {data}", bench.run([bench.prof, "verify", data]).returncode, 0)
    is_empty = "holds no calls" in bench.run([bench.prof, "report", "-i", data]).stderr  # the last part, on a busy machine
    return 0 if is_empty else bench.calls_of("leaf", data)


def in_one_file(bench):
    file, process, began = start(bench)
    shown = json.loads(bench.run([bench.prof, "top", "prof.data", "--format=json"]).stdout)
    if not 0 <= shown["age_ns"] < PATIENCE_S * 1e9:
        raise AssertionError(f"age of the data: {shown['age_ns']} ns")
    calls = finish(bench, file, process, began)
    equal("calls", calls_of(bench, "prof.data"), calls)
    began_at(bench, "prof.data", began)


def in_parts(bench):
    """Numbered in a row, the oldest deleted, and merged in the order of what happened."""
    file, process, began = start(bench, "--split=200ms", "--keep=30")
    wait_for("parts", lambda: len(parts_of(bench.folder / "prof.data")) > 4)
    calls = finish(bench, file, process, began)
    parts = parts_of(bench.folder / "prof.data")
    numbers = [number_of(part) for part in parts]
    equal("numbers", numbers, list(range(numbers[0], numbers[0] + len(numbers))))
    sums = sum(calls_of(bench, f"prof.data/{part}") for part in parts)
    if not (0 if numbers[0] > 1 else calls) <= sums <= calls + len(parts):  # a call that goes on is in both
        raise AssertionError(f"{sums} calls of {calls} in {parts}")
    folders = [bench.folder / "prof.data" / part for part in parts]
    result = bench.run([bench.prof, "merge", "-o", "merged.data", *folders])
    equal(f"merge: {result.stderr}", result.returncode, 0)
    merged = calls_of(bench, "merged.data")
    equal("calls of all parts", (merged == calls, merged <= sums), (numbers[0] == 1, True))
    if numbers[0] == 1:
        began_at(bench, "merged.data", began)
    equal("length", bench.info("merged.data")["wall_ns"] < PATIENCE_S * 1e9, True)


def in_a_ring(bench):
    """What is kept is that of the last second, not of the last day."""
    file, process, began = start(bench, "--mode=ring", "--keep=1s")
    bench.run([bench.prof, "ctl", process.pid, "snapshot"])
    finish(bench, file, process, began)
    names = sorted(folder.name for folder in (bench.folder / "prof.data").glob("snapshot-*"))
    equal("snapshots", names, ["snapshot-0001", "snapshot-0002"])
    for name in names:
        if calls_of(bench, f"prof.data/{name}") == 0:
            raise AssertionError(f"{name} has no calls")


def in_a_summary(bench):
    file, process, began = start(bench, "--mode=summary", "--every=200ms")
    if bench.calls_so_far("leaf") == 0:
        raise AssertionError("no calls so far")
    calls = finish(bench, file, process, began)
    equal("calls", calls_of(bench, "prof.data"), calls)
    began_at(bench, "prof.data", began)


if __name__ == "__main__":
    recording.main([in_one_file, in_parts, in_a_ring, in_a_summary])
