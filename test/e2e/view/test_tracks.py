#!/usr/bin/env python3
"""What lies beside calls on the timeline: frames and counters, GPU works and their launches, waits for locks."""
import base64
import sys
import xml.etree.ElementTree

from opened import LINK, run
from page import Page


def check_tracks(browser, _):
    """Frames, marks and counters: clicked at and walked by keys; a link shows the same."""
    seen = browser.play("busy.html", ["click", f".next {LINK}", "longest frame"], ["wait", "aside h2", "Frame serving"], ["key", "n"], ["see", "next", "aside dd b"], ["key", "p"],
                        ["see", "back", "aside dd b"], ["key", "0", "Escape"], ["see", "tracks", ".track"], ["point", ".time canvas", 0.97, 85],
                        ["wait", "aside h2", "Counter served"], ["see", "value", "aside dd b"], ["hash", "hash"], ["key", "Escape"], ["see", "none", "aside h2"])
    assert seen["tracks"] == ["frames serving", "marks", "served, requests"], seen
    assert seen["back"] == ["55.3 us"] != seen["next"] and seen["value"] == ["19"] and "m=2." in seen["hash"] and seen["none"] == ["Timeline"], seen
    seen = browser.play("busy.html", ["go", seen["hash"][1:]], ["wait", "aside h2", "Counter served"], ["axe", "axe"],
                        ["go", "p=timeline&m=7.1"], ["wait", "aside h2", "Timeline"], ["go", "p=timeline&m=0.7"], ["wait", "aside h2", "Timeline"])
    assert not seen["axe"], seen


def check_many_tracks(browser, _):
    """Of more tracks than have room the timeline says how many it shows; the search shows another one."""
    seen = browser.play("counters.html", ["go", "p=timeline"], ["wait", "aside", "24 of 60 tracks"], ["see", "shown", ".track"], ["key", "/"], ["type", "level57"], ["wait", ".found.at", "level57"],
                        ["key", "Enter"], ["wait", "aside h2", "Counter level57"], ["see", "found", ".track"], ["hash", "hash"])
    assert 0 < len(seen["shown"]) <= 24 and "level57" not in seen["shown"] and seen["found"][0] == "level57" and "m=57." in seen["hash"], seen  # those in view


def check_counters(browser, _):
    """Hardware counters of a function, and ratios."""
    seen = browser.play("pmu.html", ["go", "p=functions"], ["wait", ".main button.link", "again"], ["click", ".main button.link", "again"], ["wait", "aside h2", "again"], ["see", "facts", "aside dl"])
    assert all(text in seen["facts"][0].replace("\n", " ") for text in ("cycles", "3,000", "instructions", "11,000", "IPC", "3.7")), seen


def check_gpu(browser, _):
    """GPU time below the calls that launched it; a link shows the same; a work's detail names its launch."""
    seen = browser.play("gpu.html", ["click", LINK, "flamegraph of GPU time"], ["wait", ".flame"], ["see", "line", ".line"], ["hash", "hash"], ["save", "svg", "button", "Save SVG"],
                        ["key", "g"], ["see", "host", ".line"], ["go", "p=timeline"], ["wait", ".time canvas"], ["point", ".time canvas", 0.55, 72], ["wait", "aside dt", "launched"], ["see", "launch", "aside dl"])
    texts = [element.text for element in xml.etree.ElementTree.fromstring(base64.b64decode(seen["svg"])).iter("{http://www.w3.org/2000/svg}text")]
    assert "on GPUs" in seen["line"][0] and "&g=1" in seen["hash"] and "instrumented functions" in seen["host"][0], seen
    assert any(text.startswith("step") for text in texts) and any(text.startswith("math::gemm") for text in texts), texts
    assert "by main 1000 in step" in seen["launch"][0], seen["launch"]


def check_locks(browser, bench):
    """The thread that waited longest for a lock, which lock it was, and who held it: in a click; its neighbours by keys; a link shows the same."""
    seen = browser.task("locked.html", ["see", "card", ".locks li"], ["click", f".locks {LINK}"], ["wait", "aside h2", "Wait for"], ["see", "what", "aside h2"], ["see", "how", "aside dl"],
                        ["hash", "hash"], ["save", "svg", "button", "Save SVG"], ["axe", "axe"], ["key", "p"], ["until", "!/w=2.620/.test(location.hash)"], ["see", "before", "aside dl"],
                        ["key", "Escape"], ["see", "none", "aside h2"])
    assert seen["card"][0] == "260 ns two 102 for mutex in hog, held by one 101" and len(seen["card"]) == 6, seen["card"]
    assert seen["what"] == ["Wait for mutex in hog"] and "two 102 in worker" in seen["how"][0] and "one 101, which took it in worker" in seen["how"][0] \
        and "the thread went on 10 ns later" in seen["how"][0] and "w=2.250" in seen["hash"] and not seen["axe"] and seen["none"] == ["Timeline"], seen
    titles = [element.text for element in xml.etree.ElementTree.fromstring(base64.b64decode(seen["svg"])).iter("{http://www.w3.org/2000/svg}title")]
    assert "mutex in hog: 260 ns" in titles, titles
    seen = browser.play("locked.html", ["go", seen["hash"][1:]], ["wait", "aside h2", "Wait for mutex in hog"], ["go", "p=timeline&w=7.1"], ["wait", "aside h2", "Timeline"])
    columns = Page((bench.folder / "locked.html").read_bytes()).of["locks"]
    assert (columns["begin_ns"], columns["end_ns"], columns["holder"], columns["released_ns"]) == \
        ([740, 150, 850, 870, 250, 620], [840, 400, 860, 900, 510, 730], [-1, 0, -1, 2, 1, 1], [-1, 350, -1, -1, 500, 720]), columns


def check_arguments(browser, _):
    """With which arguments functions were called, by time."""
    seen = browser.play("arguments.html", ["see", "card", ".calls li"], ["axe", "axe"])
    assert seen["card"][0].startswith("find(key=12) 100 ns in 1 call") and any('name="a \\"quoted\\" name"' in row for row in seen["card"]) and not seen["axe"], seen


sys.exit(run(("busy", "gpu", "locked", "counters", "pmu", "arguments"), check_arguments, check_counters, check_tracks, check_many_tracks, check_gpu, check_locks))
