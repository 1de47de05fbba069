#!/usr/bin/env python3
"""test_example.py --prof PROF --folder FOLDER - docs/examples/wordcount compiles cleanly, and its calls are all counted.

Exit status: 0, 1, or 77 where no compiler has a backend.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

WORDS = 20000
# What the source says for so many words: one look-up and one hash per word, one more attempt to read a word at the end.
CALLS = {"main": 1, "text_make": 1, "text_next_word": WORDS + 1, "table_add": WORDS, "hash_word": WORDS}


def check(prof, folder, compiler, define):
    sources = sorted(map(str, (programs.ROOT / "docs" / "examples" / "wordcount").glob("*.c")))
    program, data = folder / f"wordcount{define}", folder / f"prof.data{define}"
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-O2", *([define] if define else [])]
    subprocess.run([compiler, *strict, *sources, "-o", f"{program}-plain"], check=True)
    subprocess.run([compiler, *strict, *programs.plugin_flags(prof, compiler), *sources, "-o", program], check=True)
    expected = subprocess.run([f"{program}-plain", str(WORDS)], capture_output=True, text=True, check=True).stdout
    recorded = subprocess.run([prof, "record", "-o", data, "--", program, str(WORDS)], capture_output=True, text=True,
                              check=True)
    report = subprocess.run([prof, "report", "-i", data, "--format", "json"], capture_output=True, text=True, check=True)
    functions = {row["name"]: row for row in json.loads(report.stdout)["functions"]}
    faults = [] if recorded.stdout == expected else [f"printed something else while recorded: {recorded.stdout}"]
    for name, calls in CALLS.items():
        found = functions.get(name, {}).get("calls")
        if found != calls:
            faults.append(f"{name}: {found} calls, the source says {calls}")
    total = functions.get("main", {}).get("total_ns", 0)
    selves = sum(row["self_ns"] for row in functions.values())
    if abs(selves - total) > len(functions):  # each is rounded to a nanosecond
        faults.append(f"self times add up to {selves} ns, main's total is {total} ns")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder / "example"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compiler = programs.default_compiler()
    faults = [fault for define in ("", "-DBETTER_HASH") for fault in check(options.prof, folder, compiler, define)]
    print("\n".join([*faults, f"{len(faults)} faults"]))
    return 1 if faults else 0


sys.exit(main())
