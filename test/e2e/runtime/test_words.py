#!/usr/bin/env python3
"""prof_thread_name and prof_clear: names of threads; nothing from before is shown, in any reader."""
import itertools
import json

import run

EURO = "\u20ac"
AFTER = f"forty-two bytes and one more character {EURO}"
options = run.arguments()
faults = run.Faults()
program, data = faults.folder / "words", faults.folder / "data"
built = run.build(options, "words.c", program, "-Wall", "-Wextra", "-Werror")
faults.check("compiles", built.returncode == 0, built.stderr)


def read(*command):
    done = run.run([options.prof, *command, "-i", data, "--format=json"])
    faults.check(f"prof {command[0]}", done.returncode == 0, done.stderr)
    return json.loads(done.stdout or "{}")


def read_chrome():
    done = run.run([options.prof, "export", "--format=chrome", "-i", data])
    events = json.loads(done.stdout)
    return events["traceEvents"] if isinstance(events, dict) else events


off = run.run([program])
faults.check("off", off.stdout == "cleared 0\n", off.stdout)
SUMMARY = ["--mode=summary", "--every=1ms"]
TAKEN, WAITS = "200000", "5000"  # us between two prof_clear: the recorder has taken the first, or is about to
for words, kept in itertools.product(((), (TAKEN,), (WAITS,)), ([], SUMMARY)):
    done = run.run([options.prof, "record", *kept, "-o", data, program, *words])
    words = (*words, *kept)
    faults.check(f"{words}: output", done.stdout == "cleared 1\n", done.stdout + done.stderr)
    calls = run.report(options, data)
    calls = {name: calls.get(name) for name in ("main", "open_at_clear", "work", "warm_up", "gone_child")}
    faults.check(f"{words}: calls", calls == {"main": 1, "open_at_clear": 1, "work": 9, "warm_up": None, "gone_child": None}, calls)
    processes = read("report", "--by=process").get("processes", [])
    faults.check(f"{words}: processes", len(processes) == 1, processes)
    names = [row["name"] for row in read("report", "--by=thread").get("threads", [])]
    faults.check(f"{words}: threads", AFTER in names and "of the system" in names and "ended before" not in names, names)
    if not kept:
        shown = [event["name"] for event in read("replay").get("events", []) if "name" in event]
        labels = [event for event in read_chrome() if event["name"] in ("process_name", "thread_name")]
        faults.check(f"{words}: labels of an export", [event["name"] for event in labels].count("process_name") == 1 and
                     "ended before" not in (event["args"]["name"] for event in labels), labels)
        faults.check(f"{words}: replay", "warm_up" not in shown and shown.count("work") >= 9, shown)
    checked = run.run([options.prof, "verify", "-i", data])
    faults.check(f"{words}: verify", checked.returncode == 0, checked.stdout + checked.stderr)

for kept in (("--split=1h",), ("--mode=ring",)):
    done = run.run([options.prof, "record", *kept, "-o", faults.folder / "parts", program])
    faults.check(f"{kept}: has no begin", done.stdout == "cleared 0\n", done.stdout + done.stderr)
faults.finish()
