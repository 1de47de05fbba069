#!/usr/bin/env python3
"""--live: a recording that grows under the server, and ends.  It is played by this test: bytes of a whole one, and the writer's lock."""
import fcntl
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "export"))
from recordings import Bench, programs
from server import NO_SERVER, Server

SKIPPED = 77
TRIES = 6000
HEAD = 200  # bytes: a header, and no calls


RUNS = """
#include <unistd.h>
__attribute__((noinline)) int step(int i) { return i * 3 + 1; }
int main(int argc, char **argv) {
  int sum = 0;
  while (argc < 2 || access(argv[1], F_OK)) {
    for (int i = 0; i < 1000; i++)
      sum += step(i);
    usleep(1000);
  }
  return sum == 1;
}
"""


class Growing:
    """A recording that its recorder still writes."""

    def __init__(self, bench, name, whole):
        (bench.folder / name).mkdir()
        self.whole, self.at = whole, 0
        self.file = open(bench.folder / name / "trace", "wb")
        fcntl.lockf(self.file, fcntl.LOCK_EX)

    def grow(self, part):
        end = max(HEAD, int(len(self.whole) * part))
        self.file.write(self.whole[self.at:end])
        self.file.flush()
        self.at = end

    def end(self):
        self.grow(1)
        self.file.close()


def wait_for(server, what, condition):
    for _ in range(TRIES):
        progress = server.progress()
        if condition(progress):
            return progress
        time.sleep(0.05)
    sys.exit(f"waited in vain for {what}: {progress}")


def calls(bench, name):
    run = subprocess.run([bench.prof_path, "report", "-i", name, "--format=json"], cwd=bench.folder, capture_output=True, check=True)
    return json.loads(run.stdout)["cover"]["calls"]


def check_growing(bench, whole):
    growing = Growing(bench, "growing", whole)
    growing.grow(0.4)
    with Server(bench.prof_path, "-i", "growing", "--live", folder=bench.folder) as server:
        first = server.progress()
        assert first["live"] and first["in_progress"] and not first["empty"] and first["data_age_ns"] > 0, first
        seen = server.data()["meta"]["cover"]["calls"]
        assert seen == calls(bench, "growing") > 0, seen
        later = server.progress()["data_age_ns"]
        assert later > first["data_age_ns"] or server.progress()["reading"] > first["reading"], (first, later)
        growing.grow(0.8)
        expected = calls(bench, "growing")
        assert expected > seen
        while True:  # a reading may have begun before the file had grown
            progress = wait_for(server, "a new reading", lambda progress: progress["reading"] > server.reading)
            old, data = server.reading, server.data()
            if data["meta"]["cover"]["calls"] == expected:
                break
        assert server.request(f"data?g={old}").status == 409 or server.reading == old, progress
        assert "in progress" in data["meta"]["warning"], data["meta"]["warning"]
        growing.end()
        wait_for(server, "the end", lambda progress: not progress["in_progress"])
        data = server.data()
        assert data["meta"]["cover"]["calls"] == calls(bench, "growing") > expected and data["meta"]["warning"] == "", data["meta"]
        last = server.progress()
        assert last["data_age_ns"] == 0 and not last["in_progress"], last
        time.sleep(1.5)  # an ended recording is not read again
        assert server.progress()["reading"] == last["reading"]


def check_begins_empty(bench, whole):
    growing = Growing(bench, "begun", whole)
    growing.grow(0)
    refused = Server(bench.prof_path, "-i", "begun", folder=bench.folder)
    assert refused.address == "" and refused.process.returncode == 1 and refused.messages.startswith(b"prof: "), refused.messages
    with Server(bench.prof_path, "-i", "begun", "--live", folder=bench.folder) as server:
        progress = server.progress()
        assert progress["empty"] and progress["in_progress"], progress
        for path in ("data?g=1", "view?g=1&t0=0&t1=9&px=9", "range?g=1&t0=0&t1=9", "source?g=1&file=0"):
            answer = server.request(path)
            assert answer.status == 404 and b"no calls yet" in answer.body, (path, answer.status, answer.body)
        assert server.request("").status == 200
        growing.grow(0.5)
        wait_for(server, "calls", lambda progress: not progress["empty"])
        assert server.data()["meta"]["cover"]["calls"] > 0
        growing.end()


def check_killed(bench, whole):
    """The recorder dies: the recording ends without an end."""
    growing = Growing(bench, "killed", whole)
    growing.grow(0.5)
    with Server(bench.prof_path, "-i", "killed", "--live", folder=bench.folder) as server:
        assert server.progress()["in_progress"]
        growing.file.close()
        wait_for(server, "the end", lambda progress: not progress["in_progress"])
        assert "cut short" in server.data()["meta"]["warning"]


def check_not_live(bench, whole):
    """Without --live the recording stays as it was."""
    growing = Growing(bench, "still", whole)
    growing.grow(0.5)
    with Server(bench.prof_path, "-i", "still", folder=bench.folder) as server:
        before = server.data()["meta"]["cover"]["calls"]
        growing.end()
        time.sleep(1.5)
        progress = server.progress()
        assert progress["reading"] == 1 and not progress["live"], progress
        assert server.data()["meta"]["cover"]["calls"] == before


def check_recorder(bench):
    """A real recorder: the page's figures grow while the program runs, and are those of prof report when it has ended."""
    compiler = subprocess.run([programs.ROOT / "scripts" / "compiler.sh"], capture_output=True, text=True, check=False).stdout.strip()
    flags = subprocess.run([bench.prof_path, "config", "--cflags", f"--compiler={compiler}"], capture_output=True, text=True, check=False)
    if not compiler or flags.returncode:
        print("without a recorder: this build has no plugin for a compiler that is here")
        return
    (bench.folder / "runs.c").write_text(RUNS)
    subprocess.run([compiler, "-O1", *shlex.split(flags.stdout), "runs.c", "-o", "runs"], cwd=bench.folder, check=True)
    recorder = subprocess.Popen([bench.prof_path, "record", "-o", "real", "./runs", "stop"], cwd=bench.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (bench.folder / "real" / "trace").exists():
        assert recorder.poll() is None, recorder.stderr.read()
        time.sleep(0.02)
    while (bench.folder / "real" / "trace").stat().st_size < HEAD:
        assert recorder.poll() is None, recorder.stderr.read()
        time.sleep(0.02)
    with Server(bench.prof_path, "-i", "real", "--live", folder=bench.folder) as server:
        wait_for(server, "calls", lambda progress: progress["in_progress"] and not progress["empty"])
        first = server.data()["meta"]["cover"]["calls"]
        second = first
        while second == first:  # a reading may be over before the recorder has written more calls
            wait_for(server, "a new reading", lambda progress: progress["in_progress"] and progress["reading"] > server.reading)
            second = server.data()["meta"]["cover"]["calls"]
        assert second > first > 0, (first, second)
        (bench.folder / "stop").write_text("")
        assert recorder.wait(timeout=600) == 0, recorder.stderr.read()
        wait_for(server, "the end", lambda progress: not progress["in_progress"])
        data = server.data()
    assert data["meta"]["cover"]["calls"] == calls(bench, "real") > second and data["meta"]["warning"] == "", data["meta"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        with_server = Server(bench.prof_path, "-i", "two_threads", folder=bench.folder)
        if not with_server.address:
            assert NO_SERVER in with_server.messages or b"without the page" in with_server.messages, with_server.messages
            print("skipped: this prof was built without the page or without libmicrohttpd")
            return SKIPPED
        with with_server:
            pass
        bench.make("many", "--events=900000", "--threads=2", "--functions=50", "--jitter=3")
        whole = (bench.folder / "many" / "trace").read_bytes()
        check_recorder(bench)
        check_growing(bench, whole)
        check_begins_empty(bench, whole)
        check_killed(bench, whole)
        check_not_live(bench, whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
