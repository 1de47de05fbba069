#!/usr/bin/env python3
"""`prof record --io` and `prof queries`: see README.md."""
import re
import shutil
import subprocess
import sys
import tempfile

from bench import HERE, Bench


def lines(bench):
    """Each row stands at the line that ran its statement."""
    text = (HERE / "queries.c").read_text().splitlines()
    for row in bench.read("queries")["queries"]:
        line = text[row["line"] - 1]
        bench.equal(f"{row['statement']} in line {row['line']}", bool(re.search(r"sqlite3_(step|exec|prepare|get_table)|PQ\w+\(", line)), True)


def main():
    if subprocess.run(["pkg-config", "--exists", "sqlite3"], check=False).returncode != 0:
        print("libsqlite3-dev is missing")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        shutil.copy(HERE / "queries.c", folder)
        double = bench.build("libpq.c", "libpq.so.5", "-shared", "-fPIC", "-Wl,-soname,libpq.so.5", plugin=False)
        program = bench.build("queries.c", "queries", double, "-lsqlite3", f"-Wl,-rpath,{folder}")
        done = bench.record(program, options=("--io",))
        wants = re.findall(r"^want (\S+) (\d+) (\d+) (\d+) (\d+) (.*)$", done.stdout, re.M)
        bench.equal("wants", len(wants), 10)
        rows = bench.read("queries", "--by=statement")["queries"]
        got = {(row["library"], row["statement"]): tuple(row[key] for key in ("calls", "failed", "rows", "prepared")) for row in rows}
        for library, *figures, statement in wants:
            bench.equal(f"{library}: {statement}", got.pop((library, statement), None), tuple(map(int, figures)))
        bench.equal("one that can't be prepared", got, {("sqlite", ""): (0, 0, 0, 1)})
        for row in rows:
            bench.equal(f"times of {row}", row["p50_ns"] <= row["p99_ns"] <= row["max_ns"] <= row["wait_ns"], True)
        lines(bench)
        deep = {tuple(row["path"]) for row in bench.read("queries", "--paths")["queries"] if "find" in row["path"]}
        bench.equal("by two paths", deep, {("main", "sqlite", "find"), ("main", "sqlite", "visit", "find")})
        bench.record(program, options=("--memory",))
        bench.equal("none without --io", bench.run(bench.prof, "queries", "-i", "data").returncode, 1)
        return bench.end("statements are as the program ran them")


sys.exit(main())
