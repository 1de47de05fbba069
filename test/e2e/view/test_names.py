#!/usr/bin/env python3
"""Hostile names in the page, and in pictures saved from it."""
import base64
import sys
import xml.etree.ElementTree

from opened import PANELS, run
from page import Page


def check_hostile(browser, _):
    """Names of markup are text everywhere; controls and marks of direction are replaced."""
    steps = []
    for panel in PANELS:
        steps += [["go", f"p={panel}"], ["wait", f"main.{panel}"], ["see", panel, "main"],
                  ["eval", f"scripts {panel}", "document.querySelectorAll('main script, main b:not(dd b, p b, li b), main img').length"],
                  ["eval", f"marks {panel}", r"/[\u202a-\u202e\u0000-\u0008\u001b]/.test(document.body.innerText)"]]
    seen = browser.play("hostile.html", ["size", 1600, 1000], *steps, ["eval", "title", "document.title"])
    assert "<script>alert(1)</script>" in seen["functions"][0], seen["functions"]
    assert all(seen[f"scripts {panel}"] == 0 and seen[f"marks {panel}"] is False for panel in PANELS), seen


def check_pictures(browser, _):
    """Saved pictures: well-formed SVG with the names as text, PNG."""
    steps = [["go", "p=flame"], ["wait", ".flame"], ["save", "flame svg", "button", "Save SVG"], ["save", "flame png", "button", "Save PNG"],
             ["go", "p=timeline"], ["wait", ".time"], ["save", "time svg", "button", "Save SVG"], ["save", "time png", "button", "Save PNG"]]
    seen = browser.play("hostile.html", ["size", 1600, 1000], *steps)
    for name in ("flame", "time"):
        svg = xml.etree.ElementTree.fromstring(base64.b64decode(seen[f"{name} svg"]))
        texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
        assert "<script>alert(1)</script>" in " ".join(texts), texts
        assert base64.b64decode(seen[f"{name} png"]).startswith(b"\x89PNG"), name


def check_apart(browser, bench):
    """Functions of one name have their files, as in tables; others don't."""
    bench.prof("view", "-i", "twins", "--demangle=short", "-o", "twins.html")
    frames = Page((bench.folder / "twins.html").read_bytes()).frames
    assert sorted(zip(frames["name"], frames["apart"])) == [("B::step", ""), ("init", "init (a.cc)"), ("init", "init (b.cc)"), ("main", ""),
                                                            ("print", "print (a.cc:20)"), ("print", "print (a.cc:26)")], frames
    seen = browser.play("twins.html", ["go", "p=functions"], ["wait", ".table .row"], ["see", "rows", ".main .table button.link"], ["go", "p=tree"], ["wait", ".table .row"],
                        ["see", "tree", "main"], ["go", "p=timeline&c=0.1.140"], ["wait", "aside h2"], ["see", "call", "aside h2"])
    assert sorted(name.strip() for name in seen["rows"]) == sorted(apart or name for name, apart in zip(frames["name"], frames["apart"])), seen["rows"]
    assert "init (a.cc)" in seen["tree"][0] and "init (b.cc)" in seen["tree"][0], seen["tree"]
    assert seen["call"] == ["init (b.cc)"], seen["call"]


sys.exit(run(("hostile",), check_hostile, check_pictures, check_apart))
