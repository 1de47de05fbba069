#!/usr/bin/env python3
"""`prof diff` and `prof gate` of recordings with --memory: which function and line allocates more, and limits that a baseline sets."""
import subprocess
import sys
import tempfile

from runs import Bench, check_keys
import programs

# `node` is asked for TIMES as many blocks; `quiet` allocates a number that varies with the process.
SOURCE = r"""
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) static char *node(int bytes) { char *p = malloc(bytes); p[0] = 1; return p; }
__attribute__((noinline)) static void parse(int n) { char *all[400]; for (int i = 0; i < n; i++) all[i] = node(100 + i % 7); while (n--) free(all[n]); }
__attribute__((noinline)) static void quiet(void) { char *volatile p = malloc(5000); free(p); }
int main(int argc, char **argv) { for (int i = 0; i < 20; i++) { parse(200 * TIMES); quiet(); } for (int n = argc > 1 ? atoi(argv[1]) : 0; n--;) quiet(); return 0; }
"""
RULES = """baseline = "main"
must_show = "off"
least_change = "90%"
limits = ["calls of malloc <= 1.05x baseline", "peak memory <= 1.05x baseline", "peak memory < 64M", "allocations of node <= 4000"]
"""


def record(bench, side, extra, *options):
    subprocess.run([bench.prof_path, "record", *options, "-o", side, "./" + side.split(".")[0], str(extra)], cwd=bench.folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def check_diff(bench):
    diff = bench.json("diff", "a.?", "b.?", "--lines")
    memory = {(row["kind"], row["name"].split("+")[0], row["metric"]): row for row in diff["rows"] if row["metric"] in ("allocations", "bytes", "peak")}
    for kind in ("memory", "memory_line"):
        for metric, amount in (("allocations", 4000), ("bytes", None), ("peak", None)):
            row = memory[kind, "node", metric]
            assert row["verdict"] == "slower" and row["calls_exact"] and 1.99 < row["low"] <= row["high"] < 2.01, row
            assert amount is None or (row["old_amount"], row["new_amount"]) == (amount, 2 * amount), row
    assert memory["memory", "node", "allocations"]["old_line"] == 4, memory
    varied = memory["memory", "quiet", "bytes"]
    assert not varied["calls_exact"] and varied["low"] <= 1 <= varied["high"] and varied["verdict"] != "slower", varied
    check_keys("prof diff", diff)
    table = bench.run("diff", "a.?", "b.?")
    assert "more     +100%   exact" in table and "8,000     allocations" in table, table
    differs = bench.json("diff", "a.?", "plain.?")
    assert differs["memory_differs"] and differs["recorded_differently"] and differs["tested"] == 0, differs
    record(bench, "plain.sum", 0, "--mode=summary")  # another cost of an event
    assert bench.json("diff", "plain.0", "plain.sum")["recorded_differently"] and not bench.json("diff", "plain.0", "plain.1")["recorded_differently"]
    assert "not all were recorded with --memory" in bench.run("diff", "a.?", "plain.?")


def check_gate(bench):
    (bench.folder / "gate.toml").write_text(RULES)
    bench.run("baseline", "save", "main", "a.?")
    kept = {check["rule"]: check["result"] for check in bench.json("gate", "again.?")["checks"][:4]}
    assert set(kept.values()) == {"kept"}, kept
    broken = bench.json("gate", "b.?", status=1)["checks"]
    results = {check["rule"]: check["result"] for check in broken}
    assert [check["result"] for check in broken[:4]] == ["broken", "broken", "kept", "broken"], broken
    assert results["function node has more memory at the peak"] == results["function node allocates more often"] == "broken", results
    unknown = bench.json("gate", "plain.?", status=2)
    assert unknown["result"] == "unknown" and {check["result"] for check in unknown["checks"][:4]} == {"unknown"}, unknown


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        compiler = programs.compiler_or_skip(prof=bench.prof_path)
        (bench.folder / "m.c").write_text(SOURCE)
        for name, times in (("a", 1), ("b", 2)):
            subprocess.run([compiler, "-g", "-O1", f"-DTIMES={times}", *programs.plugin_flags(bench.prof_path, compiler), "m.c", "-o", name],
                           cwd=bench.folder, check=True)
        for name in ("again", "plain"):
            (bench.folder / name).symlink_to("a")
        for number, extra in enumerate((0, 2, 4, 1)):
            for side, options in (("a", ["--memory"]), ("b", ["--memory"]), ("again", ["--memory"]), ("plain", [])):
                record(bench, f"{side}.{number}", extra, *options)
        check_diff(bench)
        check_gate(bench)
    return 0


sys.exit(main())
