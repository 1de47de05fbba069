#!/usr/bin/env python3
"""prof record with filters and triggers: the recording shows what readers show with the same filter of a recording of everything."""

import recording
from recording import contains, equal

ROUNDS, SLOW = 200, 2
OFF = ["--sample=off"]


def build(bench, name="filtered"):
    program = bench.folder / name
    if not program.exists():
        bench.build(f"{name}.c", program, ["-fno-inline"])
    return program


def record(bench, options, data, rounds=ROUNDS):
    result = bench.record(rounds, program=build(bench), options=[*OFF, *options, "-o", data])
    equal(f"status of {options}: {result.stderr}", result.returncode, 0)
    equal("output", result.stdout, "1\n")
    return result.stderr


def as_readers_do(bench):
    """Counts on every path, as they don't depend on the time."""
    record(bench, [], "whole.data")
    for options in (["-F", "handle"], ["-F", "m*", "-N", "handle"], ["-N", "middle"], ["-D", "2"], ["-F", "handle", "-D", "2"],
                    ["--file=filtered.c"], ["--module=filtered", "-D", "3"], ["-F", "leaf", "-F", "between"]):
        record(bench, options, "kept.data")
        expected = bench.paths("whole.data", options)
        equal(f"{options} has calls", bool(expected), True)
        equal(f"paths with {options}", bench.paths("kept.data"), expected)
        equal("verify", bench.run([bench.prof, "verify", "kept.data"]).returncode, 0)


def called_back(bench):
    """A library calls a function from the same place, within the call that is kept and right behind it."""
    program = build(bench, "called_back")
    for options, data in (([], "whole.data"), (["-F", "sort"], "kept.data"), (["-F", "sort", "-F", "fill"], "both.data")):
        result = bench.record(ROUNDS, program=program, options=[*OFF, *options, "-o", data])
        equal(f"{options}: status, output ({result.stderr})", (result.returncode, result.stdout), (0, "1\n"))
        equal(f"paths with {options}", bench.paths(data), bench.paths("whole.data", options))
    equal("compare", bench.paths("whole.data")[("main", "compare")] > 0 < bench.paths("kept.data")[("sort", "compare")], True)


def by_duration(bench):
    """Which calls are slow differs from run to run, by one that stood still: a reader leaves out nothing more, and the slow ones are there."""
    record(bench, ["-t", "30ms"], "kept.data")
    found = bench.paths("kept.data")
    equal("paths with -t", found, bench.paths("kept.data", ["-t", "30ms"]))
    equal("main, slow calls", (found[("main",)], SLOW <= found[("main", "handle")] <= ROUNDS // 2), (1, True))
    equal("verify", bench.run([bench.prof, "verify", "kept.data"]).returncode, 0)


def what_is_left_out_is_counted(bench):
    said = record(bench, ["-F", "between", "-N", "leaf"], "kept.data")
    contains("the end", said, "prof: filters left out ")
    shown = bench.read("report", "kept.data")
    equal("calls", {row["name"]: row["calls"] for row in shown["functions"]}, {"between": ROUNDS, "middle": ROUNDS})
    equal("hidden", shown["cover"]["hidden_calls"], 4 * ROUNDS)


def what_is_never_kept_is_off(bench):
    """The program's own calls are as readers show them, also where control jumps past functions that are off."""
    program = build(bench, "near")
    result = bench.record(ROUNDS, program=program, options=[*OFF, "-o", "whole.data"])
    equal("status", result.returncode, 0)
    for options in (["--file=near.c"], ["-F", "near_round", "-D", "1"]):
        expected = bench.paths("whole.data", options)
        for arguments in ([ROUNDS], [ROUNDS, "wait"]):
            result = bench.record(*arguments, program=program, options=[*OFF, *options, "-o", "kept.data"])
            equal(f"status of {options}: {result.stderr}", result.returncode, 0)
            equal("output", result.stdout, "1\n")
            equal(f"paths with {options}", bench.paths("kept.data"), expected)
            checked = bench.run([bench.prof, "verify", "kept.data"])
            equal(f"verify: {checked.stdout}", checked.returncode, 0)
        hidden = bench.read("report", "kept.data")["cover"]["hidden_calls"]
        if hidden > ROUNDS:
            raise AssertionError(f"{options}: {hidden} calls were left out, not switched off")


def slow_calls(bench):
    record(bench, ["-F", "handle", "--slower-than=50ms"], "slow.data")
    names = {row["name"]: row["calls"] for row in bench.read("report", "slow.data")["functions"]}
    equal("every call of handle", names["handle"], ROUNDS)
    if not SLOW <= names["middle"] <= ROUNDS // 2:  # a loaded machine may have more slow calls
        raise AssertionError(f"middle: {names['middle']} calls")
    equal("whole", names["leaf"], 4 * names["middle"])


def triggers(bench):
    """Off before the first call of handle, and between calls of between and handle."""
    record(bench, ["--start-at=handle", "--stop-at=between"], "parts.data", 10)
    found = bench.paths("parts.data")
    equal("paths", found, {("main",): found[("main",)], ("main", "handle"): 10, ("main", "handle", "middle"): 10,
                           ("main", "handle", "middle", "leaf"): 30, ("main", "handle", "leaf"): 10})
    equal("verify", bench.run([bench.prof, "verify", "parts.data"]).returncode, 0)
    record(bench, ["--only-under=between", "-F", "middle"], "under.data", 10)
    equal("paths", bench.paths("under.data"), {("middle",): 10, ("middle", "leaf"): 30})


def what_can_not_be(bench):
    program = build(bench)
    for options, what, remedy in (
            (["-F", "a", "-N", "a"], "-F and -N contradict each other: both have a", "leave it out"),
            (["--start-at=a", "--stop-at=a"], "--start-at and --stop-at contradict each other", "leave it out"),
            (["--slower-than=1ms"], "--slower-than needs -F or --only-under", "-F handle --slower-than=10ms"),
            (["-F", "a", "--overhead=5%"], "with --overhead only --file and --module can filter", "prof report -F")):
        result = bench.record(program=program, options=options)
        equal(f"{options}: {result.stderr}", result.returncode, 2)
        contains(f"{options}", result.stderr, what)
        contains(f"{options}", result.stderr, remedy)
        equal("not run", result.stdout, "")
    contains("near names", record(bench, ["-F", "hande"], "none.data"),
             "nothing was recorded: -F hande: no function of the program has such a name; did you mean handle?")
    contains("near files", record(bench, ["--file=filterd.c"], "none.data"), "did you mean filtered.c?")
    contains("one of two", record(bench, ["-F", "handle", "-N", "nobody"], "some.data"), "-N nobody: no function of the program")
    contains("all", record(bench, ["-t", "1h"], "none.data"), "nothing was recorded: no call passed the filters")


if __name__ == "__main__":
    recording.main([as_readers_do, called_back, by_duration, what_is_left_out_is_counted, what_is_never_kept_is_off, slow_calls, triggers, what_can_not_be])
