#!/usr/bin/env python3
"""torture.py --prof PROF --plugin PLUGIN [...] - GCC's execution tests with the plugin: the same as plain, off and on?

Builds and runs every test (or those that --list=FILE names) with each compiler that has a backend and at each level, and prints
a table: run, differing, refused, crashes of the compiler, recordings that are not sound, skipped and why.  Resumable: verdicts
are kept in the cache folder; --seconds ends a run early.  Exit status: see driver.py.
"""
import pathlib
import sys

import driver
import suite


def tests_chosen(options, root):
    chosen = [test for test in suite.tests(root) if options.only in test.name]
    if options.language:
        chosen = [test for test in chosen if test.language == options.language]
    if options.list:
        lines = options.list.read_text(encoding="utf-8").splitlines()
        wanted = {line.split("#")[0].strip() for line in lines} - {""}
        missing = wanted - {test.name for test in chosen}
        if missing:
            sys.exit(f"{options.list}: no such test: {' '.join(sorted(missing))}")
        chosen = [test for test in chosen if test.name in wanted]
    return chosen


def main():
    parser = driver.parser_new(__doc__.splitlines()[0], "-O0,-O2,-O3")
    parser.add_argument("--list", type=pathlib.Path, help="only the tests that this file names")
    parser.add_argument("--only", default="", help="tests with this in their name")
    parser.add_argument("--language", choices=("c", "cxx"))
    options = parser.parse_args()
    root = suite.unpacked()
    if root is None:
        print("skipped: no GCC source package (make setup-all, or install gcc-12-source)")
        return driver.SKIP
    return driver.run(options, "results", tests_chosen(options, root))


if __name__ == "__main__":
    sys.exit(main())
