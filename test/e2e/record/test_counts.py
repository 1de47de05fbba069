#!/usr/bin/env python3
"""Every call is in the recording: threads, fork, exec, spawn, dlopen."""
import re
import shutil
import signal
import subprocess
import time

import recording
from recording import children, equal, wait_for


def whole(bench, leaf_calls, function="leaf"):
    """The recording is complete and nothing was lost or left unmatched."""
    info = bench.info()
    equal("complete", info["complete"], True)
    equal("events lost", info["lost_events"], 0)
    equal("torn events", info["torn_events"], 0)
    equal("damaged chunks", info["damaged_chunks"], 0)
    equal(f"calls of {function}", bench.calls_of(function), leaf_calls)
    return info


def plain(bench):
    result = bench.record("plain", 100000, 3)
    equal("status", result.returncode, 3)
    equal("output", result.stdout, "done\n")
    info = whole(bench, 100000)
    # main, plain, calls and leaf; whether the middle ones were inlined is the compiler's business
    calls = sum(bench.calls_of(name) for name in ("main", "plain", "calls", "leaf"))
    entries = sum(row["entries"] for row in bench.read("loops")["loops"])
    values = info["events"] - 2 * calls - 2 * entries
    equal("events that are neither a call's nor a loop's", 0 <= values <= 2 * entries, True)
    equal("unmatched", info["unmatched_exits"], 0)
    equal("threads", info["threads"], 1)
    equal("modules", info["modules"], 1)


def plain_without_loops(bench):
    """The same program with loops=none: the calls' events are all."""
    program = bench.folder / "no-loops"
    bench.build("calls.c", program, ["-fplugin-arg-prof-loops=none"])
    bench.record("plain", 100000, 3, program=program)
    info = whole(bench, 100000)
    equal("events", info["events"], 2 * sum(bench.calls_of(name) for name in ("main", "plain", "calls", "leaf")))


def loops(bench):
    """Loops have probes unless the compile line says otherwise."""
    bench.record("plain", 100000, 3)
    rows = bench.read("loops")["loops"]
    equal("iterations of the loop that calls leaf", [row["iterations"] for row in rows if row["function"] == "calls"],
          [100000])


def many_segments(bench):
    bench.record("plain", 3000000, 0)
    info = whole(bench, 3000000)
    equal("unmatched", info["unmatched_exits"], 0)


def one_call(bench):
    bench.record("plain", 1, 0)
    whole(bench, 1)


def small_buffer(bench):
    equal("status", bench.record("threads", 4, 200000, options=["--buffer=1M"]).returncode, 0)
    whole(bench, 800000)


def threads_at_once(bench):
    bench.record("threads", 32, 50000)
    info = whole(bench, 32 * 50000)
    equal("threads", info["threads"], 33)


def rings_that_are_full(bench):
    """The recorder stood still meanwhile, so it finds several full rings, and reads them at the same time."""
    for options in ([], ["--mode=summary"], ["-N", "main"]):
        process = bench.start([bench.prof, "record", *options, bench.program, "threads", 4, 1000000])
        wait_for("the program's start", lambda: children(process.pid))
        for _ in range(4):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.1)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.02)
        process.communicate(timeout=recording.PATIENCE_S)
        equal("status", process.returncode, 0)
        info = whole(bench, 4 * 1000000)
        equal("unmatched", info["unmatched_exits"], 0)
        shutil.rmtree(bench.folder / "prof.data")


def threads_in_turn(bench):
    bench.record("sequence", 600, 50)
    info = whole(bench, 600 * 50)
    equal("threads", info["threads"], 601)


def forks(bench):
    result = bench.record("forks", 20, 5000)
    info = whole(bench, 20 * 5000)
    equal("processes", info["processes"], 21)
    equal("calls of main", bench.calls_of("main"), 1)
    told = re.search(r"([\d,]+) calls?\b", result.stderr).group(1).replace(",", "")
    equal("calls at the end of prof record", int(told), bench.read("report")["cover"]["calls"])


def forks_that_return(bench):
    bench.record("nested", 5, 2000)
    info = whole(bench, 6 * 2000)
    equal("processes", info["processes"], 6)


def exec_and_fork(bench):
    result = bench.record("execs", 4000)
    equal("status", result.returncode, 7)
    info = whole(bench, 3 * 4000)
    equal("processes", info["processes"], 3)
    equal("modules", info["modules"], 1)


def spawned(bench):
    bench.record("spawns", 8, 3000)
    whole(bench, 8 * 3000)


def under_a_shell(bench):
    result = bench.run([bench.prof, "record", "sh", "-c", f"{bench.program} plain 500 0; {bench.program} plain 500 4"])
    equal("status", result.returncode, 4)
    whole(bench, 1000)


def opened_library(bench):
    bench.record("library", bench.library, 7000)
    info = whole(bench, 3 * 7000, "library_leaf")
    equal("modules", info["modules"], 2)


def stripped(bench):
    """strip leaves the facts and with them the names; without facts symbols name functions, without both addresses do."""
    def variant(name, *commands):
        program = bench.folder / name
        shutil.copy(bench.program, program)
        for command in commands:
            subprocess.run([*command, program], check=True)
        equal(f"status of {name}", bench.record("plain", 600, 0, program=program).returncode, 0)
        return bench.info()

    no_facts = ("objcopy", "--remove-section=.prof_facts_v1")
    variant("no-symbols", ("strip",))
    equal("calls by facts", bench.calls_of("leaf"), 600)
    variant("no-facts", no_facts)
    equal("calls by symbols", bench.calls_of("leaf"), 600)
    info = variant("neither", ("strip",), no_facts)
    equal("unmatched exits", info["unmatched_exits"], 0)
    rows = bench.read("report")["functions"]
    equal("calls of the function that was called most", max(row["calls"] for row in rows), 600)
    equal("names", [row["name"] for row in rows if not row["name"].startswith("0x")], [])


def drop_counts_what_is_lost(bench):
    """With drop, what is in the trace and what was lost add up to what happened."""
    bench.record("threads", 4, 1000000, options=["--when-full=drop", "--buffer=1M"])
    info = bench.info()
    recorded, lost = info["events"], info["lost_events"]
    if recorded + lost < 2 * 4 * 1000000:
        raise AssertionError(f"{recorded} recorded and {lost} lost are less than happened")


def output_is_the_programs(bench):
    """Standard streams, working directory and descriptors are as without prof."""
    expected = bench.run([bench.plain, "descriptors"])
    got = bench.record("descriptors")
    equal("descriptors", got.stdout, expected.stdout)
    equal("status", got.returncode, expected.returncode)


if __name__ == "__main__":
    recording.main([plain, plain_without_loops, loops, many_segments, one_call, small_buffer, threads_at_once, rings_that_are_full, threads_in_turn, forks,
                    forks_that_return, exec_and_fork, spawned, under_a_shell, opened_library, stripped, drop_counts_what_is_lost,
                    output_is_the_programs])
