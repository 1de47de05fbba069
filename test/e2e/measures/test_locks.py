#!/usr/bin/env python3
"""`prof record --locks` and `prof locks`: see README.md."""
import re
import sys
import tempfile

from bench import Bench


def check(bench, done, flags):
    rows = {(row["name"], row["kind"]): row for row in bench.read("locks").get("locks", [])}
    most = dict(re.findall(r"^most (\S+) (\d+)$", done.stdout, re.M))
    wants = re.findall(r"^want (\S+) (\S+) (\S+) (\d+) (\d+)$", done.stdout, re.M)
    bench.equal(f"{flags}: wants", len(wants), 4)
    for name, holder, kind, waits, least in wants:
        row = rows.get((name, kind.replace("_", " ")))
        if row is None:
            bench.equal(f"{flags}: {name}", sorted(rows), [(name, kind)])
            continue
        held = {place["function"]: place["wait_ns"] for place in row["holders"]}
        parts = sum(place["wait_ns"] + place["handover_ns"] for place in row["holders"]) + row["unknown_ns"]
        bench.equal(f"{flags}: {name}: enough waits", row["contended"] >= int(waits), True)
        bench.equal(f"{flags}: {name}: held by {holder} {int(least)} <= {held}", held.get(holder, 0) >= int(least), True)
        bench.equal(f"{flags}: {name}: {row['wait_ns']} <= {most[name]}", row["wait_ns"] <= int(most[name]), True)
        bench.equal(f"{flags}: {name}: all attributed, {row['wait_ns']} {parts}", abs(row["wait_ns"] - parts) <= 100, True)
        bench.equal(f"{flags}: {name}: waited in", row["waited"][0]["function"], holder.replace("hog", "want"))
        bench.equal(f"{flags}: {name}: all waited somewhere", abs(sum(place["wait_ns"] for place in row["waited"]) - row["wait_ns"]) <= 100, True)
        bench.equal(f"{flags}: {name}: longest hold", (row["longest_hold"]["function"], row["longest_hold_ns"] >= int(least) // 7), (holder, True))
    for name, kind, least in re.findall(r"^waits (\S+) (\S+) (\d+)$", done.stdout, re.M):
        row = rows.get((name, kind), {"wait_ns": -1})
        bench.equal(f"{flags}: {kind} {name}", row["wait_ns"] >= int(least), True)
    reached, = (row for row in bench.read("locks", "--paths")["locks"] if row["name"] == "reached_lock")
    paths = {tuple(place["path"][-2:]): place["wait_ns"] for place in reached["holders"] if place["function"] == "hog_reached"}
    least = min(int(least) for *_, least in wants)
    bench.equal(f"{flags}: paths of holders {paths}", (sorted(paths), min(paths.values()) >= least),
                ([("by_one_path", "hog_reached"), ("by_other_path", "hog_reached")], True))
    parts = sum(place["wait_ns"] + place["handover_ns"] for place in reached["holders"]) + reached["unknown_ns"]
    bench.equal(f"{flags}: paths: all attributed", abs(reached["wait_ns"] - parts) <= 100, True)
    joins = [row for (_, kind), row in rows.items() if kind == "join"]
    bench.equal(f"{flags}: joins", sum(row["acquisitions"] for row in joins), 10)
    advised = {(wait["name"], wait["kind"]): (wait["function"], wait.get("holder")) for wait in bench.read("advise").get("waits", [])}
    bench.equal(f"{flags}: advice", advised.get(("second_lock", "mutex")), ("want_second", "hog_second"))
    filtered = {row["name"]: row for row in bench.read("locks", "-F", "want_second").get("locks", [])}
    bench.equal(f"{flags}: -F", [(name, row["acquisitions"], row["holders"][0]["function"]) for name, row in filtered.items()],
                [("second_lock", 7, "hog_second")])


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        for flags in ([], ["-no-pie", "-Wl,-z,lazy"]):
            program = bench.build("locks.c", "locks", *flags)
            alone = bench.run(program)
            done = bench.run(bench.prof, "record", "-o", "data", "--locks", program)
            bench.equal(f"{flags}: status", (done.returncode, alone.returncode), (9, 9))
            check(bench, done, flags)
        return bench.end("waits have the locks and holders that the program knows")


sys.exit(main())
