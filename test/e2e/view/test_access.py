#!/usr/bin/env python3
"""axe-core finds no fault in any panel, in both themes."""
import sys

from opened import PANELS, run


def check_access(browser, _):
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


sys.exit(run(("busy",), check_access))
