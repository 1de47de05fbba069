#!/usr/bin/env python3
"""`prof tune` finds the least work with few runs; `prof log` keeps what was noted."""
import sys
import tempfile

from runs import Bench, check_keys

# Counts to its argument thousands, in the shell: CPU time grows with it.
WORK = ("sh", "-c", "n=$(($1 * 4000)); while [ $n -gt 0 ]; do n=$((n - 1)); done", "sh")


def check_tune(bench):
    found = bench.json("tune", "--set=N=1..16*4", "--by=cpu", "--seed=1", "--", *WORK, "{N}")
    assert found["best"] == "N=1" and [row["values"] for row in found["settings"]] == [["1"], ["4"], ["16"]], found
    assert found["settings"][0]["verdict"] == "same" and found["settings"][2]["verdict"] == "slower", found
    assert found["runs"] <= 30 and found["settings"][2]["runs"] < 10, found
    two = bench.json("tune", "--set=N=8,1", "--set=M=0..1", "--by=cpu", "-n", "3", "--", *WORK, "{N}", "{M}")
    assert [row["setting"] for row in two["settings"]] == ["N=8 M=0", "N=8 M=1", "N=1 M=0", "N=1 M=1"] and two["best"].startswith("N=1"), two
    check_keys("prof tune", found, two)
    table = bench.run("tune", "--set=N=1,8", "--by=cpu", "-n", "3", "--", *WORK, "{N}")
    assert table.startswith("best by CPU time: N=1, after") and "#" in table, table
    for words, message in ((["--set=N=1..3", "--", "true"], "{N}"), (["--", "true"], "nothing to choose"), (["--set=N=3..1", "--", "true", "{N}"], "range"),
                           (["--set=N=1..8*1", "--", "true", "{N}"], "range"), (["--set=N=1..999", "--", "true", "{N}"], "256"),
                           (["--set=N", "--", "true", "{N}"], "can't be used"), (["--set=N=5", "--", "true", "{N}"], "nothing to choose"),
                           (["--set=N=1..20", "--set=M=1..20", "--", "true", "{N}", "{M}"], "256"), (["--set=N=1,2"], "which command")):
        said = bench.run("tune", *words, status=2)
        assert message in said, (words, said)
    failed = bench.run("tune", "--set=N=0,1", "-n", "3", "--", "sh", "-c", "exit {N}", status=1)
    assert "N=1 ended with status 1" in failed, failed


def check_log(bench):
    assert "no ledger" in bench.run("log", status=1)
    bench.make_runs("old", 4, 1)
    bench.make_runs("new", 4, 2, work_3=1.5)
    bench.run("diff", "old.?", "new.?", "--note=a\ttitle\x1b[31m")
    bench.run("compare", "-n", "1", "-r", "0", "--warm-up=0", "--note=nothing", "--", "true", "--", "true")
    with open(bench.folder / "prof.log", "a", encoding="utf-8") as file:
        file.write("a line of mine\n")
    log = bench.json("log")
    first, second = log["entries"]
    assert first["command"] == "diff" and first["row"].startswith("work_3 +"), first
    assert first["title"] == "a title\\x1b[31m" and first["old"] == "old.0" and first["ratio"] is not None, first
    assert (second["title"], second["verdict"], second["old"], second["low"]) == ("nothing", "unknown", "true", None), second
    check_keys("prof log", log)
    table = bench.run("log")
    assert "a title" in table and "1 line has other fields" in table, table


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        check_tune(bench)
        check_log(bench)
    return 0


sys.exit(main())
