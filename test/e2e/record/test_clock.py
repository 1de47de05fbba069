#!/usr/bin/env python3
"""--clock: with the system's clock every call is there, its times are right, and the program doesn't notice."""
import os

import recording
from recording import equal
from test_counts import whole

OS = ["--clock=os"]


def clock_of(info):
    return info["clock"].split(",")[0]


def said(bench):
    """prof info says which clock was read, whatever was asked for."""
    facts = bench.info_of_plain(OS)
    equal("clock asked for", clock_of(facts), "CLOCK_MONOTONIC")
    equal("frequency", facts["clock_hz"], 1000000000)
    equal("clock asked for", clock_of(bench.info_of_plain(["--clock=tsc"])), "TSC")
    constant = all(flag in open("/proc/cpuinfo", encoding="ascii", errors="replace").read().split()
                   for flag in ("constant_tsc", "nonstop_tsc"))
    facts = bench.info_of_plain([])
    if not constant:
        equal("clock without invariant TSC", clock_of(facts), "CLOCK_MONOTONIC")
        equal("a note on it", any("time stamp counter" in note for note in facts["notes"]), True)
    elif clock_of(facts) == "CLOCK_MONOTONIC":
        equal("a note on it", any("time stamp counter" in note for note in facts["notes"]), True)
    kernel = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
    if os.path.exists(kernel):
        equal("the kernel's clock is named", open(kernel, encoding="ascii").read().strip() in facts["clock_check"], True)


def calls(bench):
    bench.record("threads", 8, 50000, options=OS)
    equal("threads", whole(bench, 8 * 50000)["threads"], 9)
    bench.record("forks", 10, 5000, options=OS)
    equal("processes", whole(bench, 10 * 5000)["processes"], 11)
    bench.record("library", bench.library, 7000, options=OS)
    whole(bench, 3 * 7000, "library_leaf")


def times(bench):
    """The time inside main is at most the time between the program's start and end, by another clock."""
    bench.record("plain", 300000, 0, options=OS)
    info = bench.info()
    inside = bench.read("report")["cover"]["inside_ns"]
    if not 0 < inside <= info["wall_ns"]:
        raise AssertionError(f"{inside} ns inside, {info['wall_ns']} ns from start to end")
    equal("clock steps back", info["inversions"], 0)


def registers(bench):
    """A probe that calls C code keeps every register that arguments and results are passed in."""
    probed, plain = bench.folder / "registers", bench.folder / "registers-plain"
    bench.build("registers.c", probed)
    bench.build("registers.c", plain, plugin=False)
    expected = bench.run([plain, 200000]).stdout
    for options in (OS, []):
        equal(f"output with {options}", bench.record(200000, program=probed, options=options).stdout, expected)
        equal("calls", bench.calls_of("vectors"), 200000)


def wrong_word(bench):
    result = bench.record("plain", 1, 0, options=["--clock=sun"])
    equal("status", result.returncode, 2)
    equal("what may be said", "tsc" in result.stderr, True)


def info_of_plain(bench, options):
    bench.record("plain", 100, 0, options=options)
    return bench.info()


if __name__ == "__main__":
    recording.Bench.info_of_plain = info_of_plain
    recording.main([said, calls, times, registers, wrong_word])
