#!/usr/bin/env python3
"""test_bounds.py --prof PROF --compiler COMPILER - a recording with bounds, see README.md."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

STATUS, GOES_ON = 3, "went on to its end\n"
SAMPLE = HERE.parent / "sample" / "programs"
PERF = 298  # its system call on x86-64
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}: {got!r}, not {wanted!r}")


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder = pathlib.Path(options.prof).resolve(), folder
        self.plain = self.build(options.compiler, "plain", [])
        flags = programs.plugin_flags(options.prof, options.compiler)
        self.program = self.build(options.compiler, "bounds", flags)
        self.timed = self.build(options.compiler, "timed", [*flags, "-fplugin-arg-prof-lines=time"])
        self.dense = self.build(options.compiler, "dense", flags, SAMPLE / "dense.c")
        self.refuse = self.build(options.compiler, "refuse", [], SAMPLE / "refuse.c")

    def build(self, compiler, name, flags, source=HERE / "bounds.c"):
        command = [compiler, "-g", "-O2", *flags, source, "-o", self.folder / name, "-pthread", "-ldl"]
        done = self.run(command)
        if done.returncode:
            sys.exit(f"{command}: {done.stderr}")
        return self.folder / name

    def run(self, command, environment=None):
        variables = {key: value for key, value in os.environ.items() if not key.startswith(("PROF_", "CUDA_", "NVTX_"))}
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, check=False,
                              cwd=self.folder, stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C", **(environment or {})})

    def record(self, word, *options, program=None, refused=()):
        """The program's output; its end is as without us."""
        before = [self.refuse, ",".join(map(str, refused))] if refused else []
        done = self.run([*before, self.prof, "record", "-o", "data", *options, program or self.program, word])
        equal(f"{word} {options}: status", done.returncode, STATUS)
        equal(f"{word}: the program's end", done.stdout.endswith(GOES_ON), True)
        self.said = done.stderr
        return done.stdout

    def read(self, command, *options):
        done = self.run([self.prof, command, "-i", "data", "--format=json", *options])
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def calls(self):
        return {row["name"]: row["calls"] for row in self.read("report").get("functions", [])
                if row["name"].startswith(("inside", "outside"))}

    def slices(self):
        return self.read("info").get("slices")


def retried(bench, word, options, is_good):
    """Times that were too short for a busy machine are tried again, longer; is_good: what was asked for came about."""
    for factor in (1, 4, 16, 64):
        output = bench.record(word, *(option.format(100 * factor) for option in options))
        if is_good(output):
            return output
    faults.append(f"{word}: never came about: {output!r}")
    return output


def was_off(output):
    return output.startswith("before 0 0\n")


def delay(bench):
    retried(bench, "delay", ["--delay={}ms"], was_off)
    calls = bench.calls()
    equal("delay", {name: calls.get(name) for name in ("outside", "inside", "inside_leaf")},
          {"outside": None, "inside": 7, "inside_leaf": 7})
    only, = bench.slices()
    equal("delay, slice", (only["begin_ns"] > 0, only["end_ns"]), (True, None))
    bench.record("ranges", "--delay=1h")
    equal("too late, events", bench.read("info")["events"], 0)
    equal("too late, slices", bench.slices(), [])
    equal("too late, said", "the program ended before --delay had passed" in bench.said, True)


def duration(bench):
    retried(bench, "duration", ["--duration={}ms"], lambda _: [bench.calls().get(name) for name in ("inside_until_end", "inside")] == [1, 1])
    calls = bench.calls()
    equal("duration", (calls.get("inside"), calls.get("outside")), (1, None))
    only, = bench.slices()
    # Open to the end of the slice, though its last event was long before.
    entered, = (event["time_ns"] for event in bench.read("replay")["events"] if event["event"] == "enter" and event["name"] == "inside_until_end")
    total_ns, = (row["total_ns"] for row in bench.read("report", "--raw")["functions"] if row["name"] == "inside_until_end")
    equal(f"duration, the end of the frame that was open, {entered} + {total_ns} ns, in {only}", abs(entered + total_ns - only["end_ns"]) <= 2, True)
    retried(bench, "both", ["--delay={}ms", "--duration={}ms"], lambda output: was_off(output) and bench.calls().get("inside") == 1)
    equal("both", bench.calls().get("outside"), None)
    only, = bench.slices()
    equal("both, slice", 0 < only["begin_ns"] < only["end_ns"], True)
    for ms in range(1, 40, 2):  # some of these end, or begin, while the runtime starts; the program waits for that
        bench.record("duration", f"--duration={ms}ms")
        bench.record("delay", f"--delay={ms}ms")


def children(bench):
    retried(bench, "fork", ["--delay={}ms"], was_off)
    calls = bench.calls()
    equal("fork", (calls.get("inside"), calls.get("outside")), (3, None))
    equal("fork, slices", len({row["pid"] for row in bench.slices()}), 2)


def ranges(bench):
    for _ in range(20):  # where the host takes the processor away, samples come in stretches: none may lie in 60 ms
        bench.record("ranges", "--capture-range=x")
        equal("ranges", bench.calls(), {"inside": 6, "inside_leaf": 6, "inside_burn": 1, "inside_ends": 1})
        equal("ranges, slices", len(bench.slices()), 3)
        equal("ranges, unmatched", bench.read("info")["unmatched_exits"] >= 1, True)  # of outside_begins, and of inlined ones
        sampled = {row["function"] for row in bench.read("lines", "-n", "0").get("lines", []) if row.get("samples")}
        equal("ranges, samples outside", "outside_burn" in sampled, False)
        # The rate is of the processor time in slices (60 ms and a little), not of all (180 ms): however often the machine did sample.
        info = bench.read("info")["sampling"]
        right = info["method"] != "perf_event" or (info["achieved_hz"] > 0 and 0.05 < info["samples"] / info["achieved_hz"] < 0.12)
        if "inside_burn" in sampled and right:
            break
    equal(f"ranges, samples and rate {info}", ("inside_burn" in sampled, right), (True, True))
    bench.record("threads", "--capture-range=x")
    equal("threads", bench.calls(), {"inside": 100, "inside_leaf": 100})
    output = bench.record("switched", "--capture-range=x")
    equal("switched", (bench.calls(), output.splitlines()[0]), ({"inside": 1, "inside_leaf": 1}, "at last 0"))
    bench.record("ranges", "--capture-range=nowhere")
    equal("nowhere", (bench.read("info")["events"], "no range of NVTX was called 'nowhere'" in bench.said), (0, True))


def timers(bench):
    """The same where samples come from timers, which a busy machine may not let go off in 60 ms."""
    for _ in range(20):
        bench.record("ranges", "--capture-range=x", refused=[PERF])
        equal("timers, calls", bench.calls(), {"inside": 6, "inside_leaf": 6, "inside_burn": 1, "inside_ends": 1})
        info = bench.read("info")["sampling"]
        sampled = {row["function"] for row in bench.read("lines", "-n", "0").get("lines", []) if row.get("samples")}
        equal(f"timers, samples outside {info}", "outside_burn" in sampled, False)
        if "inside_burn" in sampled:  # the first ones of a few may lie in what it calls
            break
    equal(f"timers, samples {info}", (info["method"], "inside_burn" in sampled), ("timer", True))
    equal(f"timers, rate {info}", 0.05 * info["achieved_hz"] < info["samples"] < 0.12 * info["achieved_hz"], True)


def timed_lines(bench):
    """Lines that are timed are so in slices only."""
    bench.record("ranges", "--capture-range=x", program=bench.timed)
    equal("timed lines, calls", bench.calls(), {"inside": 6, "inside_leaf": 6, "inside_burn": 1, "inside_ends": 1})
    lines = {number: text for number, text in enumerate((HERE / "bounds.c").read_text().splitlines(), 1)}
    visits = {lines[row["line"]].strip(): row["visits"] for row in bench.read("lines", "-n", "0")["lines"]
              if row["file"].endswith("bounds.c") and row["visits"]}
    equal("timed lines, visits", [visits.get(text) for text in ("sum += 5;", "sum += 7;", "sum += 3;")], [6, 6, None])
    equal("timed lines, in loops", (visits.get("sum ^= (unsigned long)i;", 0) > 0, visits.get("sum += (unsigned long)i;")), (True, None))


def light(bench):
    """Light slices of a thread that is mostly probes lie in those of the recording, and no call in them is lost."""
    for factor in (1, 4, 16):  # until a slow machine has found out that it is
        done = bench.run([bench.prof, "record", "-o", "data", f"--delay={20 * factor}ms", f"--duration={300 * factor}ms", bench.dense, 12_000_000 * factor])
        equal("light, status", done.returncode, 0)
        sampling = bench.read("info")["sampling"]
        # Well inside, as sleds are switched one after another.
        calls = {row["name"]: row["calls"] for row in bench.read("report", "--range=20%~80%").get("functions", [])}
        if (sampling["method"] != "perf_event" or sampling.get("light_threads")) and calls.get("outer", 0) > 1000:
            break
    equal(f"light, threads {sampling}", sampling["method"] != "perf_event" or bool(sampling.get("light_threads")), True)
    # At each end each of two threads may be in a call of outer.
    equal(f"light, calls {calls}", calls.get("outer", 0) > 1000 and abs(calls["inner"] - 2 * calls["outer"]) <= 2 * 2 * 2, True)
    equal("light, lost", bench.read("info")["lost_events"], 0)


def without(bench):
    """No bounds: all is there, and nothing is said of slices; the plain program says the same."""
    bench.record("ranges")
    calls = bench.calls()
    equal("without bounds", (calls["outside"], calls["inside"], calls["outside_burn"]), (8, 6, 2))
    equal("without bounds, slices", bench.slices(), None)
    for word in ("ranges", "threads"):
        plain, unrecorded = bench.run([bench.plain, word]), bench.run([bench.program, word])
        equal("unrecorded", (unrecorded.stdout, unrecorded.returncode), (plain.stdout, plain.returncode))


def by_itself(bench):
    """PROF_RECORD=1 with the same options."""
    done = bench.run([bench.program, "ranges"], {"PROF_RECORD": "1", "PROF_HELPER": str(bench.prof),
                                                 "PROF_RUNTIME": str(bench.prof.parent.parent / "runtime" / "libprof-runtime.so.1"),
                                                 "PROF_OPTIONS": "-o data --capture-range=x"})
    equal("by itself", (done.stdout, done.stderr, done.returncode), (GOES_ON, "", STATUS))
    for _ in range(12000):
        if bench.read("info").get("complete"):
            break
        time.sleep(0.05)
    equal("by itself, calls", bench.calls(), {"inside": 6, "inside_leaf": 6, "inside_burn": 1, "inside_ends": 1})


def refused(bench):
    for options, words in ((["--delay=5"], "write the unit"), (["--duration=0s"], "leaves nothing to record"),
                           (["--capture-range="], "give it the name"), (["--capture-range=x", "--gpu=off"], "leave out --gpu=off")):
        done = bench.run([bench.prof, "record", "-o", "data", *options, bench.plain, "ranges"])
        equal(f"{options}", (done.returncode, words in done.stderr, done.stdout), (2, True, ""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    programs.compiler_or_skip(options.compiler, options.prof)
    with tempfile.TemporaryDirectory(prefix="prof-bounds-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        cases = (without, delay, duration, children, ranges, timers, timed_lines, light, by_itself, refused)
        for case in cases:
            begin = time.monotonic()
            case(bench)
            print(f"{case.__name__}: {time.monotonic() - begin:.1f} s")
    print("\n".join(faults) or f"{len(cases)} cases")
    sys.exit(bool(faults))


main()
