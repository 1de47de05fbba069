#!/usr/bin/env python3
"""test_cases.py --prof PROF - LIBSVM, SQLite and redis of the tutorial's case studies: prof shows what to change, and that it is gone then."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

COMMANDS, ORDERS, ROWS = 1000, 3000, 600
CASES = programs.ROOT / "docs" / "examples" / "cases"


class Bench:
    def __init__(self, prof, folder):
        self.prof, self.folder = prof, folder
        self.compiler = programs.default_compiler()
        self.flags = ["-g", "-O1", *programs.plugin_flags(prof, self.compiler)]

    def build(self, name):
        return programs.build(name, "case", self.compiler, self.flags, self.folder)

    def run(self, *command, text=""):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def read(self, *command):
        return json.loads(self.run(self.prof, *command, "--format=json"))


def check_sqlite(bench):
    orders = bench.build("orders")
    calls = {}
    for side, words in (("texts", []), ("prepared", ["prepared"])):
        bench.run(bench.prof, "record", "-o", side, orders, ORDERS, *words)
        rows = {row["name"]: row for row in bench.read("report", "-i", side, "-n", "0")["functions"]}
        calls[side] = {name: row["calls"] for name, row in rows.items()}
    assert calls["texts"]["sqlite3LockAndPrepare"] >= ORDERS > 100 > calls["prepared"]["sqlite3LockAndPrepare"], calls
    assert calls["prepared"]["sqlite3_step"] >= ORDERS, calls["prepared"]["sqlite3_step"]


def dense(text):
    """svm.cpp with the three lines of the document."""
    for place, line in ((r'#include "svm\.h"\n', '#include "dense_rows.h"\n'), (r"^Kernel::Kernel\([^{]*\{", "rows_of_numbers.take(l, x_);"),
                        (r"^double Kernel::dot\([^{]*\{", "if (rows_of_numbers.count) return rows_of_numbers.product(px, py);")):
        text, count = re.subn(place, lambda found, line=line: found[0] + line, text, count=1, flags=re.M)
        assert count == 1, place
    return text


def check_svm(bench):
    fetched = subprocess.run([programs.ROOT / "scripts" / "fetch-source.sh", "libsvm", "bookworm"], capture_output=True, text=True, check=False)
    if fetched.returncode or "gcc" not in bench.compiler:
        print("LIBSVM was left out: no source, or no GCC for remarks")
        return
    source = pathlib.Path(fetched.stdout.strip())
    (bench.folder / "data.txt").write_text(bench.run(sys.executable, CASES / "numbers.py", ROWS))
    hot, vectors = {}, {}
    for side, change in (("pairs", str), ("dense", dense)):
        folder = bench.folder / side
        folder.mkdir()
        (folder / "svm.cpp").write_text(change((source / "svm.cpp").read_text()))
        bench.run(bench.compiler.replace("gcc", "g++"), *bench.flags, "-O3", f"-I{source}", f"-I{CASES}", f"-fopt-info-vec-missed={folder}/remarks",
                  source / "svm-train.c", folder / "svm.cpp", "-o", folder / "train")
        bench.run(bench.prof, "record", "--sample=4000", "-o", folder / "data", folder / "train", "-q", "data.txt", folder / "model")
        found = bench.read("advise", "-i", folder / "data", f"--remarks={folder}/remarks")
        hot[side] = [loop for loop in found["hot_loops"] if "Kernel::kernel_rbf" in loop["function"]]
        vectors[side] = re.search(r"^total_sv .*", (folder / "model").read_text(), re.M)[0]
    assert len(hot["pairs"]) == 1 and hot["pairs"][0]["share"] > 0.3 and not hot["dense"], hot
    line = (source / "svm.cpp").read_text().splitlines()[hot["pairs"][0]["line"] - 1]
    assert "while" in line and vectors["pairs"] == vectors["dense"], (line, vectors)


def kinds(bench, name):
    """Also of small shares: how long a server takes to answer is up to the machine."""
    return [row["kind"] for row in bench.read("advise", "-i", name, "--min-share=0.5%", "--min-gain=0.1%")["advice"]]


def check_redis(bench):
    server = bench.build("redis")
    client = pathlib.Path(f"{server}.objects") / "src" / "redis-cli"
    path = bench.folder / "socket"
    text = "".join(f"SET key:{number} value:{number}\n" for number in range(COMMANDS))
    with subprocess.Popen([server, "--port", "0", "--unixsocket", path, "--save", ""], cwd=bench.folder, stdout=subprocess.DEVNULL) as running:
        try:
            for _ in range(600):
                if path.exists():
                    break
                time.sleep(0.1)
            for side, words in (("turns", []), ("pipe", ["--pipe"])):
                bench.run(bench.prof, "record", "--locks", "--io", "-o", side, client, "-s", path, *words, text=text)
        finally:
            running.terminate()
    assert "requests-in-turn" in kinds(bench, "turns"), bench.read("advise", "-i", "turns")
    assert "requests-in-turn" not in kinds(bench, "pipe"), bench.read("advise", "-i", "pipe")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True, type=lambda path: pathlib.Path(path).resolve())
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(parser.parse_args().prof, pathlib.Path(folder))
        check_svm(bench)
        check_sqlite(bench)
        check_redis(bench)
    return 0


sys.exit(main())
