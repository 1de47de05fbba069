#!/usr/bin/env python3
"""What a user looks for in the page: figures, and tasks in at most six clicks from the overview."""
import json
import subprocess
import sys

from opened import HERE, LINK, NAV, PANELS, run, tour


def check_figures(browser, bench):
    report = json.loads(bench.prof("report", "-i", "busy", "--time=elapsed", "--format=json"))
    seen = browser.play("busy.html", ["click", NAV, "Functions"], ["wait", ".table .row"],
                        ["see", "rows", ".main .table .row"], ["see", "label", ".main .tools span"])
    assert seen["label"] == [f"{len(report['functions'])} functions"], seen["label"]
    shown = {row.split("\n")[0]: row.split("\n") for row in seen["rows"]}
    for function in report["functions"]:
        assert shown[function["name"]][1] == f"{function['calls']:,}", (function, shown)


def check_tasks(browser, _):
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


def check_loop(browser, bench, node_compiler="gcc"):
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


sys.exit(run(("busy", "many", "gpu"), check_figures, check_tasks, check_loop))
