#!/usr/bin/env python3
"""Runs the commands of .golden files and compares what they print.  See README.md."""
import argparse
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import time_parts  # noqa: E402 (lies there)


def shown(output):
    """Bytes as a text that can be read and kept under version control."""
    text = output.decode("utf-8", "surrogateescape")
    text = re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", lambda m: f"<{ord(m[0]):02x}>", text)
    return re.sub("[\ud800-\udfff]", lambda m: f"<{ord(m[0]) - 0xdc00:02x}>", text)


def commands_of(text):
    """The file's parts: (line that is kept as it is, None) or (command, expected text)."""
    parts = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            parts.append([line, ""])
        elif line.startswith("## ") or not parts or parts[-1][1] is None:
            parts.append([line, None])
        else:
            parts[-1][1] += line
    return parts


def on_one_processor():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def run(command, folder, environment):
    # Beyond a limit of memory, which call paths are kept depends on the order of the threads that fold (tools/fold/whole.h).
    result = subprocess.run(["sh", "-c", command], preexec_fn=on_one_processor if "--max-memory" in command else None, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)  # long: sanitizers on a busy machine
    text = shown(result.stdout)
    if text and not text.endswith("\n"):
        text += "[no line end]\n"
    if result.returncode:
        text += f"[status {result.returncode}]\n"
    return text


def check_parts(name, folder, environment):
    """Of every recording here, if there is anything to report."""
    def report(*arguments):
        return json.loads(subprocess.run(["prof", "report", "-i", name, "--format=json", *arguments], cwd=folder, check=True,
                                         env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    if "[status" not in run(f"prof report -i {name} --format=json", folder, environment):
        time_parts.check(name, report)
        time_parts.check_calls(name, report)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, help="build folder")
    parser.add_argument("--prof", type=pathlib.Path)
    parser.add_argument("--trace-make", type=pathlib.Path)
    parser.add_argument("--rewrite", action="store_true", help="write what is printed now into the files")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    prof = (options.prof or options.build / "tools/prof").resolve()
    trace_make = (options.trace_make or options.build / "test/support/trace_make").resolve()
    environment = {"PATH": f"{prof.parent}:{trace_make.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TERM": "dumb",
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
    failed = 0
    for file in options.files:
        old = file.read_text()
        with tempfile.TemporaryDirectory() as folder:
            for text in sorted((HERE / "traces").glob("*.txt")):
                subprocess.run([trace_make, f"--text={text}", "-o", pathlib.Path(folder) / text.stem], check=True)
                if file.stem == "samples":
                    check_parts(text.stem, folder, environment)
            new = "".join(line if expected is None else line + run(line[2:], folder, environment)
                          for line, expected in commands_of(old))
        if old == new:
            continue
        if options.rewrite:
            file.write_text(new)
        else:
            failed = 1
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(file), "printed"))
    return failed


sys.exit(main())
