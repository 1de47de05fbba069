#!/usr/bin/env python3
"""prof record --split: parts that follow each other, each a whole recording; nothing is lost between them, old ones are deleted."""
import os
import shutil
import struct

import recording
from recording import contains, equal, wait_for


def parts_of(data):
    return sorted(part.name for part in data.glob("part-*") if (part / "trace").exists())


def number_of(part):
    return int(part.rpartition("-")[2])


def counted(file):
    return struct.unpack("q", file.read_bytes()[:8])[0]


def run_until(bench, options, condition, program=None):
    """`until` under prof record, until the condition holds of its folder; the number of calls, and what prof said."""
    file, data = bench.folder / "page", bench.folder / "prof.data"
    shutil.rmtree(data, ignore_errors=True)
    file.write_bytes(bytes(16))
    process = bench.start([bench.prof, "record", *options, program or bench.program, "until", file])
    wait_for("the parts", lambda: condition(data))
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))
    output, errors = process.communicate(timeout=100)
    equal("status", process.returncode, 5)
    equal("output", output, f"{counted(file)}\n")
    return counted(file), errors


def check_whole(bench, part):
    checked = bench.run([bench.prof, "verify", f"prof.data/{part}"])
    equal(f"verify {part}: {checked.stdout}", checked.returncode, 0)


def nothing_is_lost(bench):
    """By time and by size: the parts have all calls, those that are open at a cut in both."""
    for options, least in ((["--split=150ms"], 4), (["--split=1M"], 2)):
        calls, errors = run_until(bench, options, lambda data, least=least: len(parts_of(data)) >= least)
        parts = parts_of(bench.folder / "prof.data")
        equal("names", parts, [f"part-{number:04}" for number in range(1, len(parts) + 1)])
        contains("what prof says", errors, f"prof: {len(parts)} parts, {len(parts)} kept")
        found = sum(bench.calls_of("leaf", f"prof.data/{part}") for part in parts)
        if not calls <= found < calls + len(parts):
            raise AssertionError(f"{options}: {found} of {calls} calls in {len(parts)} parts")
        for part in parts:
            check_whole(bench, part)
            info = bench.info(f"prof.data/{part}")
            equal(f"command in {part}", info["command"].split()[1], "until")
            contains(f"end of {part}", info["end"], "with the program" if part == parts[-1] else "in the next part")
            equal(f"lost in {part}", info["lost_events"], 0)
            equal(f"is a part: {part}", "part" in info, part != "part-0001")
            tree = bench.run([bench.prof, "tree", "-i", f"prof.data/{part}", "--min-share=0"]).stdout
            contains(f"the frames of {part}", tree, "until")


def time_begins_anew(bench):
    """Each part's times count from its begin, and its threads' figures are its own."""
    run_until(bench, ["--split=300ms"], lambda data: len(parts_of(data)) >= 4)
    for part in parts_of(bench.folder / "prof.data")[1:-1]:
        info, report = bench.info(f"prof.data/{part}"), bench.read("report", f"prof.data/{part}")
        outer = next(row for row in report["functions"] if row["name"] == "until")
        equal(f"calls of until in {part}", outer["calls"], 1)
        if not 0 < outer["total_ns"] <= 2 * info["wall_ns"] + 1e9:
            raise AssertionError(f"{part}: {outer['total_ns']} of {info['wall_ns']} ns")
        equal(f"begin of {part}", info["part"]["begin_ns"] < info["wall_ns"] + 1e9, True)
        cpu = info["thread_list"][0]["cpu_ns"]
        if cpu is not None and cpu > 2 * info["wall_ns"] + 1e9:
            raise AssertionError(f"{part}: a thread used {cpu} ns in {info['wall_ns']} ns")


def old_ones_are_deleted(bench):
    data = bench.folder / "prof.data"
    most = 0

    def far(folder):
        nonlocal most
        most = max(most, len(parts_of(folder)))
        return any(number_of(part) >= 7 for part in parts_of(folder))
    _, errors = run_until(bench, ["--split=100ms", "--keep=3"], far)
    parts = parts_of(data)
    equal("kept", len(parts), 3)
    contains("what prof says", errors, f"prof: {number_of(parts[-1])} parts, the last 3 kept")
    if most > 3:
        raise AssertionError(f"there were {most} parts at a time")
    for part in parts:
        check_whole(bench, part)
    equal("other things in the folder", sorted(os.listdir(data)), parts)


def readers_take_the_newest(bench):
    run_until(bench, ["--split=150ms"], lambda data: len(parts_of(data)) >= 3)
    newest = parts_of(bench.folder / "prof.data")[-1]
    shown = bench.run([bench.prof, "report", "-i", "prof.data/"])
    contains("stderr", shown.stderr, f"prof: this is {newest}, the newest")
    equal("calls", bench.calls_of("leaf"), bench.calls_of("leaf", f"prof.data/{newest}"))
    equal("by its name", bench.run([bench.prof, "report", "-i", f"prof.data/{newest}"]).stderr, "")
    for number, size in ((9998, 0), (9999, None)):  # being made
        (bench.folder / "prof.data" / f"part-{number}").mkdir()
        if size is not None:
            (bench.folder / "prof.data" / f"part-{number}" / "trace").touch()
    equal("calls", bench.calls_of("leaf"), bench.calls_of("leaf", f"prof.data/{newest}"))
    bench.record("plain", 7, 0)  # moves it aside, with its parts
    equal("calls", bench.calls_of("leaf"), 7)
    equal("calls of the older one", bench.calls_of("leaf", "prof.data.old") > 0, True)
    bench.record("plain", 8, 0)
    equal("calls of the older one", bench.calls_of("leaf", "prof.data.old"), 7)


def processes_come_and_go(bench):
    """Each part names the program, its sites and its processes, also when those that began in it are gone."""
    program = bench.program
    script = f"i=0; while test $i -lt 12; do {program} forks 3 2000; {program} plain 500 0; i=$((i+1)); sleep 0.05; done"
    result = bench.run([bench.prof, "record", "--split=100ms", "sh", "-c", script])
    equal("status", result.returncode, 0)
    parts = parts_of(bench.folder / "prof.data")
    found = 0
    for part in parts:
        shown = bench.run([bench.prof, "report", "-i", f"prof.data/{part}"])
        if shown.returncode:  # between two programs
            contains(f"report of {part}", shown.stderr, "the recording holds no calls")
        else:
            found += bench.calls_of("leaf", f"prof.data/{part}")
    calls = 12 * (3 * 2000 + 500)
    if not calls <= found < calls + 8 * len(parts):
        raise AssertionError(f"{found} of {calls} calls in {len(parts)} parts")
    # What is over is forgotten: the last part doesn't name the first processes.
    equal("processes of the last part", bench.info(f"prof.data/{parts[-1]}")["processes"] < 36, True)


def with_a_budget(bench):
    """States go along: functions in bursts stay so in the next part, and the figures are estimates there."""
    run_until(bench, ["--overhead=10%", "--split=400ms"], lambda data: len(parts_of(data)) >= 4)
    for part in parts_of(bench.folder / "prof.data"):
        check_whole(bench, part)
        outer = [row for row in bench.read("report", f"prof.data/{part}")["functions"] if row["name"] == "until"]
        equal(f"until in {part}", len(outer), 1)


def bad_values(bench):
    for options, what, remedy in (
            (["--split=soon"], "--split=soon is neither", "--split=60s"),
            (["--split="], "--split= is neither", "--split=1G"),
            (["--split=10ms"], "too small parts", "100ms"),
            (["--split=1000"], "too small parts", "1M"),
            (["--keep=3"], "--keep needs --split or --mode=ring", "--split=60s"),
            (["--split=1s", "--keep=0"], "--keep=0", "1"),
            (["--split=1s", "--keep=10s"], "--keep=10s", "whole number"),
            (["--mode=ring", "--split=1s"], "--mode=ring can't be used with --split", "one of them"),
            (["--mode=ring", "--keep=soon"], "--keep=soon is neither", "--keep=64M"),
            (["--mode=ring", "--keep=5"], "keeps too little", "1M"),
            (["--mode=ring", "--keep=1ms"], "keeps too little", "100ms"),
            (["--mode=ring", "--max-size=1G"], "--max-size can't be used with --mode=ring", "--keep"),
            (["--mode=round"], "--mode=round", "ring"),
            (["--split=1s", "--max-size=1G"], "--max-size can't be used with --split", "--keep")):
        result = bench.record("plain", 3, 0, options=options)
        equal(f"status of {options}", result.returncode, 2)
        contains("what", result.stderr, what)
        contains("remedy", result.stderr, remedy)
        equal("the program ran", result.stdout, "")


def a_folder_in_the_way(bench):
    """The next part's name is taken: the recording ends there, the program goes on."""
    file, data = bench.folder / "page", bench.folder / "prof.data"
    file.write_bytes(bytes(16))
    process = bench.start([bench.prof, "record", "--split=300ms", bench.program, "until", file])
    wait_for("the first part", lambda: parts_of(data))
    for number in range(3, 6):
        (data / f"part-{number:04}").mkdir()
    wait_for("more calls", lambda before=counted(file): counted(file) > before + 1000)
    wait_for("the second part's end", lambda: bench.info("prof.data/part-0002")["complete"]
             if (data / "part-0002" / "trace").exists() else False)
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))
    errors = process.communicate(timeout=100)[1]
    equal("status", process.returncode, 5)
    contains("what prof says", errors, "File exists")


if __name__ == "__main__":
    recording.main([nothing_is_lost, time_begins_anew, old_ones_are_deleted, readers_take_the_newest,
                    processes_come_and_go, with_a_budget, bad_values, a_folder_in_the_way])
