#!/usr/bin/env python3
"""test_abi.py [--cc CC] - gpu/cupti_abi.h agrees with the CUPTI headers that are installed; skipped where there are none.

A wrong offset must make the check fail: that is tried as well.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIP = 77
# Our name -> the header's, without CUpti_Activity and the number of its version.
RECORDS = {"KERNEL": "Kernel", "MEMCPY": "Memcpy", "MEMCPY_PEER": "MemcpyPtoP", "MEMSET": "Memset", "OVERHEAD": "Overhead",
           "SYNCHRONIZATION": "Synchronization", "GRAPH_TRACE": "GraphTrace", "MEMORY": "Memory", "DEVICE": "Device",
           "CONTEXT": "Context"}


def headers():
    """CUDA's include folder, or None."""
    nvcc = shutil.which("nvcc")
    places = [pathlib.Path(os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    places += [pathlib.Path(nvcc).resolve().parents[1]] if nvcc else []
    places += [pathlib.Path("/usr/local/cuda")]
    found = (folder for place in places for folder in (place / "include", place / "extras" / "CUPTI" / "include"))
    return next((folder for folder in found if (folder / "cupti_activity.h").exists()), None)


def newest(text):
    """-D options that give each record the newest struct of its name."""
    for ours, name in RECORDS.items():
        versions = [int(number or 1) for number in re.findall(rf"}} CUpti_Activity{name}([0-9]*);", text)]
        yield f"-D{ours}=CUpti_Activity{name}{max(versions) if max(versions) > 1 else ''}"
        if ours == "OVERHEAD" and max(versions) >= 3:
            yield "-DOVERHEAD_HAS_CORRELATION"


def check(compiler, folder, *more):
    text = (folder / "cupti_activity.h").read_text(encoding="utf-8", errors="replace")
    return subprocess.run([compiler, "-std=gnu11", "-fsyntax-only", f"-I{HERE.parents[1] / 'gpu'}", "-isystem", folder,
                           *newest(text), *more, HERE / "abi_check.c"], capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args()
    folder = headers()
    if folder is None:
        print("skipped: CUDA's headers are not here")
        return SKIP
    result = check(options.cc, folder)
    print(result.stderr if result.returncode else f"gpu/cupti_abi.h agrees with {folder.name}/cupti.h")
    wrong = check(options.cc, folder, "-DABI_CHECK_WRONG")
    if wrong.returncode == 0 or "ABI_KERNEL_END differs" not in wrong.stderr:
        print("a wrong offset was not noticed:", wrong.stderr[-500:])
        return 1
    return 1 if result.returncode else 0


sys.exit(main())
