"""Rows: are the floating-point operations of `prof loops --flops` true?  Single steps of the plain program count them (test/e2e/work)."""
import argparse
import pathlib
import re
import sys
import tempfile

from measuring import Row, progress

WORK = pathlib.Path(__file__).resolve().parent.parent / "e2e" / "work"
sys.path.insert(0, str(WORK))
import programs  # noqa: E402
import test_work  # noqa: E402


def newest(compilers):
    """Of each kind of compiler (gcc, clang) the newest."""
    of_kind = {}
    for name in compilers:
        kind, version = re.fullmatch(r"(\w+)-(\d+)", name).groups()
        of_kind[kind] = max(of_kind.get(kind, (0, "")), (int(version), name))
    return [name for _, name in of_kind.values()]


def verdict(want, row):
    """Of one kernel: equal, within its bounds, or wrong."""
    low, high = row["flops"] or 0, row["flops_high"]
    if low == want == high:
        return "equal"
    return "bounded" if low != high and low <= want and (high is None or want <= high) else "wrong"


def row_of(compiler, flags, want, got):
    of_function = {row["function"]: row for row in got["functions"]}
    verdicts = {kernel: verdict(want[kernel][0], of_function[kernel]) for kernel in test_work.KERNELS}
    kernels = {word: [kernel for kernel in verdicts if verdicts[kernel] == word] for word in ("equal", "bounded", "wrong")}
    equal, sums = kernels["equal"], [sum(want[kernel][0] for kernel in kernels["equal"]), sum(of_function[kernel]["flops"] for kernel in kernels["equal"])]
    note = f"counted {sums[0]:,}, prof {sums[1]:,} in these"
    note += "".join(f"; {title}: {', '.join(kernels[word])}" for word, title in (("bounded", "between bounds that hold the counted number"), ("wrong", "WRONG")) if kernels[word])
    return Row(f"{compiler} {' '.join(flags)}: kernels whose FLOPs equal the counted ones", f"{len(equal)} of {len(verdicts)}",
               f">= {test_work.FEWEST_EXACT}, none wrong", f"{len(verdicts)}", len(equal) >= test_work.FEWEST_EXACT and not kernels["wrong"], note)


def flop_rows(builds):
    options = argparse.Namespace(prof=builds.prof)
    for compiler in newest(programs.compilers(builds.prof)):
        for flags in test_work.LEVELS:
            progress(f"flops: {compiler} {' '.join(flags)}")
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                yield row_of(compiler, flags, test_work.counted(compiler, flags, folder), test_work.told(options, compiler, flags, folder))
