#!/usr/bin/env python3
"""`prof diff` names what changed between groups of runs, and calls nothing changed that didn't."""
import subprocess
import sys
import tempfile

from runs import NAMES, Bench, check_keys, documented
import programs

# `slow` does four times the work in the second build.
SOURCE = r"""
__attribute__((noinline)) static unsigned spin(long n, unsigned x) { while (n--) { x = x * 3 + (unsigned)n; __asm__ volatile("" : "+r"(x)); } return x; }
__attribute__((noinline)) static unsigned same(unsigned x) { return spin(200000, x) + 1; }
__attribute__((noinline)) static unsigned slow(unsigned x) { unsigned y = x; for (long n = 100000 * SLOWER; n--;) { y = y * 5 + 1; __asm__ volatile("" : "+r"(y)); } return y + 1; }
int main(void) { unsigned x = 1; for (int i = 0; i < 60; i++) x += same(x) + slow(x); return x == 7; }
"""


def rows_of(diff, kind="function"):
    return [row for row in diff["rows"] if row["kind"] == kind and row["metric"] == "running"]


def check_made(bench):
    bench.make_runs("old", 5, 1)
    bench.make_runs("again", 5, 2)
    bench.make_runs("new", 5, 3, work_4=1.3)
    bench.make_runs("work", 3, 4, work_4=0.5)
    none = bench.json("diff", "old.?", "again.?")
    assert none["called"] == 0 and none["tested"] == len(NAMES), none
    assert {row["verdict"] for row in rows_of(none)} <= {"same", "unknown"}, none
    slower = bench.json("diff", "old.0", "old.1", "old.2", "old.3", "old.4", "--", *(f"new.{i}" for i in range(5)))
    first = rows_of(slower)[0]
    assert (first["name"], first["verdict"]) == ("work_4", "slower"), first
    assert first["low"] <= 1.3 <= first["high"] and 1.2 < first["ratio"] < 1.4, first
    assert first["by"] == "median" and first["calls_exact"] and not first["other_work"], first
    assert slower["rows"][1]["kind"] == "everything", slower["rows"][1]
    faster = bench.json("diff", "old.?", "work.?")
    assert (rows_of(faster)[0]["name"], rows_of(faster)[0]["verdict"]) == ("work_4", "faster"), rows_of(faster)[0]
    table = bench.run("diff", "old.?", "new.?", "-n", "2")
    assert "slower   +" in table and "more rows" in table, table
    check_keys("prof diff", none, slower, faster)
    csv = bench.run("diff", "old.?", "new.?", "--format=csv").splitlines()
    named = {key.replace("rows[].", "") for key in documented("prof diff")}
    assert set(csv[0].split(",")) <= named and len(csv) == len(NAMES) + 2, csv


def check_real(bench, compiler):
    (bench.folder / "two.c").write_text(SOURCE)
    flags = programs.plugin_flags(bench.prof_path, compiler)
    for side, slower in (("a", 1), ("b", 4)):
        subprocess.run([compiler, "-g", "-O1", f"-DSLOWER={slower}", *flags, "two.c", "-o", side], cwd=bench.folder, check=True)
    for turn in range(4):
        for side in "ab":
            subprocess.run([bench.prof_path, "record", "-o", f"{side}.{turn}", f"./{side}"], cwd=bench.folder, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    diff = bench.json("diff", "a.?", "b.?", "--loops", "--lines")
    first = rows_of(diff)[0]
    assert (first["name"], first["verdict"]) == ("slow", "slower"), diff
    assert diff["interleaved"] and not diff["machines_differ"], diff
    lines = rows_of(diff, "line")
    assert any(row["name"].startswith("slow+") for row in lines), lines  # samples, if the machine allows them
    loops = {row["name"] for row in rows_of(diff, "loop")}
    assert "slow, loop 1" in loops, loops
    check_keys("prof diff", diff)


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        check_made(bench)
        check_real(bench, programs.compiler_or_skip(prof=bench.prof_path))
    return 0


sys.exit(main())
