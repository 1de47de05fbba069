#!/usr/bin/env python3
"""The page by keys alone."""
import sys

from opened import run, tour


def check_keys(browser, _):
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


sys.exit(run(("busy", "many"), check_keys))
