#!/usr/bin/env python3
"""Snapshots that the program asks for (prof_snapshot, from two threads at once), and those of slow calls (--snapshot-if)."""
import pathlib

import recording
from recording import PATIENCE_S, contains, equal, wait_for

INCLUDE = pathlib.Path(__file__).resolve().parents[3] / "include"
THREADS, ROUNDS = 2, 3


def build(bench):
    program = bench.folder / "asks"
    if not program.exists():
        bench.build("asks.c", program, [f"-I{INCLUDE}"])
    return program


def snapshots(bench):
    return [one.name for one in sorted((bench.folder / "prof.data").glob("snapshot-*"))
            if bench.run([bench.prof, "verify", f"prof.data/{one.name}"]).returncode == 0]


def one_for_both(bench):
    """Each round has one snapshot or two, with the calls of both threads so far; the slow call is in the next one."""
    size = bench.folder / "size"
    size.write_bytes(b"")
    process = bench.start([bench.prof, "record", "--mode=ring", "--keep=512M", "--snapshot-if=hand*>200ms", build(bench), size])
    seen = []
    for number in range(1, ROUNDS + 1):
        wait_for("a snapshot", lambda: len(snapshots(bench)) > len(seen))
        wait_for("all calls", lambda n=number: max(bench.calls_so_far("leaf", f"prof.data/{name}") for name in snapshots(bench))
                 == THREADS * 1000 * n)
        seen = snapshots(bench)
        size.write_bytes(bytes(number))
    wait_for("the slow call's", lambda: any(bench.calls_so_far("handle", f"prof.data/{name}") > 50 for name in snapshots(bench)))
    size.write_bytes(bytes(ROUNDS + 1))
    output, errors = process.communicate(timeout=PATIENCE_S)
    equal(f"status: {errors}", process.returncode, 0)
    equal("answers", output, f"{THREADS * ROUNDS}\n")
    names = snapshots(bench)
    if not ROUNDS + 2 <= len(names) <= THREADS * ROUNDS + 4:  # a call of handle in which the machine stood still is slow too
        raise AssertionError(f"snapshots: {names}")
    equal("calls at the end", (bench.calls_of("handle"), bench.calls_of("leaf")), (100, THREADS * ROUNDS * 1000 + 100))


def not_in_one_file(bench):
    size = bench.folder / "size"
    size.write_bytes(bytes(ROUNDS + 1))
    result = bench.record(size, program=build(bench))
    equal("answers", result.stdout, "0\n")
    equal("unrecorded", bench.run([build(bench), size]).stdout, "0\n")


def what_can_not_be(bench):
    for options, what, remedy in ((["--snapshot-if=handle>1ms"], "--snapshot-if needs --mode=ring", "add --mode=ring"),
                                  (["--mode=ring", "--snapshot-if=handle"], "--snapshot-if=handle is no condition", "handle>50ms"),
                                  (["--mode=ring", "--snapshot-if=handle>5"], "is no condition", "handle>50ms")):
        result = bench.record(program=build(bench), options=options)
        equal(f"{options}: {result.stderr}", result.returncode, 2)
        contains(f"{options}", result.stderr, what)
        contains(f"{options}", result.stderr, remedy)
    size = bench.folder / "size"
    size.write_bytes(bytes(ROUNDS + 1))
    result = bench.record(size, program=build(bench), options=["--mode=ring", "--snapshot-if=hande>1ms"])
    contains("near names", result.stderr, "--snapshot-if hande: no function of the program has such a name; did you mean handle?")


if __name__ == "__main__":
    recording.main([one_for_both, not_in_one_file, what_can_not_be])
