#!/usr/bin/env python3
"""Ranges, the order of tables and Back, which the address keeps."""
import csv
import io
import json
import re
import sys

from opened import LINK, NAV, run


def check_range(browser, _):
    """A drag selects a range; the table of what ran in it, copied as CSV."""
    seen = browser.play("busy.html", ["click", NAV, "Timeline"], ["drag", ".time canvas", 0.2, 0.6, 200], ["wait", "aside h2", "Range"],
                        ["see", "range", "aside h2"], ["click", "aside .tools button", "Copy CSV"], ["wait", "#said.shown"],
                        ["eval", "copied", "navigator.clipboard.readText()"], ["hash", "hash"])
    assert re.match(r"function,calls,time_ns,share\r?\nmain,1,", seen["copied"]), seen
    assert re.search(r"&r=\d+-\d+", seen["hash"]), seen


def check_ranged(browser, bench):
    """With a range, the functions have the figures of `prof report --range`: this recording has all calls on its timeline."""
    expected = json.loads(bench.prof("report", "-i", "busy", "--range=20000ns~80000ns", "--time=elapsed", "--format=json"))["functions"]
    seen = browser.play("busy.html", ["go", "p=functions&r=20000-80000"], ["wait", ".rangenote"], ["click", ".main .tools button", "Copy CSV"],
                        ["wait", "#said.shown"], ["eval", "copied", "navigator.clipboard.readText()"], ["go", "p=flame&r=20000-80000"],
                        ["wait", ".rangenote"], ["see", "line", ".line"], ["go", "p=threads&r=20000-80000"], ["wait", ".rangenote"],
                        ["see", "note", ".rangenote"], ["go", "p=overview&r=20000-80000"], ["wait", ".cards .rangenote"], ["see", "overview", ".rangenote"],
                        ["go", "p=functions&f=server!serve&r=20000-80000"], ["wait", "aside h3", "Slowest"], ["see", "slowest", "aside"], ["click", ".rangenote button"], ["see", "left", ".rangenote"])
    rows = {row["function"]: row for row in csv.DictReader(io.StringIO(seen["copied"]))}
    assert {name: tuple(int(row[key]) for key in ("calls", "total_ns", "self_ns")) for name, row in rows.items()} == \
        {row["name"]: (row["calls"], row["total_ns"], row["self_ns"]) for row in expected}, (rows, expected)
    assert "elapsed" in seen["line"][0] and "not the selected range" in seen["note"][0] and "not the selected range" in seen["overview"][0] \
        and "of the whole recording" in seen["slowest"][0] and not seen["left"], seen


def check_orders(browser, _):
    """The address holds the order of tables; Back undoes a change."""
    head, first = ".main .head button", ".main .table .row:not(.head) .cell:first-child"
    seen = browser.play("busy.html", ["click", NAV, "Functions"], ["wait", first], ["see", "by self", first], ["click", head, "Function"],
                        ["wait", ".main .head [aria-sort=ascending]", "Function"], ["see", "by name", first], ["hash", "once"], ["click", head, "Function"],
                        ["wait", ".main .head [aria-sort=descending]", "Function"], ["see", "backward", first], ["hash", "twice"],
                        ["eval", "back", "history.back()"], ["wait", ".main .head [aria-sort=ascending]", "Function"], ["see", "again", first],
                        ["go", "p=threads&q=threads.thread.up,nothing.x,functions.no-such"], ["wait", ".main .head [aria-sort=ascending]", "Thread"],
                        ["click", NAV, "Functions"], ["wait", ".main .head [aria-sort=descending]", "Self"], ["see", "own order", first])
    names = seen["by name"]
    assert names == sorted(names) == seen["again"] and seen["backward"] == names[::-1] and seen["own order"] == seen["by self"] != names, seen
    assert seen["once"].endswith("q=functions.function.up") and seen["twice"].endswith("q=functions.function"), seen


def check_back(browser, _):
    """The address holds what is shown: Back undoes a step, and a link shows the same."""
    seen = browser.play("busy.html", ["click", NAV, "Functions"], ["click", f".main {LINK}", "serve"], ["hash", "first"], ["click", NAV, "Source"],
                        ["eval", "back", "history.back()"], ["wait", "aside h2", "serve"], ["go", "p=functions&f=server!reload"], ["wait", "aside h2", "reload"])
    assert seen["first"] == "#p=functions&f=server!serve", seen


sys.exit(run(("busy",), check_range, check_ranged, check_orders, check_back))
