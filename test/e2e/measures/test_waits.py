#!/usr/bin/env python3
"""`prof record --locks`: sleeps, polls, input, child processes and futexes as waits: see README.md."""
import re
import sys
import tempfile

from bench import Bench


def check(bench, done):
    wants = re.findall(r"^least (\S+) (\S+) (\d+)$", done.stdout, re.M)
    bench.equal("wants", len(wants), 7)
    for function, kind, least in wants:
        kind = kind.replace("_", " ")
        rows = [row for row in bench.read("locks", "--all", "-F", function).get("locks", []) if row["kind"] == kind]
        bench.equal(f"{function}: one {kind}: {rows}", len(rows) if kind != "sleep" else len(rows) - 1, 1)
        bench.equal(f"{function}: {kind}: {rows}, at least {least}", sum(row["wait_ns"] for row in rows) >= int(least), True)
        if kind == "poll":
            bench.equal(f"{function}: only what waits", [row["acquisitions"] for row in rows], [1])
    names = {row["name"] for row in bench.read("locks", "--all").get("locks", [])}
    bench.equal(f"the pipe in {names}", "input from pipe" in names, True)
    kinds = {row["kind"] for row in bench.read("locks").get("locks", [])}
    bench.equal("kinds without --all", kinds, {"join", "futex"})


def reasons(bench):
    """What is waited for as leaves."""
    svg = bench.run(bench.prof, "flame", "-i", "data", "--time=waiting", "--min-share=0").stdout
    leaves = set(re.findall(r"<title>\[(\w+)", svg))
    bench.equal(f"reasons: {leaves}", leaves >= {"sleep", "poll", "input", "child", "futex", "join"}, True)


def unsampled(bench, program):
    """Where the kernel told of no waits, waiting time is that of measured waits."""
    bench.record(program, options=("--locks", "--sample=off"))
    reasons(bench)
    waits = sum(row["wait_ns"] for row in bench.read("locks", "--all")["locks"])
    for command in ("report", "tree"):
        waiting = bench.read(command, "--time=waiting")["cover"]["waiting_ns"]
        bench.equal(f"{command}: waiting {waiting} of {waits}", 0.99 * waits <= waiting <= 1.01 * waits, True)


def ended(bench):
    """A thread that waits when it ends waited until then, not until the recording's end."""
    program = bench.build("ended.c", "ended")
    for options in ((), ("--sample=off",)):
        bench.record(program, options=("--locks", *options))
        functions = ("cancelled",) if options else ("cancelled", "killed")  # the sampler tells when a process was killed
        threads = bench.read("report", "--by=thread")["threads"]
        longest = max(row["total_ns"] for row in threads)
        for function in functions:
            total = sum(row["total_ns"] for row in bench.read("report", "-F", function)["functions"])
            rows = bench.read("locks", "--all", "-F", function)["locks"]
            waited = sum(row["wait_ns"] for row in rows)
            name = f"{function} {options}: waited {waited} of {total}, the longest thread {longest}"
            bench.equal(name, 0 < waited <= 1.01 * total and total < longest / 2, True)
            waiting = bench.read("report", "-F", function, "--time=waiting")["cover"]["waiting_ns"]
            bench.equal(f"{name}, {waiting} waiting time", waiting <= total, True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        program = bench.build("waits.c", "waits")
        check(bench, bench.record(program, options=("--locks",)))
        reasons(bench)
        unsampled(bench, program)
        ended(bench)
        bench.record(program, options=("--locks", "--io", "--memory"))
        rows = bench.read("io", "--by=operation").get("sites", [])
        bench.equal("reads, with both", [row["calls"] for row in rows if row["operation"] == "read"], [4])
        names = {row["name"] for row in bench.read("locks", "--all").get("locks", [])}
        bench.equal(f"waits, with both: {names}", "input from pipe" in names, True)
        return bench.end("each wait has its place, kind and time")


sys.exit(main())
