#!/usr/bin/env python3
"""test_budget.py --prof PROF --compiler COMPILER --rows BURST_ROWS - recordings with a budget, see README.md."""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import programs  # noqa: E402
import slices  # noqa: E402

STATUS, COARSE, TINY, TURNS, LEVELS = 3, 12000, 20000, 30000, 12
INCLUDE = HERE.parents[2] / "include"
TRIES = 10  # of what needs the recorder to run while the program does
faults = []


def expect(what, good, shown=""):
    if not good:
        faults.append(f"{what}: {shown!r}")


def limit_files(most_bytes):
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    if most_bytes != resource.RLIM_INFINITY and (hard == resource.RLIM_INFINITY or hard > most_bytes):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))


class Bench:
    def __init__(self, options, folder):
        self.prof, self.rows, self.folder = pathlib.Path(options.prof).resolve(), options.rows, folder
        flags = programs.plugin_flags(options.prof, options.compiler)
        self.library = self.build(options.compiler, "libplug.so", flags, "plug.c", "-O2", "-fPIC", "-shared")
        self.plain = self.build(options.compiler, "plain", [], "budget.c", "-O2")
        self.program = self.build(options.compiler, "budget", flags, "budget.c", "-O2")
        self.loops = self.build(options.compiler, "loops", flags, "dense_loops.c", "-O2")
        self.fixed = self.build(options.compiler, "fixed", flags, "budget.c", "-O1", "-no-pie")

    def build(self, compiler, name, flags, source, *more):
        command = [compiler, "-g", *more, *flags, f"-I{INCLUDE}", HERE / source, "-o", self.folder / name, "-pthread", "-ldl"]
        done = self.run(command)
        if done.returncode:
            sys.exit(f"{command}: {done.stderr}")
        return self.folder / name

    def run(self, command, most_bytes=resource.RLIM_INFINITY):
        variables = {key: value for key, value in os.environ.items() if not key.startswith(("PROF_", "CUDA_", "NVTX_"))}
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, check=False,
                              cwd=self.folder, stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C"},
                              preexec_fn=lambda: limit_files(most_bytes))

    def read(self):
        """Calls of functions, figures of prof info, and what burst_rows finds."""
        report = self.run([self.prof, "report", "-i", "data", "-n", "0", "--format=json"])
        info = self.run([self.prof, "info", "-i", "data", "--format=json"])
        rows = self.run([self.rows, self.folder / "data"])
        expect("readers", report.returncode == info.returncode == rows.returncode == 0, (report.stderr, info.stderr, rows.stderr))
        self.functions = {row["name"]: row for row in json.loads(report.stdout or "{}").get("functions", [])}
        calls = {name: row["calls"] for name, row in self.functions.items()}
        return calls, json.loads(info.stdout or "{}"), json.loads(rows.stdout or "{}")

    def record(self, word, *more, program=None, options=("--overhead=5%",)):
        """As without us: output and status."""
        program = program or self.program
        plain = self.run([self.plain, word, *more])
        done = self.run([self.prof, "record", "-o", "data", *options, program, word, *more])
        expect(f"{word}: status", done.returncode == plain.returncode == STATUS, (done.returncode, plain.returncode, done.stderr))
        expect(f"{word}: output", done.stdout == plain.stdout, (done.stdout, plain.stdout))
        self.said = done.stderr
        return self.read()


def is_exact(row, count):
    return row.get("calls_low") == row.get("calls") == row.get("calls_high") == count


def holds(row, count):
    low, high = row.get("calls_low", 0), row.get("calls_high")
    return low <= count and (high is None or count <= high)


def check_dense(bench, word, *more, coarse="coarse", program=None, dense=None, count=COARSE):
    """Calls of coarse functions are exact.  A recorder that gets hardly any processor saves its own time by recording fewer
    functions so: then the interval says it, and the next try has to be exact."""
    for _ in range(TRIES):
        calls, info, rows = bench.record(word, *more, program=program)
        row = bench.functions.get(coarse, {})
        expect(f"{word}: {coarse} calls are in their interval", holds(row, count), row)
        expect(f"{word}: few events", 0 < info.get("events", 0) < count * TINY / 4, info.get("events"))
        expect(f"{word}: nothing lost", info.get("events_lost", info.get("lost", 0)) == 0, info)
        expect(f"{word}: states", rows.get("bursts", 0) > 0 and rows.get("faults") == 0, rows)
        if rows.get("windows", 0) > 0 and is_exact(row, count):
            break
    expect(f"{word}: {coarse} calls are exact", is_exact(row, count), row)
    expect(f"{word}: windows", rows.get("windows", 0) > 0, rows)
    expect(f"{word}: the closing line", "recorded in bursts" in bench.said and "(budget 5%)" in bench.said, bench.said)
    return rows


def check_lines(bench):
    """Estimated calls stand on the lines that made them."""
    source = (HERE / "budget.c").read_text(encoding="ascii").splitlines()
    done = bench.run([bench.prof, "lines", "-i", "data", "-n", "0", "--format=json"])
    rows = {row["line"]: row for row in json.loads(done.stdout or "{}").get("lines", []) if row["file"].endswith("budget.c")}
    for text in ("return tiny(x) ^ tiny(x + 1)", "x += small(x)"):
        row = rows.get(next(i for i, line in enumerate(source, 1) if text in line), {})
        expect(f"lines: {text}", row.get("calls", 0) > 0 and row.get("estimated") is True, row)
    exact = rows.get(next(i for i, line in enumerate(source, 1) if "x ^= coarse(x)" in line), {})
    expect("lines: calls of coarse", exact.get("calls") == COARSE, exact)


def check_loops(bench):
    """Loops in bursts have self times by samples: the one of much work has most of the function's."""
    source = (HERE / "dense_loops.c").read_text(encoding="ascii").splitlines()
    for longer in range(TRIES):  # until there are samples, and windows
        done = bench.run([bench.prof, "record", "-o", "data", "--overhead=5%", bench.loops, *["longer"] * longer])
        expect("loops: status", done.returncode == STATUS, done.stderr)
        found = json.loads(bench.run([bench.prof, "loops", "-i", "data", "-n", "0", "--format=json"]).stdout or "{}")
        by_line = {row["line"]: row for row in found.get("loops", [])}
        much, little = (by_line.get(next(i for i, line in enumerate(source, 1) if f"/* {word} */" in line), {}) for word in ("much", "little"))
        rows = [row.get("self_running_ns") or 0 for row in (much, little)]
        if all(row.get("self_running_ns") is not None for row in (much, little)) and rows[0] > 4 * rows[1]:
            break
    for row in (much, little):
        timed = row.get("estimated") and row["self_running_ns"] is not None
        expect("loops: in bursts, timed", timed and row["self_low_ns"] <= row["self_running_ns"] <= row["self_high_ns"], row)
    expect("loops: much and little", rows[0] > 4 * rows[1] and sum(rows) <= 1.001 * found["cover"]["inside_ns"], (rows, found))
    report = json.loads(bench.run([bench.prof, "report", "-i", "data", "--format=json"]).stdout or "{}")
    expect("loops: the hottest", report.get("hottest_loop", {}).get("line") == much.get("line"), report.get("hottest_loop"))


def check_one_answer(bench):
    """prof report, which tells places and loops apart, and the exported profile, which doesn't, show the same figures."""
    report, export = (json.loads(bench.run([bench.prof, *words, "-i", "data", "--format=json"]).stdout or "{}")
                      for words in (("report", "-n", "0"), ("export",)))
    exported = {row["name"]: row for row in export.get("functions", [])}
    for row in report.get("functions", []):
        other = exported.get(row["name"], {})
        bad = {key: (value, other[key]) for key, value in row.items() if isinstance(value, int) and key in other
               and abs((other[key] or 0) - value) > 2}
        expect(f"one answer: {row['name']}", other and not bad, bad)
        alone = row["calls"] == 1 and not row["estimated"]
        expect(f"{row['name']}: a single call took its total", not alone or abs(row["avg_ns"] - row["total_ns"]) <= 2, row)


def calls_by_level(node, name, above=0):
    """Pairs: how many calls of the function are around one of its nodes, and the node's calls."""
    inner = above + (node.get("name") == name)
    if inner > above:
        yield above, node["calls"]
    for child in node.get("children", []):
        yield from calls_by_level(child, name, inner)


def check_levels(bench):
    """Each level of a recursion has twice the calls of the one around it.  Most samples go through outer levels, which have few calls."""
    for _ in range(TRIES):
        bench.record("levels")
        tree = json.loads(bench.run([bench.prof, "tree", "-i", "data", "--min-share=0", "--format=json"]).stdout or "{}")
        by_level = collections.Counter()
        for level, calls in calls_by_level({"children": tree.get("roots", [])}, "levels"):
            by_level[level] += calls
        if by_level[LEVELS] > 2 * by_level[LEVELS - 4] > 0:  # true 16
            break
    expect("levels: inner ones have more calls", by_level[LEVELS] > 2 * by_level[LEVELS - 4] > 0, sorted(by_level.items()))
    shown = [row["calls"] for row in json.loads(bench.run([bench.prof, "report", "-i", "data", "-n", "0", "--format=json"]).stdout or "{}")
             .get("functions", []) if row["name"] == "levels"]
    expect("levels: nodes have the function's calls", shown and abs(sum(by_level.values()) - shown[0]) <= len(by_level), (by_level, shown))


def check_windows(bench):
    """On a busy machine the program may not run in any window of a short recording."""
    for _ in range(TRIES):
        rows = check_dense(bench, "plain")
        if rows.get("calls", 0) > 0 and rows["counted"] > 0:
            break
    if rows.get("calls", 0) > 0:
        check_lines(bench)
    expect("windows count calls without events", rows.get("counted", 0) > 0, rows)
    expect("windows count calls", rows.get("calls", 0) > 0 and rows["events"] >= rows["calls"], rows)


def check_jumps(bench):
    """Frames that longjmp left don't stay open, although the function in which it lands is in state burst."""
    bench.record("jumps")
    done = bench.run([bench.prof, "tree", "-i", "data", "--format=json", "-D", "20"])
    expect("jumps: thrower isn't below itself", done.stdout.count('"thrower"') <= 3, done.stdout[:2000])


def is_within(bench, name, calls):
    """Exactly so many, or, in state burst, within the interval: what records of switches cost may leave nothing for it."""
    done = bench.run([bench.prof, "report", "-i", "data", "-n", "0", "--format=json"])
    row = next((row for row in json.loads(done.stdout or "{}").get("functions", []) if row["name"] == name), {})
    if not row.get("estimated"):
        return row.get("calls") == calls
    return row["calls_low"] <= calls <= (row["calls_high"] or calls)


def check_switches(bench):
    """Threads that only wait for each other: samples and records of switches come in stretches.  A budget of 1% can't be kept
    even so, and a line says it."""
    for _ in range(TRIES):
        calls, info, rows = bench.record("turns")
        expect("turns: calls", is_within(bench, "tiny", TURNS), calls)
        switches = info.get("sampling", {}).get("method") == "perf_event"
        if not switches or rows.get("sparse", 0) > 0:
            break
    expect("turns: stretches", (rows.get("rates", 0) > 0) == switches, rows)
    expect("turns: switches in stretches", (rows.get("sparse", 0) > 0) == switches, rows)
    if switches:
        cover = json.loads(bench.run([bench.prof, "report", "-i", "data", "--format=json"]).stdout or "{}").get("cover", {})
        parts = sum(cover.get(f"{part}_ns", 0) for part in ("running", "waiting", "preempted"))
        expect("turns: waits are estimates", cover.get("waits_estimated"), cover)
        expect("turns: a time has three parts", parts == cover.get("inside_ns") and cover["waiting_ns"] > 0, cover)
        done = bench.run([bench.prof, "replay", "-i", "data", "--time=waiting"])
        expect("turns: no waits of single calls", done.returncode == 1 and "switched too often" in done.stderr, done)
    for _ in range(TRIES):
        bench.record("turns", options=("--overhead=1%",))
        if not switches or "recording when threads wait" in bench.said:
            break
    expect("turns: the closing line", ("recording when threads wait" in bench.said) == switches, bench.said)
    told = re.search(r"; overhead (?:up to )?about ([\d.]+)%(?: or more)? \(budget 1%\)$", bench.said, re.MULTILINE)
    expect("turns: at most what ran", told and float(told[1]) <= 100, bench.said)


def check_full(bench):
    for options in (("--overhead=full",), ("--full",), ("--overhead=5%", "--full")):
        calls, info, rows = bench.record("short", options=options)
        expect(f"{options}: all calls", calls.get("tiny") == 1 and rows["states"] == rows["windows"] == 0, (calls, rows))
        expect(f"{options}: no closing line", "in bursts" not in bench.said, bench.said)
    calls, info, rows = bench.record("short")
    expect("short: exact", calls.get("tiny") == 1 and rows["states"] == 0, (calls, rows))


def children(recorder):
    return pathlib.Path(f"/proc/{recorder.pid}/task/{recorder.pid}/children").read_text(encoding="ascii").split()


def has_begun(recorder, program):
    """Has the recorder started the program?"""
    for child in children(recorder):
        try:
            if os.readlink(f"/proc/{child}/exe") == str(program.resolve()):
                return True
        except OSError:  # it has ended
            pass
    return False


def check_kill(bench):
    command = [str(word) for word in (bench.prof, "record", "-o", "data", "--overhead=5%", bench.program, "ever")]
    with subprocess.Popen(command, cwd=bench.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as recorder:
        recorder.stdout.readline()
        time.sleep(0.5)  # in windows or not
        for child in children(recorder):
            os.kill(int(child), signal.SIGKILL)
        said = recorder.communicate(timeout=900)[1]
    expect("kill: status", recorder.returncode == -signal.SIGKILL, (recorder.returncode, said))
    calls, _, rows = bench.read()
    expect("kill: readable", calls.get("coarse", 0) > 0 and rows.get("faults") == 0, (calls, rows))


def check_recorder_kill(bench):
    """The program goes on when the recorder is gone, in a window or not."""
    command = [str(word) for word in (bench.prof, "record", "-o", "data", "--overhead=5%", bench.program, "plain")]
    with subprocess.Popen(command, cwd=bench.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as recorder:
        while recorder.poll() is None and not has_begun(recorder, bench.program):
            time.sleep(0.01)
        time.sleep(0.3)  # in a window or not
        recorder.kill()
        out = recorder.stdout.read()  # the program holds it until its end
        recorder.wait()
    expect("recorder's end: output", out == bench.run([bench.plain, "plain"]).stdout, out)


def check_private(bench):
    """A limit on file sizes leaves no room for texts: all calls are recorded, and a line says what it costs."""
    for mib in range(1100, 1400, 10):
        done = bench.run([bench.prof, "record", "-o", "data", "--overhead=5%", bench.program, "jumps"], most_bytes=mib << 20)
        if done.returncode == STATUS:
            break
    expect("private: status", done.returncode == STATUS, done.stderr)
    calls, _, rows = bench.read()
    expect("private: every call", calls.get("lander") == COARSE * 256 and rows.get("states") == 0, (calls, rows))
    expect("private: the closing line", "can't be kept" in done.stderr, done.stderr)


def check_filtered(bench):
    """Functions of other files are off for good; those that are recorded always stay exact."""
    for file, kept in (("plug.c", True), ("budget.c", False)):
        calls, _, rows = bench.record("libraries", bench.library, options=("--overhead=5%", f"--file={file}"))
        expect(f"--file={file}: functions", calls and all(name.startswith("plug_") == kept for name in calls), calls)
        expect(f"--file={file}: exact", not kept or calls.get("plug_coarse") == COARSE, calls)
        expect(f"--file={file}: states", rows.get("faults") == 0, rows)


def check_messages(bench):
    for value, words in (("0%", "can't be kept"), ("500%", "is no budget"), ("60%", "can't be kept"), ("5", "is no budget"),
                         ("much", "is no budget"), ("", "")):
        done = bench.run([bench.prof, "record", "-o", "bad", f"--overhead={value}", bench.program, "short"])
        expect(f"--overhead={value}", done.returncode == 2 and words in done.stderr and done.stdout == "", done.stderr)
    expect("no folder", not (bench.folder / "bad").exists())


def check_fixed(bench):
    check_dense(bench, "plain", program=bench.fixed)


def check_threads(bench):
    check_dense(bench, "threads")


def check_fork(bench):
    check_dense(bench, "fork")


def check_daemon(bench):
    """The text that its parent copied is switched on: else each call is an event that is thrown away."""
    check_dense(bench, "daemon")
    told = re.search(r"; overhead (?:up to )?about ([\d.]+)%(?: or more)? \(budget 5%\)$", bench.said, re.MULTILINE)
    expect("daemon: its calls are off", told and float(told[1]) < 50, bench.said)


def check_exec(bench):
    check_dense(bench, "exec", count=COARSE * 3 // 2)


def check_libraries(bench):
    check_dense(bench, "libraries", bench.library, coarse="plug_coarse")


def check_stops(bench):
    check_dense(bench, "stops", count=COARSE // 2)


OF_CODE = (check_windows, check_one_answer, check_levels, check_loops, check_fixed, check_libraries, check_jumps)
# What depends on the recorder more than on the compiler: in the slice a third of it with each.
OF_RECORDER = (check_filtered, check_messages, check_full, check_threads, check_fork, check_daemon, check_stops, check_exec, check_switches,
               check_private, check_kill, check_recorder_kill)


def main():
    parser = argparse.ArgumentParser()
    for name in ("--prof", "--compiler", "--rows"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        for check in (*OF_CODE, *slices.turn(OF_RECORDER, options.compiler, 3)):
            check(bench)
    for fault in faults:
        print(fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
