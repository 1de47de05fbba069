#!/usr/bin/env python3
"""Every flag of every command is in its man page, and no page has another; a command has its page."""
import os
import re
import subprocess
import tree

FLAGS = re.compile(r"^\*((?:-\w, )?--[\w-]+)\*(?:=_(.*)_)?$", re.M)


def shown(page):
    """Flag as the page shows it -> its argument."""
    path = tree.ROOT / "docs/man" / page
    return dict(FLAGS.findall(re.sub(r"\[=_(\w+)_\]$", r"=_\1_", path.read_text(), flags=re.M))) if path.exists() else None


def main():
    prof = os.environ.get("PROF")
    if not prof or not os.access(prof, os.X_OK):
        tree.skip("prof is not built")
    rows = [line.split("\t") for line in subprocess.run([prof, "--dump-options"], check=True, stdout=subprocess.PIPE,
                                                        text=True).stdout.splitlines()]
    wanted = {}
    for command, letter, name, argument, origin, _help in rows:
        page = "prof.1.scd" if origin == "shared" else f"prof-{command}.1.scd"
        wanted.setdefault(page, {})[f"{letter}, {name}" if letter else name] = argument
    faults = []
    for page, flags in sorted(wanted.items()):
        found = shown(page)
        if found is None:
            faults.append(f"docs/man/{page}: there is no such page")
            continue
        for flag in sorted(flags.keys() | found.keys()):
            if flag not in found:
                faults.append(f"docs/man/{page}: {flag} is missing")
            elif flag not in flags:
                faults.append(f"docs/man/{page}: {flag} is no flag")
            elif found[flag] != flags[flag].strip("[]"):
                faults.append(f"docs/man/{page}: {flag} takes '{flags[flag]}', not '{found[flag]}'")
    tree.finish(faults, len(rows))


main()
