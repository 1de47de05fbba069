#!/usr/bin/env python3
"""Reads files/*.trace with both readers and compares with files/*.expected.

   compare.py --trace-text=... --trace-make=... [--rewrite]

`good-` ones must print the same through libproftrace and through decode.py.  Also traces made now, from the texts here and
in ../traces and from the made-up interpreter, must read the same with both.
"""
import argparse
import difflib
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DECODE = HERE.parents[1] / "support" / "decode.py"
MADE_UP = ["--events=20000 --threads=3", "--events=20000 --functions=3000 --jitter=16"]


def printed(command, path):
    result = subprocess.run([*command, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900)
    text = result.stdout + result.stderr.replace(str(path), "FILE")
    return text + (f"[status {result.returncode}]\n" if result.returncode else "")


def differ(name, left, right):
    if left == right:
        return 0
    lines = list(difflib.unified_diff(left.splitlines(), right.splitlines(), *name, lineterm=""))
    print("\n".join(lines[:40]))
    return 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trace-text", required=True)
    parser.add_argument("--trace-make", required=True)
    parser.add_argument("--rewrite", action="store_true")
    options = parser.parse_args()
    faults = looked_at = 0

    def both(path, name):
        text = printed([options.trace_text], path)
        return text, differ((f"{name}: libproftrace", f"{name}: decode.py"), text, printed([sys.executable, DECODE], path))

    for path in sorted((HERE / "files").glob("*.trace")):
        looked_at += 1
        text, wrong = both(path, path.name) if path.name.startswith("good-") else (printed([options.trace_text], path), 0)
        faults += wrong
        expected = path.with_suffix(".expected")
        if options.rewrite:
            expected.write_text(text)
        faults += differ((expected.name, "printed"), expected.read_text(), text)
    texts = [[f"--text={path}"] for path in sorted([*HERE.glob("texts/*.txt"), *HERE.parent.glob("traces/*.txt")])]
    for arguments in texts + [line.split() for line in MADE_UP]:
        looked_at += 1
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([options.trace_make, *arguments, "-o", folder], check=True)
            faults += both(pathlib.Path(folder), " ".join(arguments))[1]
    print(f"{faults} faults in {looked_at} traces")
    return 1 if faults or not looked_at else 0


sys.exit(main())
