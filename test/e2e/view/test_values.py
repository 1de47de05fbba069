#!/usr/bin/env python3
"""What a call was given, what it returned and what it reported, beside it on the timeline: from a server, and in a file."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "export"))
import tour
from page import Page
from playing import Browser
from recordings import Bench
from server import Server, table

SKIPPED = 77
CALLS = 20000  # with values, of a file
LINES = 20
OF_CALLS = ("argument", "returned", "value")
RECORDINGS = ("arguments", "points", "requests", "given", "loops", "two_threads")


def same(seen, expected, what):
    assert seen == expected, f"{what}\n  seen:     {seen}\n  expected: {expected}"


def replayed(bench, name, *filters):
    """(tid, depth, begin) -> how many arguments, returned values and values `prof replay` has in the call, of all calls."""
    events = json.loads(bench.prof("replay", "-i", name, "--format=json", *filters))["events"]
    stacks, calls = {}, {}
    for event in events:
        stack = stacks.setdefault(event.get("tid"), [])
        if event["event"] == "enter":
            stack.append((event["tid"], event["depth"], event["time_ns"]))
            calls.setdefault(stack[-1], dict.fromkeys(OF_CALLS, 0))
        elif event["event"] == "leave":
            stack.pop()
        elif event["event"] in OF_CALLS and stack and event["depth"] == len(stack):
            calls[stack[-1]][event["event"]] += 1
    return calls


def listed(section):
    """(thread, depth, begin) -> (arguments, returned, lines, all lines), of the section `values`."""
    texts, out = iter(section["texts"]), {}
    for row in table({key: column for key, column in section.items() if key != "texts"}):
        lines = [next(texts) for _ in range(row["lines"])]
        out[row["thread"], row["depth"], row["begin_ns"]] = (row["arguments"], row["returned"], lines, row["lines_all"])
    assert next(texts, None) is None
    return out


def check_same(bench, name, *filters):
    """A file has what the server answers, of the calls in which replay has values; others have no row."""
    of_file = listed(Page(bench.prof("view", "-i", name, "-o", "-", *filters)).of["values"])
    calls = replayed(bench, name, *filters)
    with Server(bench.prof_path, "-i", name, *filters, folder=bench.folder) as server:
        data = server.data()
        tids = data["threads"]["tid"]
        some = any(any(counts.values()) for counts in calls.values())
        same((data["values"]["thread"], data["values"]["all"]), ([], 0), "the server's data has no rows")
        assert data["values"]["any"] or not some, name
        for (tid, depth, begin), counts in calls.items():
            place = (tids.index(tid), depth, begin)
            found = listed(server.ask("values", thread=place[0], depth=depth, t=begin)["values"])
            same(found, {place: of_file[place]} if place in of_file else {}, f"{name}: the call at {place}")
            arguments, returned, lines, count = of_file.get(place, ("", "", [], 0))
            same((bool(arguments), bool(returned), count, len(lines)),
                 (counts["argument"] > 0, counts["returned"] > 0, counts["value"], min(counts["value"], LINES)), f"{name}: what replay has at {place}")
    same(len(of_file), sum(any(counts.values()) for counts in calls.values()), f"{name}: calls with values")


def check_words(bench):
    """The words of replay, with all that is hostile escaped."""
    found = listed(Page(bench.prof("view", "-i", "given", "-o", "-")).of["values"])
    text = bench.prof("replay", "-i", "given", "--width=0").decode()
    serve = next(values for values in found.values() if values[1] == "-3")
    same(serve, ('<script>name="</code><script>alert(1)</script>", path="\\x1b[31m\\xe2\\x80\\xaered\\xc3"', "-3", ["<b>queue</b> = 5 items", "load = nan"], 2), "serve")
    assert f"serve({serve[0]}) {{" in text and "} = -3 /* serve" in text and "/* value <b>queue</b> = 5 items */" in text, text
    store = next(values for values in found.values() if values[3] == 50)
    assert len(store[0]) < 1000 and store[0].endswith("n") or store[0].endswith("=1"), store[0][-40:]
    same(store[2], [f"level = {i}" for i in range(LINES)], "the first values")
    assert any(values[:2] == ("key=7", "NULL") for values in found.values()) and any(values[0] == "who='X'" for values in found.values()), found


def check_many(bench):
    """A file has the longest calls, and counts the others; the server has any."""
    page = Page(bench.prof("view", "-i", "asked", "-o", "-"))
    section = page.of["values"]
    same((section["all"], len(section["thread"]), page.of["meta"]["left_out"]["values"]), (30000, CALLS, 30000 - CALLS), "calls")
    same(sorted(int(text[2:]) for text in section["arguments"]), list(range(30000 - CALLS, 30000)), "the longest")
    begins = {int(text[2:]): begin for text, begin in zip(section["arguments"], section["begin_ns"])}
    first = min(begin for begin in begins.values())
    with Server(bench.prof_path, "-i", "asked", folder=bench.folder) as server:
        server.data()
        found = listed(server.ask("values", thread=0, depth=1, t=first)["values"])
        same([values[0] for values in found.values()], [f"i={30000 - CALLS}"], "a call of the file")
        same(listed(server.ask("values", thread=0, depth=1, t=1005)["values"])[0, 1, 1005][0], "i=0", "a call that the file lacks")
        same(server.ask("values", thread=0, depth=0, t=1000)["values"]["thread"], [], "main has no values")
        for query in ("thread=0&depth=1&t=1006", "thread=0&depth=5&t=1005", f"thread=0&depth=1&t={2**64 - 1}", "thread=0&depth=4294967295&t=0"):
            answer = server.request(f"values?g=1&{query}")
            same((answer.status, answer.sections()["values"]["thread"]), (200, []), query)
        for query, status in (("", 400), ("thread=0&depth=1", 400), ("thread=1&depth=1&t=5", 400), ("thread=x&depth=1&t=5", 400),
                              ("thread=4294967296&depth=1&t=5", 400), ("thread=0&depth=1&t=99999999999999999999", 400)):
            answer = server.request(f"values?g=1&{query}")
            same((answer.status, answer.body.count(b"\n")), (status, 1), query)
        same(server.request("values?g=2&thread=0&depth=1&t=5").status, 409, "another reading")


# ---- in a browser ----

def at(bench, values):
    """The call of the recording `given` with these arguments, as in an address."""
    found = listed(Page(bench.prof("view", "-i", "given", "-o", "-")).of["values"])
    return next(".".join(map(str, place)) for place, of in found.items() if values in of[0])


SCRIPTS = "document.querySelectorAll('main script, main b.none, code script').length"


def check_shown(browser, bench, page):
    """The details of a call have its values; none becomes markup."""
    serve, store = at(bench, "path="), at(bench, "nnnn")
    seen = browser.play(page, ["go", f"p=timeline&c={serve}"], ["wait", "aside dt", "arguments"], ["see", "serve", "aside dl"], ["eval", "scripts", SCRIPTS], ["axe", "axe"],
                        ["go", f"p=timeline&c={store}"], ["wait", "aside dd", "and 30 more"], ["see", "store", "aside dl"],
                        ["go", "p=timeline&c=0.0.1000"], ["wait", "aside dt", "returned"], ["see", "main", "aside dl"])
    serve, store = seen["serve"][0].replace("\n", " "), seen["store"][0]
    assert 'arguments <script>name="</code><script>alert(1)</script>", path="\\x1b[31m\\xe2\\x80\\xaered\\xc3"' in serve, serve
    assert "returned -3" in serve and "values <b>queue</b> = 5 items load = nan" in serve, serve
    assert "level = 0" in store and "level = 19" in store and "level = 20" not in store and "n" * 290 in store, store
    same((seen["scripts"], seen["axe"]), (0, []), "markup")
    assert "argc=2" in seen["main"][0] and "values" not in seen["main"][0], seen["main"]


def check_hovered(browser, page):
    """The text under the mouse has them too; a call without any is as before."""
    seen = browser.play(page, ["click", "nav button", "Timeline"], ["wait", ".time canvas"], ["key", "0"], ["hover", ".time canvas", 0.7, 59], ["wait", ".tip", "sign='x'"], ["see", "find", ".tip"],
                        ["hover", ".time canvas", 0.02, 41], ["wait", ".tip", "main"], ["see", "main", ".tip"])
    assert seen["find"][0].startswith("find\n(key=7, name=NULL, sign='x', at=0x1000) = 5\n60 ns"), seen
    assert seen["main"][0].startswith("main\n180 ns"), seen


def check_left(browser, bench):
    """A file names the command for calls whose values it lacks."""
    first = bench.prof("replay", "-i", "asked", "--limit=3").decode()
    assert "f(i=0)" in first, first
    seen = browser.play("asked.html", ["go", "p=timeline&c=0.1.1005"], ["wait", "aside dt", "values"], ["see", "short", "aside dl"])
    assert "prof replay --range=1005ns~1016ns" in seen["short"][0], seen


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        bench.make_texts(given=tour.given(), asked=tour.asked())
        server = Server(bench.prof_path, "-i", "given", folder=bench.folder)
        if not server.address:
            print(f"skipped: {server.messages.decode()}")
            return SKIPPED
        with server:
            pass
        for name in RECORDINGS:
            check_same(bench, name)
        check_same(bench, "arguments", "-F", "half")
        check_same(bench, "given", "--range=1.1us~1.25us")
        check_same(bench, "given", "-t", "60ns")
        check_same(bench, "loops", "--loops")
        check_words(bench)
        check_many(bench)
        browser = Browser.find(bench)
        if not browser:
            return 0
        for name in ("given", "asked", "arguments"):
            bench.prof("view", "-i", name, "-o", f"{name}.html")
        check_shown(browser, bench, "given.html")
        check_hovered(browser, "arguments.html")
        check_left(browser, bench)
        with Server(bench.prof_path, "-i", "given", folder=bench.folder) as server:
            check_shown(browser, bench, server)
        with Server(bench.prof_path, "-i", "arguments", folder=bench.folder) as server:
            check_hovered(browser, server)
    return 0


sys.exit(main())
