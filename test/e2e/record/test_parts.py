#!/usr/bin/env python3
"""prof record --split: parts that follow each other, each a whole recording; nothing is lost between them, old ones are deleted."""
import os
import shutil
import signal
import struct

import recording
from recording import PATIENCE_S, contains, equal, wait_for


def parts_of(data):
    return sorted(part.name for part in data.glob("part-*") if (part / "trace").exists())


def number_of(part):
    return int(part.rpartition("-")[2])


def counted(file):
    return struct.unpack("q", file.read_bytes()[:8])[0]


def start_until(bench, options, environment=None):
    """`until` under prof record; its page, and prof."""
    file = bench.folder / "page"
    shutil.rmtree(bench.folder / "prof.data", ignore_errors=True)
    file.write_bytes(bytes(16))
    return file, bench.start([bench.prof, "record", *options, bench.program, "until", file], environment)


def stop_until(file):
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))


def more_calls(file, least=1000):
    wait_for("more calls", lambda before=counted(file): counted(file) > before + least)


def next_part(bench, file, process):
    """Asks for it, and waits until it has calls."""
    data, before = bench.folder / "prof.data", len(parts_of(bench.folder / "prof.data"))
    process.send_signal(signal.SIGUSR2)
    wait_for("the next part", lambda: len(parts_of(data)) > before)
    more_calls(file, 3000)  # some of them might have been made just before the cut


def run_until(bench, options, condition):
    """`until` under prof record; the number of calls, and what prof said.  Until the condition holds of its folder, or,
    if that is a number, until there are so many parts more than at its first call: a slow start may take several."""
    data = bench.folder / "prof.data"
    file, process = start_until(bench, options)
    wait_for("calls", lambda: counted(file) > 1000)
    before = len(parts_of(data))
    wait_for("the parts", lambda: condition(data) if callable(condition) else len(parts_of(data)) >= before + condition)
    stop_until(file)
    output, errors = process.communicate(timeout=PATIENCE_S)
    equal("status", process.returncode, 5)
    equal("output", output, f"{counted(file)}\n")
    return counted(file), errors


def with_frames(bench, data="prof.data"):
    """The parts from the program's first call to its last.  One may have begun, and ended, before or after them."""
    parts = parts_of(bench.folder / data)
    have = [bench.run([bench.prof, "report", "-i", f"{data}/{part}"]).returncode == 0 for part in parts]
    first, end = have.index(True), len(have) - have[::-1].index(True)
    equal(f"parts between that hold no calls: {have}", False in have[first:end], False)
    return parts[first:end]


def check_whole(bench, part):
    checked = bench.run([bench.prof, "verify", f"prof.data/{part}"])
    equal(f"verify {part}: {checked.stdout}", checked.returncode, 0)


def nothing_is_lost(bench):
    """By time and by size: the parts have all calls, those that are open at a cut in both."""
    for options, least in ((["--split=150ms"], 3), (["--split=1M"], 1)):
        calls, errors = run_until(bench, options, least)
        parts, framed = parts_of(bench.folder / "prof.data"), with_frames(bench)
        equal("names", parts, [f"part-{number:04}" for number in range(1, len(parts) + 1)])
        contains("what prof says", errors, f"prof: {len(parts)} parts, {len(parts)} kept")
        found = sum(bench.calls_so_far("leaf", f"prof.data/{part}") for part in parts)  # none in one in which the program stood still
        if not calls <= found < calls + len(parts):
            raise AssertionError(f"{options}: {found} of {calls} calls in {len(parts)} parts")
        for part in parts:
            check_whole(bench, part)
            info = bench.info(f"prof.data/{part}")
            equal(f"command in {part}", info["command"].split()[1], "until")
            contains(f"end of {part}", info["end"], "with the program" if part == parts[-1] else "in the next part")
            equal(f"lost in {part}", info["lost_events"], 0)
            equal(f"is a part: {part}", "part" in info, part != "part-0001")
        for part in framed:
            tree = bench.run([bench.prof, "tree", "-i", f"prof.data/{part}", "--min-share=0"]).stdout
            contains(f"the frames of {part}", tree, "until")


def time_begins_anew(bench):
    """Each part's times count from its begin, and its threads' figures are its own."""
    run_until(bench, ["--split=300ms"], 3)
    for part in with_frames(bench)[1:-1]:
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
    contains("what prof says", errors, f"prof: {number_of(parts[-1])} parts, 3 kept")
    if most > 3:
        raise AssertionError(f"there were {most} parts at a time")
    for part in parts:
        check_whole(bench, part)
    equal("other things in the folder", sorted(os.listdir(data)), parts)


def readers_take_the_newest(bench):
    file, process = start_until(bench, ["--split=1h"])
    more_calls(file)
    for _ in range(2):
        next_part(bench, file, process)
    stop_until(file)
    process.communicate(timeout=PATIENCE_S)
    newest = parts_of(bench.folder / "prof.data")[-1]
    equal("newest", newest, "part-0003")
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
    turn = f"{program} forks 3 2000; {program} plain 500 0; i=$((i+1)); sleep 0.05"
    script = f"i=0; while test $i -lt 12 || ! test -e prof.data/part-0007; do {turn}; done; echo $i"  # parts are cut meanwhile
    result = bench.run([bench.prof, "record", "--split=100ms", "sh", "-c", script])
    equal("status", result.returncode, 0)
    turns = int(result.stdout.splitlines()[-1])
    parts = parts_of(bench.folder / "prof.data")
    found = 0
    for part in parts:
        shown = bench.run([bench.prof, "report", "-i", f"prof.data/{part}"])
        if shown.returncode:  # between two programs
            contains(f"report of {part}", shown.stderr, "the recording holds no calls")
        else:
            found += bench.calls_of("leaf", f"prof.data/{part}")
    calls = turns * (3 * 2000 + 500)
    if not calls <= found < calls + 8 * len(parts):
        raise AssertionError(f"{found} of {calls} calls in {len(parts)} parts")
    # What is over is forgotten: the last part doesn't name the first processes.
    equal("processes of the last part", bench.info(f"prof.data/{parts[-1]}")["processes"] < turns * 3, True)


def with_a_budget(bench):
    """States go along: functions in bursts stay so in the next part, and the figures are estimates there."""
    run_until(bench, ["--overhead=10%", "--split=400ms"], 3)
    for part in parts_of(bench.folder / "prof.data"):
        check_whole(bench, part)
    for part in with_frames(bench):
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
    data = bench.folder / "prof.data"
    file, process = start_until(bench, ["--split=1h"])
    more_calls(file)
    next_part(bench, file, process)
    (data / "part-0003").mkdir()
    process.send_signal(signal.SIGUSR2)
    wait_for("the second part's end", lambda: bench.info("prof.data/part-0002")["complete"])
    more_calls(file)
    stop_until(file)
    errors = process.communicate(timeout=PATIENCE_S)[1]
    equal("status", process.returncode, 5)
    contains("what prof says", errors, "File exists")


if __name__ == "__main__":
    recording.main([nothing_is_lost, time_begins_anew, old_ones_are_deleted, readers_take_the_newest,
                    processes_come_and_go, with_a_budget, bad_values, a_folder_in_the_way])
