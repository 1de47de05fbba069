#!/usr/bin/env python3
"""Every folder says in a README.md of at most ten lines what enters, what leaves and who may include it."""
import pathlib
import tree

README_LINES = 10
EXEMPT = {".", ".ci"}
# Folders of material, described by the README of the folder above them.
MATERIAL = {"docs/examples", "test/e2e/build", "test/golden", "test/fuzz", "test/fixtures"}


def main():
    paths = tree.files()
    folders = {str(parent) for path in paths for parent in path.parents}
    faults, looked_at = [], 0
    for folder in sorted(folders - EXEMPT):
        if any(str(parent) in MATERIAL for parent in pathlib.PurePosixPath(folder).parents):
            continue
        looked_at += 1
        readme = pathlib.PurePosixPath(folder) / "README.md"
        if readme not in paths:
            faults.append(f"{folder}: no README.md")
        elif len(tree.lines(readme)) > README_LINES:
            faults.append(f"{readme}:{README_LINES + 1}: more than {README_LINES} lines")
    tree.finish(faults, looked_at)


main()
