#!/usr/bin/env python3
"""The documents: links lead to files that exist, and C code in the tutorials stands in docs/examples as it is shown."""
import pathlib
import re
import tree

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
FENCE = re.compile(r"^```(\w*)\s*$")


def blocks(text, language):
    """(line number, code) of each fenced block of a language."""
    inside, start, code = None, 0, []
    for number, line in enumerate(text, 1):
        match = FENCE.match(line)
        if not match:
            code.append(line)
        elif inside is None:
            inside, start, code = match[1], number, []
        else:
            if inside == language:
                yield start, code
            inside = None


def shown_as_is(code, examples):
    wanted = [line.strip() for line in code if line.strip()]
    return any("\n".join(wanted) in example for example in examples)


def main():
    paths = tree.files({".md"})
    known = set(map(str, tree.files()))
    folders = {str(parent) for name in known for parent in pathlib.PurePosixPath(name).parents}
    examples = ["\n".join(line.strip() for line in tree.lines(p) if line.strip()) for p in tree.files({".c", ".h"})
                if p.parts[:2] == ("docs", "examples")]
    faults = []
    for path in paths:
        text = tree.lines(path)
        for number, line in enumerate(text, 1):
            for target in LINK.findall(line):
                resolved = (tree.ROOT / path.parent / target).resolve()
                name = str(resolved.relative_to(tree.ROOT)) if resolved.is_relative_to(tree.ROOT) else ""
                if name not in known and name.rstrip("/") not in folders:
                    faults.append(f"{path}:{number}: leads nowhere: {target}")
        if path.parts[:2] == ("docs", "tutorial"):
            faults += [f"{path}:{start}: this code is not in docs/examples" for start, code in blocks(text, "c")
                       if not shown_as_is(code, examples)]
    tree.finish(faults, len(paths))


main()
