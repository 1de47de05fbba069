#!/usr/bin/env python3
"""Every figure on the screen is that of the command that prints the same: as text, and as JSON."""
import re

import bench
from bench import rows_of, same

TRACES = ["recursion", "bursts", "switches", "loops", "sampled", "wide", "regions", "gpu", "slice_waits", "bounded"]
WIDTH = 160


def squeezed(line):
    """A row without the width of its gaps: a screen's columns may be wider, as rows below it are."""
    return re.sub(r" {2,}", "  ", line.strip())


def comes(terminal, what, expected, seen):
    """Waits until what is on the screen is as expected: a screen may be half drawn."""
    try:
        terminal.until(what, lambda _: seen() == expected)
    except AssertionError as error:
        same(seen(), expected, f"{what}: {error}")
        raise


def check_table(terminal, table, what, warned):
    comes(terminal, f"titles of {what}", squeezed(table[0]), lambda: squeezed(rows_of(terminal, warned)[0]))
    comes(terminal, what, [squeezed(row) for row in table[1]][:50 - 3 - warned],
          lambda: [squeezed(row) for row in rows_of(terminal, warned)[1]])


def is_warned(bench, recording, options=()):
    return "details: prof info" in bench.run("report", "-i", recording, "--width=160", *options)


def functions(bench):
    for trace in (*TRACES, "pmu"):
        recording = bench.recording(trace)
        warned = is_warned(bench, recording)
        with bench.tui(recording, width=WIDTH) as terminal:
            terminal.has("q quit")
            check_table(terminal, bench.table(WIDTH, ["FUNCTION"], "report", "-n", 0, "--by=function", "-i", recording),
                        f"functions of {trace}", warned)


def count(text):
    return f"{text:,}"


def as_json(bench):
    """Counts to the digit, times to the digits that are shown."""
    recording = bench.recording("recursion")
    rows = {row["name"]: row for row in bench.json("report", "-i", recording)["functions"]}
    with bench.tui(recording, width=WIDTH) as terminal:
        terminal.has("q quit")
        terminal.until("all rows", lambda _: len(rows_of(terminal)[1]) == len(rows))
        titles, lines = rows_of(terminal)
    assert titles.split()[:3] == ["CALLS", "TOTAL", "SELF"], titles
    for line in lines:
        cells = re.split(r" {2,}", line.strip())
        row = rows[cells[-1]]
        same(cells[0], count(row["calls"]), f"calls of {cells[-1]}")
        same(cells[1:3], [f"{row['total_ns']} ns", f"{row['self_ns']} ns"], f"times of {cells[-1]}")
        same(cells[-2], f"{100 * row['self_share']:.1f}%", f"share of {cells[-1]}")


def estimates_are_marked(bench):
    recording = bench.recording("bursts")
    marked = {row["name"] for row in bench.json("report", "-i", recording)["functions"] if row["estimated"]}
    with bench.tui(recording, width=WIDTH) as terminal:
        terminal.has("q quit")
        rows = rows_of(terminal, is_warned(bench, recording))[1]
    assert marked, "no function of this trace is estimated"
    for row in rows:
        name = re.split(r" {2,}", row)[-1]
        assert ("~" in row or " - " in f"{row} ") >= (name in marked), row


def option_rows(bench):
    """The options of the readers mean what they mean there."""
    for trace, options in (("recursion", ["-F", "fib"]), ("recursion", ["-N", "e*"]), ("recursion", ["-D", "2"]),
                           ("recursion", ["--tid=2000"]), ("recursion", ["--range=0~60ns"]), ("recursion", ["-t", "40ns"]),
                           ("recursion", ["--demangle=no"]), ("switches", ["--time=waiting"]), ("switches", ["--time=elapsed"]),
                           ("switches", ["--cpu"]), ("sampled", ["--raw"]), ("processes", ["--pid=101"]),
                           ("recursion", ["-s", "calls"]), ("loops", ["--loops", "--sort=name"]), ("processes", ["--by=command"])):
        recording = bench.recording(trace)
        report = [option for option in options if option not in ("--loops", "--by=command")]  # these are about trees
        try:
            table = bench.table(WIDTH, ["FUNCTION"], "report", "-n", 0, "--by=function", "-i", recording, *report)
        except AssertionError:
            assert options[0].startswith("--pid"), options  # no such process in this trace
            continue
        with bench.tui(recording, *options, width=WIDTH) as terminal:
            terminal.has("q quit")
            check_table(terminal, table, f"functions of {trace} {options}", is_warned(bench, recording, report))




def tree_cells(line, columns):
    """The figures, and the name without its branches."""
    cells = re.split(r" {2,}", line.strip(), maxsplit=columns) + [""] * (columns + 1)
    name = re.sub(r"^(?:[ │├└─|`+\\-]|\d+>)*", "", cells[columns])
    return cells[:columns], name


def trees(bench):
    for trace, *options in (["recursion"], ["switches"], ["loops"], ["bursts"], ["gpu"], ["regions"], ["loops", "--loops"],
                            ["loop_waits", "--loops"], ["gpu", "--loops"], ["processes", "--by=process"], ["processes", "--by=command"]):
        recording = bench.recording(trace)
        titles, expected = bench.table(WIDTH, ["CALL TREE"], "tree", "-n", 0, "--min-share=0", "-i", recording, *options)
        columns = len(re.split(r" {2,}", titles.strip())) - 1
        warned = is_warned(bench, recording)
        with bench.tui(recording, *options, width=WIDTH, height=60) as terminal:
            terminal.has("q quit")
            terminal.key("2")
            terminal.has("CALL TREE")
            roots = len(bench.json("tree", "--min-share=0", "-i", recording, *options)["roots"])
            terminal.until("all roots", lambda _, roots=roots, warned=warned: len(rows_of(terminal, warned)[1]) == roots)
            for root in reversed(range(roots)):  # those above are still closed
                terminal.key("home", *["down"] * root, "e")
            comes(terminal, f"titles of {trace}", squeezed(titles), lambda: squeezed(rows_of(terminal, warned)[0]))
            comes(terminal, f"tree of {trace}", [tree_cells(row, columns) for row in expected][:60 - 3 - warned],
                  lambda: [tree_cells(row, columns) for row in rows_of(terminal, warned)[1]])


def callers(bench):
    for trace, name, *options in (["recursion", "fib"], ["recursion", "even"], ["recursion", "odd"], ["loop_waits", "work"]):
        recording = bench.recording(trace)
        titles, expected = bench.table(WIDTH, ["WHO CALLED IT"], "tree", "--callers", name, "-n", 0, "-i", recording, *options)
        columns = len(re.split(r" {2,}", titles.strip())) - 1
        with bench.tui(recording, *options, width=WIDTH) as terminal:
            terminal.has("q quit")
            terminal.key("3")
            terminal.has("WHO CALLED IT")
            terminal.key(f"/{name}", "enter")
            terminal.on(name)
            terminal.key("e")

            def seen(name=name, columns=columns, count=len(expected)):
                rows = rows_of(terminal)[1]
                at = next((i for i, row in enumerate(rows) if re.search(rf"- {name}$", row)), 0)
                return [tree_cells(row, columns) for row in rows[at:at + count]]
            comes(terminal, f"callers of {name}", [tree_cells(row, columns) for row in expected], seen)


def other_panels(bench):
    for key, title, traces, command in (("4", "LINE", ["sampled", "line_times"], ["lines"]),
                                        ("5", "LOOP", ["loops", "loop_waits"], ["loops"]),
                                        ("v", "CALL", ["arguments"], ["report", "--by=arg"]),
                                        ("m", "COUNTER", ["machine", "points", "memory_growth"], ["report", "--by=counter"]),
                                        ("6", "THREAD", ["recursion", "switches", "many_processes", "pmu"], ["report", "--by=thread"])):
        for trace in traces:
            recording = bench.recording(trace)
            done = bench.run(*command, "-n", 0, "-i", recording, f"--width={WIDTH}")
            if title not in done:
                continue
            table = bench.table(WIDTH, [title], *command, "-n", 0, "-i", recording)
            with bench.tui(recording, width=WIDTH) as terminal:
                terminal.has("q quit")
                terminal.key(key)
                terminal.has(f"[{key} " if key.isdigit() else title)
                check_table(terminal, table, f"{command} of {trace}", is_warned(bench, recording))


def counters(bench):
    """The last, least, mean and greatest value are those of prof info and of the values that prof replay has; a plot follows the width and the range."""
    recording = bench.recording("machine")
    rows = {(row["pid"], row["name"]): row for row in bench.json("report", "-i", recording, "--by=counter")["counters"]}
    machine = bench.json("info", "-i", recording)["machine"]
    assert machine
    for row in machine:
        same([rows[row["pid"], row["name"]][key] for key in ("values", "min", "mean", "max", "unit")], [row[key] for key in ("readings", "min", "mean", "max", "unit")], row["name"])
    events = [event for event in bench.json("replay", "-i", recording)["events"] if event["event"] == "counter"]
    for pid, tid in ((1000, 100), (2000, 200)):
        for name in {event["name"] for event in events if event["tid"] == tid}:
            values = [event["value"] for event in events if (event["tid"], event["name"]) == (tid, name) and event["value"] is not None]
            row = rows[pid, name]
            same((row["values"], row["last"], row["min"], row["max"]), (len(values), values[-1], min(values), max(values)), name)
            assert abs(row["mean"] - sum(values) / len(values)) <= 1e-8 * abs(row["mean"]), row
    for width in (60, 80, 120, 200):
        for options in ((), ("--range=150ms~650ms",)):
            table = bench.table(width, ["COUNTER"], "report", "-n", 0, "--by=counter", "-i", recording, *options)
            with bench.tui(recording, *options, width=width) as terminal:
                terminal.has("? help")
                terminal.key("m")
                terminal.has("COUNTER")
                check_table(terminal, table, f"counters in {width} columns", is_warned(bench, recording, options))
    recording = bench.recording("two_threads")
    with bench.tui(recording) as terminal:
        terminal.has("q quit")
        terminal.key("m")
        terminal.has("no counter is in what is shown", "--machine")
        terminal.key("1")
        terminal.has("[1 functions]")


def kinds_of_time(bench):
    recording = bench.recording("switches")
    with bench.tui(recording, width=WIDTH) as terminal:
        terminal.has("q quit")
        for kind in ("waiting", "elapsed", "running"):
            terminal.key("w")
            if kind == "running":
                terminal.lacks("elapsed time:")
            else:
                terminal.has(f"{kind} time:")
            check_table(terminal, bench.table(WIDTH, ["FUNCTION"], "report", "-n", 0, "-i", recording, f"--time={kind}"),
                        f"{kind} time", False)


def orders(bench):
    recording = bench.recording("recursion")
    with bench.tui(recording, width=WIDTH) as terminal:
        terminal.has("q quit")
        for index, order in ((1, "total"), (5, "calls"), (12, "name")):
            terminal.key("s", "home", *["down"] * index)
            terminal.on(order)
            terminal.key("enter")
            terminal.has("FUNCTION")
            check_table(terminal, bench.table(WIDTH, ["FUNCTION"], "report", "-n", 0, "-i", recording, "-s", order), order, False)


if __name__ == "__main__":
    bench.main([functions, as_json, estimates_are_marked, option_rows, trees, callers, other_panels, counters, kinds_of_time, orders])
