#!/usr/bin/env python3
"""The flamegraph in a real browser: drawn, zoomed, searched and walked with keys, without a word from the console."""
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile

from recordings import Bench

SKIPPED = 77
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# Plays a user and leaves what it saw in the document, where --dump-dom shows it.
USER = """
const seen = {};
const all = [...document.querySelectorAll("g.f")];
const named = name => all.find(group => group.frame.name === name);
const shown = () => all.filter(group => group.getAttribute("display") !== "none").map(group => group.frame.name).sort();
const width = group => parseFloat(group.querySelector("rect").getAttribute("width"));
const key = name => window.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
const click = group => group.querySelector("rect").dispatchEvent(new MouseEvent("click", { bubbles: true }));
seen.first = shown();
// Labels: each lies in a viewport as wide as its frame, which clips; and even unclipped none is wider.
seen.overflow = all.filter(group => {
  const text = group.querySelector("text"), view = text && text.parentNode;
  return text && text.textContent && (view.localName !== "svg" || getComputedStyle(view).overflow === "visible" ||
    view.getAttribute("width") !== group.querySelector("rect").getAttribute("width") ||
    text.getComputedTextLength() > group.querySelector("rect").getBoundingClientRect().width);
}).map(group => group.frame.name);
click(named("inflate"));
seen.zoomed = shown();
seen.widths = [width(named("inflate")), width(named("work"))];
seen.details = document.getElementById("details").textContent;
key("/"); for (const letter of "^LEAF|inf") key(letter); key("Enter");
seen.search = document.getElementById("search").textContent;
seen.matches = all.filter(group => group.classList.contains("match")).map(group => group.frame.name).sort();
key("ArrowDown"); seen.down = document.querySelector(".here").frame.name;
key("ArrowUp"); seen.up = document.querySelector(".here").frame.name;
key("Escape");
seen.back = shown();
seen.search_all = document.getElementById("search").textContent;
key("Escape");
seen.cleared = document.getElementById("search").textContent;
const note = document.createElementNS("http://www.w3.org/2000/svg", "desc");
note.id = "seen";
note.textContent = JSON.stringify(seen);
document.documentElement.appendChild(note);
"""


# The same for a comparison.
CHANGE_USER = """
const seen = {};
const all = [...document.querySelectorAll("g.f")];
const named = name => all.find(group => group.frame.name === name);
const shown = () => all.filter(group => group.getAttribute("display") !== "none").map(group => group.frame.name).sort();
const key = name => window.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
seen.first = shown();
named("[only before]").querySelector("rect").dispatchEvent(new MouseEvent("click", { bubbles: true }));
seen.zoomed = shown();
seen.facts = named("fib").frame.facts;
key("Escape");
seen.back = shown();
const note = document.createElementNS("http://www.w3.org/2000/svg", "desc");
note.id = "seen";
note.textContent = JSON.stringify(seen);
document.documentElement.appendChild(note);
"""


def dump(browser, folder, svg, name):
    path = folder / name
    path.write_text(svg)
    result = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser",
                             "--window-size=1280,800", "--enable-logging=stderr", "--dump-dom", path.as_uri()],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900)
    said = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
    assert result.returncode == 0 and not said, said or result.stderr[-2000:]
    return result.stdout


def check(seen):
    assert seen["overflow"] == [], seen
    assert seen["first"] == seen["back"] == ["all", "inflate", "leaf", "work"], seen
    assert seen["zoomed"] == ["all", "inflate", "work"], seen
    assert seen["widths"] == [100, 100], seen
    assert seen["details"].startswith("inflate") and "1 call, self 300 ns" in seen["details"], seen
    assert seen["matches"] == ["inflate", "leaf"], seen
    assert "1 frame, 100.0%" in seen["search"], seen
    assert "2 frames, 63.6%" in seen["search_all"], seen  # (300 + 50) of 550 ns
    assert (seen["down"], seen["up"]) == ("work", "inflate"), seen
    assert seen["cleared"] == "search", seen


def main():
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("skipped: no Chromium (make setup-all installs it)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        svg = bench.prof("flame", "-i", "two_threads", "-F", "work").decode()
        played = svg[:svg.rindex("</svg>")] + f"<script><![CDATA[{USER}]]></script></svg>"
        page = dump(browser, bench.folder, played, "played.svg")
        check(json.loads(html.unescape(re.search(r'<desc id="seen">(.*?)</desc>', page, re.S)[1])))
        # Names are names: were one taken for markup, an alert would stop the browser or the document would not parse.
        page = dump(browser, bench.folder, bench.prof("flame", "-i", "hostile").decode(), "hostile.svg")
        assert page.count("<script") == 1 and "&lt;script&gt;alert(1)" in page
        assert page.count('class="f') == 11
        # A comparison: what is only in the other recording is a frame beside the rest, to which one can zoom.
        bench.export("recursion", "recursion.folded", "--format=folded")
        svg = bench.prof("flame", "-i", "two_threads", "--against=recursion.folded").decode()
        played = svg[:svg.rindex("</svg>")] + f"<script><![CDATA[{CHANGE_USER}]]></script></svg>"
        page = dump(browser, bench.folder, played, "change.svg")
        seen = json.loads(html.unescape(re.search(r'<desc id="seen">(.*?)</desc>', page, re.S)[1]))
        assert {"main", "[only before]", "fib"} <= set(seen["first"]), seen
        assert "fib" in seen["zoomed"] and "worker" not in seen["zoomed"] and "only in recursion.folded" in seen["facts"], seen
        assert seen["back"] == seen["first"], seen
    return 0


sys.exit(main())
