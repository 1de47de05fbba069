#!/usr/bin/env python3
"""Measured functions in unusual places: see README.md."""
import sys
import tempfile

from bench import EVERY, HERE, Bench

CASES = ("handlers", "edges", "forks", "stacks", "restricted", "aborts", "killed", "faults", "exits", "names")
MEASURES = (("--memory",), ("--locks",), ("--io",), EVERY)
SIGNALS = {"aborts": 6, "killed": 15, "faults": 11}


def calls(bench, command, key, function):
    return sum(row["calls"] for row in bench.read(command, "-F", function).get(key, []))


def named(bench):
    """Names of 64 KiB are whole in JSON, and cut in tables."""
    zones = [zone["name"] for zone in bench.read("memory", "--by=zone")["zones"]]
    bench.equal("zone of 64 KiB", "zone of 16 chars" * 4096 in zones, True)
    mark = bench.read("memory", "--over-time=marks")["times"][0]["mark"]
    bench.equal("mark of 64 KiB", mark, "mark \"<&>\" \t it " * 4096)
    table = bench.run(bench.prof, "memory", "-i", "data", "--by=zone")
    bench.equal("a table", (table.returncode, "\t" in table.stdout), (0, False))


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        program = bench.build("hostile.c", "hostile", f"-I{HERE.parents[2] / 'include'}")
        for case in CASES:
            alone = bench.run(program, case)
            signal = SIGNALS.get(case)
            bench.equal(f"{case}: alone", alone.returncode, -signal if signal else 42 if case == "exits" else 0)
            for options in MEASURES:
                done = bench.run(bench.prof, "record", "-o", "data", *options, "--", program, case)
                bench.equal(f"{case} {options}: {done.stderr[-300:]}", (done.returncode, done.stdout), (alone.returncode, alone.stdout))
                bench.equal(f"{case} {options}: whole", bench.run(bench.prof, "verify", "-i", "data").returncode in (0, 1), True)
            if case != "faults":
                bench.equal(f"{case}: allocations and locks", calls(bench, "memory", "sites", "work") > 0 and bench.read("locks", "-F", "work")["locks"] != [], True)
        named(bench)
        for source in ("inner.c", "allocator.c"):
            program = bench.build(source, "inner")
            for options in MEASURES:
                bench.record(program, options=options)
        return bench.end("programs do the same with every measure")


sys.exit(main())
