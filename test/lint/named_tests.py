#!/usr/bin/env python3
"""Every test that a document (docs/ and the root) names is one that CTest knows, whole or by its beginning."""
import os
import pathlib
import re
import subprocess

import tree

NAME = re.compile(r"`((?:unit|golden|e2e|fault|fuzz|lint|torture|gpu)\.[A-Za-z0-9_.*-]+)`")


def known():
    """Names of the tests of the build that PROF is from; none: it is not built."""
    prof = os.environ.get("PROF")
    build = pathlib.Path(prof).resolve().parents[1] if prof else None
    if not build or not (build / "CTestTestfile.cmake").exists():
        tree.skip("prof is not built")
    listing = subprocess.run(["ctest", "--test-dir", build, "-N"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"^\s*Test\s+#\d+: (\S+)", listing, re.M)


def main():
    tests, faults, names = known(), [], 0
    for path in (p for p in tree.files({".md"}) if p.parts[0] == "docs" or len(p.parts) == 1):
        for number, line in enumerate(tree.lines(path), 1):
            for name in NAME.findall(line):
                names += 1
                pattern = re.compile(re.escape(name).replace(r"\*", ".*") + r"(?:$|[._])")
                if not any(pattern.match(test) for test in tests):
                    faults.append(f"{path}:{number}: there is no test {name}")
    tree.finish(faults, names)


main()
