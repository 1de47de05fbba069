#!/usr/bin/env python3
"""Two builds of a program: what is slower, new and gone is named in each form of `prof flame --against`."""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from recordings import Bench  # noqa: E402
import programs  # noqa: E402

# `slow` does twenty times the work in the second build; `old` is in the first one only, `fresh` in the second one only.
SOURCE = r"""
#include <cstdio>
template <class T> __attribute__((noinline)) T spin(long n, T x) { while (n--) x = x * 3 + (T)n; return x; }
__attribute__((noinline)) static unsigned same(unsigned x) { return spin(400000l, x) + 1; }
__attribute__((noinline)) static unsigned slow(unsigned x) { return spin((long)(100000 * SLOWER), x) + 1; }
__attribute__((noinline)) static unsigned CHANGED(unsigned x) { return (unsigned)spin(200000l, (TYPE)x) + 1; }
int main() { unsigned x = 1; for (int i = 0; i < 20; i++) x += same(x) + slow(x) + CHANGED(x); return std::printf("%u\n", x) < 0; }
"""


def record(bench, compiler, name, *defines):
    program = bench.folder / name
    (bench.folder / "two.cc").write_text(SOURCE)
    subprocess.run([compiler, "-g", "-O1", *defines, *programs.plugin_flags(bench.prof_path, compiler), bench.folder / "two.cc", "-o", program],
                   check=True)
    subprocess.run([bench.prof_path, "record", "-o", f"{name}.data", program], cwd=bench.folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def by_name(nodes):
    return {node["name"].split("(")[0].split("<")[0].split(" ")[-1]: node for node in nodes}


def check_json(bench, *arguments):
    found = json.loads(bench.prof("flame", "-i", "new.data", "--against=old.data", "--format=json", *arguments))
    main = by_name(found["roots"])["main"]
    below = by_name(main["children"])
    assert {name: node["in"] for name, node in below.items()} == {"same": "both", "slow": "both", "old": "before", "fresh": "after"}, below
    if "--time=elapsed" not in arguments:  # which has what other programs took
        assert below["slow"]["after_share"] > 2 * below["slow"]["before_share"] and below["slow"]["change"] > 0.5, below["slow"]
    assert below["old"]["change"] == -1 and below["fresh"]["change"] == 1
    # Instances of a template are one function.
    for name in ("same", "slow"):
        spin = below[name]["children"]
        assert len(spin) == 1 and spin[0]["in"] == "both", spin
    for side in ("before", "after"):
        whole = sum(node[side] for node in found["roots"])
        assert abs(whole - found[side]["total"]) < 1e-6 * whole, found[side]
    return found


def check_folded(bench):
    text = bench.prof("flame", "-i", "new.data", "--against=old.data", "--format=folded").decode()
    rows = {line.rsplit(" ", 2)[0]: tuple(map(int, line.rsplit(" ", 2)[1:])) for line in text.splitlines()}
    olds = [pair for path, pair in rows.items() if "old(" in path]
    news = [pair for path, pair in rows.items() if "fresh(" in path]
    assert olds and all(after == 0 for _, after in olds) and news and all(before == 0 for before, _ in news), rows
    # Its two columns, each alone, are profiles that differ in nothing from the recordings.
    for column, recording in ((0, "old.data"), (1, "new.data")):
        path = bench.folder / "column.folded"
        path.write_text("".join(f"{stack} {pair[column]}\n" for stack, pair in rows.items() if pair[column]))
        found = json.loads(bench.prof("flame", "-i", recording, f"--against={path}", "--format=json"))
        assert found["before"]["total"] == found["after"]["total"] and all(node["change"] == 0 for node in found["roots"]), found


def check_picture(bench):
    picture = bench.prof("flame", "-i", "new.data", "--against=old.data")
    svg = tree.fromstring(picture)
    titles = [each.text for each in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert any(title.startswith("old(") and title.endswith("only in old.data") for title in titles), titles
    assert any(title.startswith("fresh(") and title.endswith("only in new.data") for title in titles), titles
    assert any(title.startswith("[only before]\n") for title in titles), titles
    assert b'id="legend"' in picture


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        try:
            compiler = programs.default_compiler().replace("gcc", "g++").replace("clang", "clang++")
            programs.plugin_flags(bench.prof_path, compiler)
        except (SystemExit, RuntimeError) as error:
            programs.skip(str(error))
        record(bench, compiler, "old", "-DSLOWER=1", "-DCHANGED=old", "-DTYPE=unsigned")
        record(bench, compiler, "new", "-DSLOWER=20", "-DCHANGED=fresh", "-DTYPE=int")
        check_json(bench)
        times = check_json(bench, "--time=elapsed", "--absolute")
        assert times["compared"] == "time"
        check_folded(bench)
        check_picture(bench)
        print("two builds compared")


sys.exit(main())
