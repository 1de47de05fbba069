#!/usr/bin/env python3
"""summary.py REPORT STATUS - one line for a ctest run: "N passed, N failed, N skipped".

In: ctest's JUnit report and its exit status.  Above the line: each skipped test with its last printed line,
each failed one by name.  Exit status: 0 if at least one test ran and none failed, else 1.
"""
import sys
import xml.etree.ElementTree as ElementTree


def last_line(case):
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def outcome(case):
    """ctest says "run", "fail", "disabled" or "notrun"; the last is a skip only if the test asked for it."""
    status = case.get("status")
    if status == "run":
        return "passed"
    if status == "disabled":
        return "skipped"
    skipped = case.find("skipped")
    asked = skipped is not None and "SKIP" in (skipped.get("message") or "")
    return "skipped" if asked else "failed"


def main():
    report, ctest_status = sys.argv[1], int(sys.argv[2])
    try:
        cases = ElementTree.parse(report).getroot().findall("testcase")
    except (OSError, ElementTree.ParseError) as error:
        print(f"check: no test report ({error}); ctest ended with {ctest_status}", file=sys.stderr)
        return 1
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases:
        result = outcome(case)
        counts[result] += 1
        if result == "skipped":
            print(f"skipped: {case.get('name')}: {last_line(case)}")
        elif result == "failed":
            print(f"FAILED:  {case.get('name')}")
    if ctest_status != 0 and counts["failed"] == 0:
        print(f"check: ctest ended with status {ctest_status}, but no test failed", file=sys.stderr)
        counts["failed"] = 1
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 0 if counts["passed"] and not counts["failed"] else 1


sys.exit(main())
