#!/usr/bin/env python3
"""`prof compare`: which of two commands is faster, in which function, and what it reports if commands fail or hang."""
import subprocess
import sys
import tempfile

from runs import Bench, check_keys
import programs

SOURCE = r"""
__attribute__((noinline)) static unsigned same(unsigned x) { for (long n = 3000000; n--;) { x = x * 3 + 1; __asm__ volatile("" : "+r"(x)); } return x; }
__attribute__((noinline)) static unsigned slow(unsigned x) { for (long n = 2000000 * SLOWER; n--;) { x = x * 5 + 1; __asm__ volatile("" : "+r"(x)); } return x; }
int main(void) { return (same(1) + slow(2)) == 7; }
"""


def build(bench, compiler, name, slower, flags):
    (bench.folder / "two.c").write_text(SOURCE)
    subprocess.run([compiler, "-g", "-O1", f"-DSLOWER={slower}", *flags, "two.c", "-o", name], cwd=bench.folder, check=True)


def check_faults(bench):
    failed = bench.run("compare", "--", "sh", "-c", "exit 3", "--", "true", status=1)
    assert "OLD ended with status 3" in failed, failed
    killed = bench.run("compare", "--", "true", "--", "sh", "-c", "kill -9 $$", status=1)
    assert "NEW was killed by signal 9" in killed, killed
    for limit in ("200ms", "3s", "60s"):  # `true` needs less, if the machine lets it
        hung = bench.run("compare", f"--timeout={limit}", "--", "true", "--", "sleep", "600", status=1)
        if "OLD was ended" not in hung:
            break
    assert "NEW was ended" in hung and "--timeout" in hung, hung
    missing = bench.run("compare", "--", "true", "--", "./absent", status=1)
    assert "absent" in missing, missing
    for words in (["true"], ["true", "--"], ["--"]):
        wrong = bench.run("compare", "--", *words, status=2)
        assert "two commands" in wrong, wrong
    kept = bench.run("compare", "-n", "1", "--warm-up=0", "--keep=.", "--", "true", "--", "true", status=2)
    assert "--keep" in kept, kept


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        compiler = programs.compiler_or_skip(prof=bench.prof_path)
        flags = programs.plugin_flags(bench.prof_path, compiler)
        check_faults(bench)
        for name, slower, of in (("a", 1, flags), ("b", 40, flags), ("plain", 1, [])):
            build(bench, compiler, name, slower, of)
        found = bench.json("compare", "-n", "6", "-r", "3", "--seed=1", "--keep=kept", "--", "./a", "--", "./b")
        assert found["verdict"] == "slower" and found["low"] > 1.01 and found["stopped"] == "limit", found
        assert found["pairs"] == len(found["old"]["cpu_ns"]) == 6 and found["new"]["command"] == "./b", found
        assert "lowest_frequency" in found["machine"], found["machine"]
        first = [row for row in found["diff"]["rows"] if row["kind"] == "function"][0]
        assert (first["name"], first["verdict"]) == ("slow", "slower"), found["diff"]
        check_keys("prof compare", {key: value for key, value in found.items() if key != "diff"}, {"diff": 0})
        assert {path.name for path in (bench.folder / "kept").iterdir()} == {f"{side}.{i}" for side in ("old", "new") for i in range(3)}
        table = bench.run("compare", "-n", "6", "-r", "1", "--", "./b", "--", "./a")
        assert table.startswith("faster: CPU time -") and "elapsed" in table and "3 or more a side" in table, table
        few = bench.json("compare", "-n", "2", "-r", "0", "--", "./a", "--", "./a")
        assert few["verdict"] == "unknown" and few["low"] is None and "diff" not in few, few
        few = bench.run("compare", "-n", "3", "-r", "0", "--", "./a", "--", "./a")
        assert "too few for an interval" in few and "times" not in few, few
        whole = bench.run("compare", "-n", "2", "-r", "1", "--", "./plain", "--", "./a")
        assert "no functions" in whole, whole
    return 0


sys.exit(main())
