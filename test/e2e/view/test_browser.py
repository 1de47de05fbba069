#!/usr/bin/env python3
"""The page in Chromium, without a network: figures, five tasks by clicks and by keys, hostile names, accessibility."""
import base64
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
import tour
from playing import Browser
from recordings import Bench

SKIPPED = 77
PANELS = ("overview", "timeline", "flame", "tree", "functions", "source", "threads")
NAV = "nav button"
LINK = "button.link"
MOST_CLICKS = 6


class Clicks(Browser):
    def task(self, page, *steps):
        clicks = sum(step[0] in ("click", "point") for step in steps)
        assert clicks <= MOST_CLICKS, clicks
        return self.play(page, *steps)


def check_figures(browser, bench):
    report = json.loads(bench.prof("report", "-i", "busy", "--time=elapsed", "--format=json"))
    seen = browser.play("busy.html", ["click", NAV, "Functions"], ["wait", ".table .row"],
                        ["see", "rows", ".main .table .row"], ["see", "label", ".main .tools span"])
    assert seen["label"] == [f"{len(report['functions'])} functions"], seen["label"]
    shown = {row.split("\n")[0]: row.split("\n") for row in seen["rows"]}
    for function in report["functions"]:
        assert shown[function["name"]][1] == f"{function['calls']:,}", (function, shown)


def check_tasks(browser):
    # the slowest call of a function, and what ran in it
    seen = browser.task("busy.html", ["click", NAV, "Functions"], ["click", f".main {LINK}", "serve"], ["click", f"ol.slow {LINK}"],
                        ["wait", "aside h2", "serve"], ["see", "inside", "aside .table .row"], ["see", "took", "aside dd b"])
    assert any(row.startswith("reload") for row in seen["inside"]) and seen["took"] == ["54.8 us"], seen
    # the slowest frame, and what ran in it
    seen = browser.task("busy.html", ["see", "frames", ".marked li"], ["click", f".marked {LINK}"], ["wait", "aside h2", "Frame serving"],
                        ["see", "inside", "aside .table .row"], ["see", "took", "aside dd b"], ["see", "longest", "aside ol.slow li"], ["hash", "hash"])
    assert seen["frames"][0].startswith("20 frames serving") and seen["took"] == ["55.3 us"] and len(seen["longest"]) == 5, seen
    assert any(row.startswith("reload") for row in seen["inside"]) and "&m=0." in seen["hash"], seen
    # the waiting thread
    seen = browser.task("busy.html", ["see", "cards", ".cards section"], ["click", f".cards {LINK}", "waiter"], ["wait", ".time"],
                        ["see", "threads", ".thread:not(.track)"])
    assert any(card.startswith("Threads that waited most") and "waiter" in card for card in seen["cards"]), seen
    assert "waiter" in seen["threads"][0], seen
    # the callers of the hottest leaf
    seen = browser.task("busy.html", ["click", f".next {LINK}"], ["wait", "aside h2"], ["see", "name", "aside h2"],
                        ["see", "callers", "aside .tablebox:nth-of-type(1) .row"])
    assert seen["name"] == ["digest"] and {row.split("\n")[0] for row in seen["callers"]} == {"parse", "reload"}, seen
    # which process of 1,000 took longest
    seen = browser.task("many.html", ["click", NAV, "Threads"], ["wait", ".table .row"], ["see", "rows", ".tablebox:first-of-type .row"],
                        ["see", "label", ".tablebox:first-of-type .tools span"])
    assert seen["label"] == ["1,001 processes"] and str(1000 + tour.LONGEST) in seen["rows"][0].split("\n")[0], seen
    # the longest idle gap of a GPU, and its cause
    seen = browser.task("gpu.html", ["see", "cards", ".gaps li"], ["click", ".gaps button"], ["wait", "aside h2", "Range of 51.0 us"],
                        ["see", "inside", "aside .table .row"])
    assert seen["cards"][0] == "51.0 us GPU 0: the program had not asked for more; main 1000 was in prepare", seen
    assert any(row.startswith("prepare") for row in seen["inside"]), seen


def check_tracks(browser):
    """Frames, marks and counters: clicked at and walked by keys; a link shows the same."""
    seen = browser.play("busy.html", ["click", f".next {LINK}", "longest frame"], ["wait", "aside h2", "Frame serving"], ["key", "n"], ["see", "next", "aside dd b"], ["key", "p"],
                        ["see", "back", "aside dd b"], ["key", "0", "Escape"], ["see", "tracks", ".track"], ["point", ".time canvas", 0.97, 85],
                        ["wait", "aside h2", "Counter served"], ["see", "value", "aside dd b"], ["hash", "hash"], ["key", "Escape"], ["see", "none", "aside h2"])
    assert seen["tracks"] == ["frames serving", "marks", "served, requests"], seen
    assert seen["back"] == ["55.3 us"] != seen["next"] and seen["value"] == ["19"] and "m=2." in seen["hash"] and seen["none"] == ["Timeline"], seen
    seen = browser.play("busy.html", ["go", seen["hash"][1:]], ["wait", "aside h2", "Counter served"], ["axe", "axe"],
                        ["go", "p=timeline&m=7.1"], ["wait", "aside h2", "Timeline"], ["go", "p=timeline&m=0.7"], ["wait", "aside h2", "Timeline"])
    assert not seen["axe"], seen


def check_gpu(browser):
    """GPU time below the calls that launched it; a link shows the same; a work's detail names its launch."""
    seen = browser.play("gpu.html", ["click", LINK, "flamegraph of GPU time"], ["wait", ".flame"], ["see", "line", ".line"], ["hash", "hash"], ["save", "svg", "button", "Save SVG"],
                        ["key", "g"], ["see", "host", ".line"], ["go", "p=timeline"], ["wait", ".time canvas"], ["point", ".time canvas", 0.55, 72], ["wait", "aside dt", "launched"], ["see", "launch", "aside dl"])
    texts = [element.text for element in xml.etree.ElementTree.fromstring(base64.b64decode(seen["svg"])).iter("{http://www.w3.org/2000/svg}text")]
    assert "on GPUs" in seen["line"][0] and "&g=1" in seen["hash"] and "instrumented functions" in seen["host"][0], seen
    assert any(text.startswith("step") for text in texts) and any(text.startswith("math::gemm") for text in texts), texts
    assert "by main 1000 in step" in seen["launch"][0], seen["launch"]


def check_keys(browser):
    seen = browser.play("busy.html", ["key", "/"], ["type", "srv"], ["wait", ".found.at", "serve"], ["key", "Enter"],
                        ["wait", "aside h2", "serve"], ["key", "l"], ["wait", "aside dd b"], ["see", "took", "aside dd b"],
                        ["key", "ArrowDown"], ["see", "inner", "aside h2"], ["key", "ArrowRight"], ["see", "next", "aside h2"],
                        ["key", "ArrowUp"], ["see", "outer", "aside h2"], ["hash", "hash"], ["key", "w", "w", "d", "0"], ["key", "Escape"],
                        ["see", "none", "aside h2"])
    assert (seen["took"], seen["inner"], seen["next"], seen["outer"], seen["none"]) == (["54.8 us"], ["parse"], ["reload"], ["serve"], ["Timeline"]), seen
    assert "p=timeline" in seen["hash"] and "f=server!serve" in seen["hash"], seen["hash"]
    seen = browser.play("busy.html", ["key", "7"], ["wait", ".table:focus .row"], ["key", "ArrowDown", "Enter"], ["wait", ".time"], ["see", "threads", ".thread:not(.track)"])
    assert "waiter" in seen["threads"][0], seen
    seen = browser.play("busy.html", ["key", "5"], ["wait", ".table:focus .row"], ["key", "ArrowDown"], ["wait", "aside h2"], ["see", "name", "aside h2"],
                        ["see", "callers", "aside .tablebox:nth-of-type(1) .row"])
    assert seen["name"] == ["digest"] and len(seen["callers"]) == 2, seen
    seen = browser.play("many.html", ["key", "7"], ["wait", ".table:focus .row"], ["key", "ArrowDown", "Enter"], ["wait", ".time"], ["see", "threads", ".thread:not(.track)"])
    assert str(1000 + tour.LONGEST) in seen["threads"][0], seen["threads"][:3]
    seen = browser.play("busy.html", ["key", "3"], ["wait", ".flame:focus"], ["key", "ArrowDown", "ArrowDown", "Enter"], ["see", "line", ".line"],
                        ["key", "r"], ["wait", ".flame"], ["hash", "hash"], ["key", "?"], ["wait", ".keys"], ["key", "Escape"],
                        ["see", "left", ".keys"])
    assert seen["line"][0].startswith("serve") and "v=1" in seen["hash"] and not seen["left"], seen


def check_loop(browser, node_compiler, bench):
    """The hot line of the hottest loop, in a real program."""
    lines = (HERE / "nest.c").read_text().splitlines()
    hot = 1 + next(i for i, line in enumerate(lines) if "/* HOT" in line)
    flags = subprocess.run([bench.prof_path, "config", "--cflags", f"--compiler={node_compiler}"], capture_output=True, text=True, check=False)
    if flags.returncode:
        print("no backend for the compiler: the hot line of a loop is not tested")
        return
    subprocess.run([node_compiler, "-g", "-O2", *flags.stdout.split(), HERE / "nest.c", "-o", "nest"], cwd=bench.folder, check=True)
    subprocess.run([bench.prof_path, "record", "-o", "nest.data", "./nest"], cwd=bench.folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    bench.prof("view", "-i", "nest.data", "-o", "nest.html")
    samples = json.loads(bench.prof("lines", "-i", "nest.data", "--format=json"))["lines"]
    if not any(line["samples"] for line in samples):
        print("no samples here: the hot line of a loop is not tested")
        return
    seen = browser.task("nest.html", ["click", f".next {LINK}", "nest.c"], ["wait", ".codeline.chosen"], ["see", "chosen", ".codeline.chosen"],
                        ["see", "loops", "aside ul.plain li"])
    assert f"{hot}" in seen["chosen"][0] and "HOT" in seen["chosen"][0] and "%" in seen["chosen"][0], seen
    assert any(f"nest.c:{hot}" in loop for loop in seen["loops"]), seen
    keys = browser.play("nest.html", ["tab", "nest.c"], ["key", "Enter"], ["wait", ".codeline.chosen"], ["see", "chosen", ".codeline.chosen"])
    assert keys["chosen"] == seen["chosen"], keys
    seen = browser.play("nest.html", *[["axe", f"axe {panel}"] if odd else ["go", f"p={panel}"] for panel in PANELS for odd in (False, True)])
    assert not any(seen.values()), seen


def check_hostile(browser):
    """Names of markup are text everywhere; controls and marks of direction are replaced."""
    steps = []
    for panel in PANELS:
        steps += [["go", f"p={panel}"], ["wait", f"main.{panel}"], ["see", panel, "main"],
                  ["eval", f"scripts {panel}", "document.querySelectorAll('main script, main b:not(dd b, p b, li b), main img').length"],
                  ["eval", f"marks {panel}", r"/[\u202a-\u202e\u0000-\u0008\u001b]/.test(document.body.innerText)"]]
    seen = browser.play("hostile.html", ["size", 1600, 1000], *steps, ["eval", "title", "document.title"])
    assert "<script>alert(1)</script>" in seen["functions"][0], seen["functions"]
    assert all(seen[f"scripts {panel}"] == 0 and seen[f"marks {panel}"] is False for panel in PANELS), seen


def check_pictures(browser):
    """Saved pictures: well-formed SVG with the names as text, PNG."""
    steps = [["go", "p=flame"], ["wait", ".flame"], ["save", "flame svg", "button", "Save SVG"], ["save", "flame png", "button", "Save PNG"],
             ["go", "p=timeline"], ["wait", ".time"], ["save", "time svg", "button", "Save SVG"], ["save", "time png", "button", "Save PNG"]]
    seen = browser.play("hostile.html", ["size", 1600, 1000], *steps)
    for name in ("flame", "time"):
        svg = xml.etree.ElementTree.fromstring(base64.b64decode(seen[f"{name} svg"]))
        texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
        assert "<script>alert(1)</script>" in " ".join(texts), texts
        assert base64.b64decode(seen[f"{name} png"]).startswith(b"\x89PNG"), name


def check_access(browser):
    """axe's rules, on each panel, in both themes, with dialogs."""
    steps = []
    for theme in ("light", "dark"):
        steps += [["theme", theme]]
        for panel in PANELS:
            steps += [["go", f"p={panel}&f=server!serve"], ["wait", f"main.{panel}"], ["axe", f"{theme} {panel}"]]
        steps += [["key", "/"], ["type", "e"], ["wait", ".found"], ["axe", f"{theme} search"], ["key", "Escape"], ["key", "?"], ["axe", f"{theme} help"],
                  ["key", "Escape"]]
    seen = browser.play("busy.html", *steps)
    assert len(seen) == 18 and not any(seen.values()), {name: faults for name, faults in seen.items() if faults}


def check_range(browser):
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


def check_back(browser):
    """The address holds what is shown: Back undoes a step, and a link shows the same."""
    seen = browser.play("busy.html", ["click", NAV, "Functions"], ["click", f".main {LINK}", "serve"], ["hash", "first"], ["click", NAV, "Source"],
                        ["eval", "back", "history.back()"], ["wait", "aside h2", "serve"], ["go", "p=functions&f=server!reload"], ["wait", "aside h2", "reload"])
    assert seen["first"] == "#p=functions&f=server!serve", seen


def check_orders(browser):
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


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        found = Browser.find(bench)
        if not found:
            return SKIPPED
        bench.make_texts(busy=tour.busy(), many=tour.many())
        run = subprocess.run([bench.prof_path, "view", "-i", "busy", "-o", "-"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if b"without the page" in run.stderr:
            print("skipped: this prof was built without the page (apt-get install esbuild node-preact node-prismjs)")
            return SKIPPED
        for name in ("busy", "many", "hostile", "gpu"):
            bench.prof("view", "-i", name, "-o", f"{name}.html")
        browser = Clicks(bench, found.modules, found.path)
        check_figures(browser, bench)
        check_tasks(browser)
        check_tracks(browser)
        check_gpu(browser)
        check_keys(browser)
        check_range(browser)
        check_ranged(browser, bench)
        check_orders(browser)
        check_back(browser)
        check_hostile(browser)
        check_pictures(browser)
        check_access(browser)
        check_loop(browser, "gcc", bench)
    return 0


sys.exit(main())
