"""Rows: what a report says that six kernels of tiny calls took, by the plain program's processor time (tiny_calls.cpp)."""
import json
import shutil
import statistics
import subprocess

import programs
from measuring import Row, progress, quick, repeats, run

KERNELS = ["flat", "nested", "recursive", "mixed", "threads", "accessors"]
CALLS, QUICK_CALLS = 100000000, 25000000
TIMES, QUICK_TIMES = 3, 1


def seconds(*command):
    """What the kernel itself says."""
    return float(subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                check=True).stderr.split()[-2])


def shown(builds, program, kernel, calls):
    """Running time, and the range that `prof report` gives for it, seconds."""
    data = builds.folder / "tiny.data"
    shutil.rmtree(data, ignore_errors=True)
    subprocess.run([str(word) for word in (builds.prof, "record", "-o", data, "--", program, kernel, calls)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    text = subprocess.run([str(builds.prof), "report", "-i", str(data), "--format=json"], stdout=subprocess.PIPE, check=True).stdout
    shutil.rmtree(data)
    cover = json.loads(text)["cover"]
    off = cover["inside_ns"] - cover.get("running_ns", cover["inside_ns"])
    return [(cover[key] - off) / 1e9 for key in ("inside_ns", "inside_low_ns", "inside_high_ns")]


def tiny_rows(builds):
    progress("kernels of tiny calls")
    source, calls = builds.source / "tiny_calls.cpp", QUICK_CALLS if quick() else CALLS
    plain, probed = builds.folder / "tiny_plain", builds.folder / "tiny_probed"
    compiler = builds.compiler.replace("clang", "clang++") if "clang" in builds.compiler else builds.compiler.replace("gcc", "g++")
    flags = programs.plugin_flags(builds.prof, compiler)
    run([compiler, "-g", "-O2", source, "-o", plain, "-lpthread"])
    run([compiler, "-g", "-O2", *flags, source, "-o", probed, "-lpthread"])
    for kernel in KERNELS:
        ratios, held, turns = [], 0, repeats(TIMES, QUICK_TIMES)
        for _ in range(turns):
            before = seconds(plain, kernel, calls)
            middle, low, high = shown(builds, probed, kernel, calls)
            truth = (before + seconds(plain, kernel, calls)) / 2
            ratios.append(middle / truth)
            held += low <= truth <= high
        ratio = statistics.median(ratios)
        yield Row(f"time shown over the plain program's: tiny calls, {kernel}", f"{ratio:.2f}", "0.7-1.3, or in the range shown", "0.9-1.1",
                  0.7 <= ratio <= 1.3 or held == turns, f"in the range {held} of {turns}")
