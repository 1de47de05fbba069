#!/usr/bin/env python3
"""--caller while recording, and in readers: only calls of the functions and the calls that led to them; recursion, threads, a forked child."""
import collections
import shutil

import recording
from recording import contains, equal

ROUNDS = 60
FILTERS = (["--caller=target"], ["--caller=down"], ["--caller=target", "-F", "around"], ["--caller=target", "-N", "down"], ["--caller=target", "-D", "3"],
           ["--caller=target", "--file=led.c"], ["-C", "idle", "-C", "target"], ["--caller=other", "-t", "1h"])


def compilers(bench):
    return [name for name in dict.fromkeys((bench.options.compiler, "clang-14", "clang-16", "clang-19")) if shutil.which(name)]


def paths(bench, data, options=()):
    """Calls by process and path; {} if a filter leaves none."""
    found, threads = collections.Counter(), bench.info(data)["thread_list"]
    for thread in threads:
        place = "parent" if thread["pid"] == threads[0]["pid"] else "child"
        found.update(bench.paths(data, [f"--tid={thread['tid']}", *options], (place,)))
    return found


def record(bench, program, options, data):
    result = bench.record(ROUNDS, program=program, options=["--sample=off", *options, "-o", data])
    equal(f"status of {options}: {result.stderr}", result.returncode, 0)
    equal("output", result.stdout, "1\n")
    return result.stderr


def as_readers_do(bench):
    for compiler in compilers(bench):
        program = bench.folder / f"led-{compiler}"
        bench.options.compiler = compiler
        bench.build("led.c", program, ["-fno-inline", "-fno-optimize-sibling-calls"])
        record(bench, program, [], "whole.data")
        for options in FILTERS:
            record(bench, program, options, "kept.data")
            equal(f"{compiler}: paths with {options}", paths(bench, "kept.data"), paths(bench, "whole.data", options))
            equal("verify", bench.run([bench.prof, "verify", "kept.data"]).returncode, 0)
        shown = paths(bench, "whole.data", ["--caller=target"])
        equal("paths that lead nowhere", [path for path in shown if path[-1] in ("other", "idle")], [])
        equal("calls that lead nowhere", 0 < shown[("parent", "work", "around")] < ROUNDS, True)
        equal("of the child", any(path[0] == "child" and path[-1] == "target" for path in shown), True)
        record(bench, program, ["--caller=target", "--mode=summary"], "sum.data")
        equal("calls of a summary", bench.calls_of("target", "sum.data"), bench.calls_of("target", "whole.data"))
        equal("a summary without the rest", bench.calls_of("other", "sum.data"), 0)


def ring_and_changed_filter(bench):
    program = bench.folder / f"led-{compilers(bench)[0]}"
    record(bench, program, ["--caller=target", "--mode=ring"], "ring.data")
    equal("calls in a ring", bench.calls_of("target", "ring.data"), bench.calls_of("target", "whole.data"))
    equal("nothing else", bench.calls_of("other", "ring.data"), 0)


def what_can_not_be(bench):
    program = bench.folder / f"led-{compilers(bench)[0]}"
    result = bench.record(program=program, options=["--caller=a", "-N", "a"])
    equal(f"both: {result.stderr}", result.returncode, 2)
    contains("both", result.stderr, "--caller and -N contradict each other: both have a")
    equal("not run", result.stdout, "")
    contains("near names", record(bench, program, ["--caller=tarjet"], "none.data"),
             "--caller tarjet: no function of the program has such a name; did you mean target?")
    contains("near names", bench.run([bench.prof, "report", "-i", "whole.data", "--caller=arund"]).stderr, "did you mean around?")


if __name__ == "__main__":
    recording.main([as_readers_do, ring_and_changed_filter, what_can_not_be])
