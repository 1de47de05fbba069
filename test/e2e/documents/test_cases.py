#!/usr/bin/env python3
"""test_cases.py --prof PROF - SQLite and redis of the tutorial's case studies: prof shows what to change, and that it is gone then."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

COMMANDS, ORDERS = 1000, 3000


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
        check_sqlite(bench)
        check_redis(bench)
    return 0


sys.exit(main())
