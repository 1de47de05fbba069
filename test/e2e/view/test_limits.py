#!/usr/bin/env python3
"""Recordings that don't fit: what is left out is counted, and the rest adds up; and what prof view says when it can't."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from page import Page
from recordings import Bench

MOST_BYTES = 15_000_000


def check_sums(page, bench, name):
    """All calls are in lanes or cells, thread by thread, with the time that they took."""
    left = page.of["meta"]["left_out"]
    assert left["resolution_ns"] == 1 << page.shift and left["merged_calls"] > 0, left
    calls = {}
    merged = 0
    for lane in page.lanes:
        if lane["kind"] == 0:
            calls[lane["thread"]] = calls.get(lane["thread"], 0) + len(lane["calls"]) + sum(cell[2] for cell in lane["cells"])
            merged += sum(cell[2] for cell in lane["cells"])
            assert all(length >= 1 << page.shift for _, length, _, _ in lane["calls"])
    assert merged == left["merged_calls"], (merged, left)
    rows = json.loads(bench.prof("report", "-i", name, "--by=thread", "--format=json"))["threads"]
    tids = page.of["threads"]["tid"]
    assert {tids[thread]: count for thread, count in calls.items()} == {row["tid"]: row["calls"] for row in rows}


def check_large(bench):
    """4 million calls in 6 threads."""
    bench.make("vast", "--events=8000000", "--threads=6", "--functions=300", "--jitter=3")
    bench.prof("view", "-i", "vast", "-o", "vast.html")
    html = (bench.folder / "vast.html").read_bytes()
    assert len(html) <= MOST_BYTES, len(html)
    page = Page(html)
    check_sums(page, bench, "vast")
    tree = page.rows("tree")
    assert len(tree) <= 60000
    # what is left out of the tree is small: the rows have nearly all of the time
    own = sum(row["self_ns"] for row in tree)
    assert own > 0.5 * page.of["meta"]["cover"]["inside_ns"], own


def check_names(bench):
    """A name of 70,000 bytes is cut, and counted."""
    long = "x" * 70000
    bench.make_texts(long=f"function {long} file=a.c\nthread t\nt +1 enter {long}\nt +10 exit {long}\n")
    page = Page(bench.prof("view", "-i", "long", "-o", "-"))
    assert page.of["meta"]["left_out"]["long_names"] > 0
    assert max(map(len, page.frames["name"])) == 1024, max(map(len, page.frames["name"]))


def check_deep(bench):
    """Calls below 256 levels are counted; all others are there."""
    enters = "\n".join("t +1 enter f caller=f" for _ in range(300))
    exits = "\n".join("t +1 exit f" for _ in range(300))
    bench.make_texts(deep=f"function f file=a.c\nthread t\n{enters}\n{exits}\n")
    page = Page(bench.prof("view", "-i", "deep", "-o", "-"))
    assert page.of["meta"]["left_out"]["deep_calls"] == 44, page.of["meta"]["left_out"]
    assert len([lane for lane in page.lanes if lane["kind"] == 0]) == 256


def check_many(bench):
    """50,000 functions, 2,000 threads, 5,000 processes, recursion of 10^6: all calls of the recording are in the page's figures."""
    bench.make("functions", "--events=1000000", "--functions=50000", "--jitter=3")
    bench.make("threads", "--events=100000", "--threads=2000", "--functions=50", "--jitter=3")
    calls = "".join(f"p{i} +{i + 1} enter main\np{i} +90 exit main\n" for i in range(1, 5001))
    processes = "".join(f"process {i}\nthread p{i} process={i}\n" for i in range(1, 5001))
    bench.make_texts(processes=f"module /bin/x\nfunction main file=x.c line=1\n{processes}{calls}",
                     recursion="module /bin/x\nfunction f file=x.c line=1\nthread t\n" + "t +1 enter f\n" * 10**6 + "t +1 exit f\n" * 10**6)
    for name, table, rows in (("functions", "threads", 1), ("threads", "threads", 2000), ("processes", "processes", 5000), ("recursion", "threads", 1)):
        html = bench.prof("view", "-i", name, "-o", "-")
        assert len(html) <= MOST_BYTES, (name, len(html))
        page = Page(html)
        report = json.loads(bench.prof("report", "-i", name, "--format=json"))
        assert page.of["meta"]["cover"]["calls"] == report["cover"]["calls"] > 0, name
        assert len(page.rows(table)) == rows, (name, len(page.rows(table)))


def check_messages(bench):
    def fails(status, words, *arguments):
        run = subprocess.run([bench.prof_path, "view", *arguments], cwd=bench.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert run.returncode == status and words.encode() in run.stderr, (arguments, run)
        return run
    fails(2, "view writes HTML only", "-i", "two_threads", "--format=json")
    fails(1, "nowhere", "-i", "nowhere")
    fails(1, "no-such-folder", "-i", "two_threads", "-o", "no-such-folder/report.html")
    fails(1, "/dev/full", "-i", "two_threads", "-o", "/dev/full")
    run = subprocess.run([bench.prof_path, "view", "-i", "two_threads", "-o", "short.html"], cwd=bench.folder, stderr=subprocess.PIPE)
    assert b"prof: wrote short.html (" in run.stderr, run.stderr
    # prof loads the server's library only now; it may be gone since it was built.
    (bench.folder / "none").mkdir()
    (bench.folder / "none/libmicrohttpd.so.12").write_bytes(b"")
    run = subprocess.run([bench.prof_path, "view", "-i", "two_threads"], cwd=bench.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         env={**os.environ, "LD_LIBRARY_PATH": str(bench.folder / "none")}, timeout=60)
    assert run.returncode == 1 and b"libmicrohttpd" in run.stderr and b"-o report.html" in run.stderr, run


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        run = subprocess.run([bench.prof_path, "view", "-i", "two_threads", "-o", "-"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if b"without the page" in run.stderr:
            print("skipped: this prof was built without the page (apt-get install esbuild node-preact node-prismjs)")
            return 77
        check_large(bench)
        check_names(bench)
        check_deep(bench)
        check_many(bench)
        check_messages(bench)
    return 0


sys.exit(main())
