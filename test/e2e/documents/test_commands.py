#!/usr/bin/env python3
"""test_commands.py --prof PROF --folder FOLDER --document FILE - runs the commands that a document shows.

A command is a line `$ ...` in a console block.  `-fplugin=prof.so` becomes the plugin of the build folder, `gcc` the
compiler that has a backend.  Exit status: 0 all ended well, 1 not, 77 no compiler with a backend.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
# Installs or builds prof itself, or needs a screen: shown, but not for a test to do.
NOT_RUN = re.compile(r"^(make|sudo|git|firefox|xdg-open|cd)\b")


def commands(text):
    for block in BLOCK.findall(text):
        for line in block.splitlines():
            if line.startswith("$ ") and not NOT_RUN.match(line[2:]):
                yield line[2:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--document", required=True, type=pathlib.Path)
    options = parser.parse_args()
    compiler = programs.default_compiler()
    flags = shlex.join(programs.plugin_flags(options.prof, compiler))

    folder = options.folder / options.document.stem
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(programs.ROOT / "docs" / "examples", folder)
    environment = {**os.environ, "PATH": f"{options.prof.parent}:{os.environ['PATH']}", "PAGER": "cat",
                   "PROF_RUNTIME": str(options.prof.resolve().parents[1] / "runtime/libprof-runtime.so.1")}  # for programs that wait for prof record -p
    ran = failed = 0
    for command in commands(options.document.read_text(encoding="utf-8")):
        real = re.sub(r"\bgcc\b(?!-)", compiler, command).replace("-fplugin=prof.so", flags)
        result = subprocess.run(["bash", "-c", real], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False, timeout=900)
        ran += 1
        if "prof was built without" in result.stderr:  # a part that this machine lacks packages for
            print(f"$ {command}\n{result.stderr}")
        elif result.returncode:
            failed += 1
            print(f"$ {command}\nended with {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    print(f"{ran} commands of {options.document.name}, {failed} failed")
    return 1 if failed or not ran else 0


sys.exit(main())
