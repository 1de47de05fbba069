#!/usr/bin/env python3
"""Samples and scheduler switches in recordings; see README.md.

   test_sample.py --prof=BUILD/tools/prof --plugin=BUILD/plugin/prof.so
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import decode  # noqa: E402
import programs  # noqa: E402
import slices  # noqa: E402
import time_parts  # noqa: E402

PERF, TIMER_CREATE = 298, 222  # system calls on x86-64
NOBODY = 65534
passed = failed = skipped = 0


class Bench:
    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", required=True)
        parser.add_argument("--plugin", required=True)
        options = parser.parse_args()
        self.prof = pathlib.Path(options.prof).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-sample-"))
        self.folder.chmod(0o777)
        self.work, self.refuse = self.folder / "work", self.folder / "refuse"
        source = HERE / "programs"
        subprocess.run(["gcc", "-g", "-O2", f"-fplugin={options.plugin}", source / "work.c", "-o", self.work, "-pthread"], check=True)
        subprocess.run(["gcc", "-O2", source / "refuse.c", "-o", self.refuse], check=True)

    def run(self, *words, user=None, **more):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        environment.update(LC_ALL="C", **more)
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd=self.folder,
                              env=environment, stdin=subprocess.DEVNULL, timeout=900, user=user)

    def record(self, what, *options, refused=(), user=None, name="data", program=None):
        shutil.rmtree(self.folder / name, ignore_errors=True)
        before = [self.refuse, ",".join(map(str, refused))] if refused else []
        return self.run(*before, self.prof, "record", "-o", name, *options, program or self.work, what, user=user)

    def read(self, command, name="data", *options):
        result = self.run(self.prof, command, "-i", name, "--format=json", *options)
        insist(result.returncode == 0, f"prof {command}: {result.stderr}")
        return json.loads(result.stdout)

    def rows(self, name="data"):
        time_parts.check(name, lambda *options: self.read("report", name, *options))
        return {row["name"]: row for row in self.read("report", name)["functions"]}


def insist(true, what):
    if not true:
        raise AssertionError(what)


def has_perf(bench):
    bench.record("shares")
    return bench.read("info")["sampling"]["method"] == "perf_event"


def check_split(rows, parts=3):
    """`heavy` does three times what `light` does: so many samples, within five standard deviations."""
    heavy, light = rows["heavy"]["samples"], rows["light"]["samples"]
    share, count = parts / (parts + 1), heavy + light
    insist(count >= 20, f"only {count} samples")
    insist(abs(heavy - share * count) < 5 * math.sqrt(share * (1 - share) * count) + 1, f"{heavy} of {count} in heavy")


def shares(bench):
    result = bench.record("shares")
    insist(result.returncode == 0 and result.stdout == "", result.stderr)
    check_split(bench.rows())
    cover = bench.read("report")["cover"]
    insist(cover["probed_share"] > 0.3 and cover["library_share"] > 0.02, cover)
    facts = bench.read("info", "data", "--verbose")["sampling"]
    insist(facts["asked_hz"] == 997 and facts["in_frames"] > 0.5 * facts["samples"], facts)
    insist(facts["ambiguous"] <= 0.05 * facts["in_frames"] + 1, facts)


def ends_agree(bench):
    """What `prof record` says at its end, `prof info` and `prof report` say too: events, calls, threads, added cost."""
    said = bench.record("threads").stderr
    info, cover = bench.read("info"), bench.read("report")["cover"]
    events, threads = re.search(r"prof: ([\d,]+) events of (\d+) threads?,", said).groups()
    cost, calls = re.search(r"added cost about (.*?) in ([\d,]+) calls", said).groups()
    insist(int(events.replace(",", "")) == info["events"] == cover["events"], (said, info, cover))
    insist(int(calls.replace(",", "")) == cover["calls"] and int(threads) == info["threads"], (said, info, cover))
    shown = bench.run(bench.prof, "info", "-i", "data").stdout
    insist(re.search(r"^added cost, about +(.*)$", shown, re.MULTILINE)[1] == cost, (said, shown))
    time_parts.check_calls("data", lambda *options: bench.read("report", "data", *options))


def every_compiler(bench):
    """Samples join the calls of code by any compiler, whatever its frames and its clones look like, by both ways to sample."""
    for compiler in slices.newest(programs.compilers(bench.prof)):
        for level in ("-O0", "-O3"):
            program = bench.folder / f"work-{compiler}{level}"
            subprocess.run([compiler, "-g", level, *programs.plugin_flags(bench.prof, compiler), HERE / "programs" / "work.c",
                            "-o", program, "-pthread"], check=True)
            for refused in ((), (PERF,)) if level == "-O3" else ((),):
                result = bench.record("shares", program=program, refused=refused)
                insist(result.returncode == 0, f"{compiler} {level}: {result.stderr}")
                check_split(bench.rows())
                insist(bench.read("report")["cover"]["probed_share"] > 0.3, f"{compiler} {level}")


def usual_distance_ns(folder):
    """Between two samples of a thread: the middle one.  Where the host takes the processor away none come, however many were
    asked for, so that their number says little; but the distances between are few and long."""
    trace = decode.Trace(folder / "trace")
    distances = []
    for kind, _, events, _, _, raw in trace.samples:
        if kind == 16:
            data = decode.Bytes(raw)
            data.take(32)
            data.varint()
            distances += [data.varint() for _ in range(events - 1)]
    return sorted(distances)[len(distances) // 2] * 1e9 / trace.clock[0]


def other_rate(bench):
    """Asked for more, they come more closely."""
    distances = []
    for rate, period_ns in ((500, 2000000), (4000, 250000)):
        bench.record("shares", f"--sample={rate}", "--light=off")
        facts = bench.read("info")["sampling"]
        insist(facts["asked_hz"] == rate and facts["period_ns"] == period_ns and facts["achieved_hz"] > 0, facts)
        distances.append(usual_distance_ns(bench.folder / "data"))
        check_split(bench.rows())
    insist(distances[0] > 2 * distances[1], distances)


def in_other_threads(bench):
    for what in ("threads", "fork", "exec"):
        bench.record(what)
        check_split(bench.rows())
        insist(bench.read("info")["sampling"]["lost"] == 0, what)


def waits(bench):
    """The program reads the processor time that `idle` took: usually microseconds, but what the host takes from it counts too."""
    ran_ns = int(bench.record("waits").stdout.split()[-1])
    rows = bench.rows()
    idle, heavy = rows["idle"], rows["heavy"]
    insist(idle["blocked_ns"] + idle["preempted_ns"] + ran_ns > 0.9 * 200e6 and idle["blocked_ns"] <= idle["total_ns"], (idle, ran_ns))
    insist(ran_ns > 50e6 or idle["blocked_ns"] > idle["preempted_ns"], (idle, ran_ns))
    insist(ran_ns - 5e6 < idle["running_ns"] < ran_ns + 5e6, (idle, ran_ns))
    insist(heavy["self_running_ns"] + heavy["self_blocked_ns"] + heavy["self_preempted_ns"] <= heavy["self_ns"] + 1000, heavy)
    insist(heavy["running_ns"] > 10 * heavy["blocked_ns"], heavy)


def is_neutral(bench):
    """Nothing interrupts its calls, and its own timer and handler are its own: by perf_event, and by timers."""
    plain = {what: bench.run(bench.work, what).stdout for what in ("quiet", "signals")}
    insist(plain == {"quiet": "interrupted 0\n", "signals": "own handler 1, some came 1\n"}, plain)
    for what, expected in plain.items():
        result = bench.record(what)
        insist((result.returncode, result.stdout) == (0, expected), f"{what}: {result.stdout}{result.stderr}")
    result = bench.record("signals", refused=[PERF])
    insist((result.returncode, result.stdout) == (0, plain["signals"]), result.stdout + result.stderr)


def by_timers(bench):
    for what in ("shares", "threads", "fork", "exec"):
        result = bench.record(what, refused=[PERF])
        insist(result.returncode == 0 and result.stderr.count("perf_event_open is refused") == 1, result.stderr)
        facts = bench.read("info")["sampling"]
        insist(facts["method"] == "timer" and "refused" in facts["reason"] and not facts["has_switches"], facts)
        insist(facts["samples"] > 0 and facts["unsampled_threads"] == 0, facts)
        check_split(bench.rows())
        insist("running_ns" not in bench.rows()["heavy"], "switches out of nothing")
    insist(bench.read("report")["cover"]["library_share"] > 0, "libraries are not seen")


def tree_nodes(nodes, name):
    for node in nodes:
        if node["name"] == name:
            yield node
        yield from tree_nodes(node.get("children", []), name)


def record_light(bench, program, count, options, what, refused=()):
    """Records `program`, of which every call has to be there; (what `prof info` says of samples, cover of the report, its rows)."""
    plain, result = bench.run(program, count), bench.record(str(count), *options, program=program, refused=refused)
    insist((result.returncode, result.stdout) == (plain.returncode, plain.stdout), f"{what}: {result.stderr}")
    rows = bench.rows()
    insist([rows[name]["calls"] for name in ("outer", "inner", "idle")] == [2 * count, 4 * count, 50], f"{what}: {rows}")
    called_in = [node["calls"] for node in tree_nodes(bench.read("tree")["roots"], "outer") for node in node["children"]]
    insist(called_in == [2 * count] * 2, f"{what}: {called_in}")
    return bench.read("info").get("sampling", {}), bench.read("report")["cover"], rows


def light_slices(bench):
    """Threads that are mostly probes get light slices, with any compiler; others don't, and no call is lost or moved by them."""
    for number, compiler in enumerate(slices.newest(programs.compilers(bench.prof))):
        program = bench.folder / f"dense-{compiler}"
        subprocess.run([compiler, "-g", "-O2", *programs.plugin_flags(bench.prof, compiler), HERE / "programs" / "dense.c",
                        "-o", program, "-pthread"], check=True)
        for options in ([], ["--clock=os"]) if number == 0 else ([],):
            what = f"{compiler} {options}"
            for count in (4_000_000, 16_000_000, 64_000_000):  # where the machine is slow, more samples are needed
                sampling, cover, rows = record_light(bench, program, count, options, what)
                if cover["sliced_threads"] == 2:
                    break
            insist(sampling["light_threads"] == 2 and cover["sliced_threads"] == 2, f"{what}: {sampling} {cover}")
            insist(0 < sampling["light_share"] < 0.6, f"{what}: {sampling}")
            insist(rows["idle"]["min_ns"] >= 1_000_000 and rows["inner"]["min_ns"] is not None, f"{what}: {rows}")
        for options, refused in ((["--light=off"], ()), (["--sample=off"], ()), ([], [PERF])) if number == 0 else ():
            sampling, cover, _ = record_light(bench, program, 4_000_000, options, f"{compiler} {options} {refused}", refused)
            insist(not sampling.get("light_threads") and not cover["sliced_threads"], f"{compiler} {options} {refused}: {sampling} {cover}")


def in_order(row):
    """Figures of one row are of the same calls."""
    figures = [row[key] for key in ("min_ns", "avg_ns", "max_ns", "p50_ns", "p95_ns", "p99_ns")]
    if figures[0] is None:
        return figures.count(None) == 5
    least, mean, most, *rest = figures
    return least <= mean <= most and [least, *rest, most] == sorted([least, *rest, most])


def slice_waits(bench):
    """A wait in a light slice is the waiting function's, not that of a neighbour whose event shares its time; with any compiler, by all views' filters."""
    wait_ns = 300_000
    for compiler in slices.newest(programs.compilers(bench.prof)):
        program = bench.folder / f"slice_waits-{compiler}"
        subprocess.run([compiler, "-g", "-O2", *programs.plugin_flags(bench.prof, compiler), HERE / "programs" / "slice_waits.c",
                        "-o", program], check=True)
        for count in (600, 2400, 9600):  # until the recorder has found out, if the machine lets it look seldom
            result = bench.record(str(count), program=program)
            insist(result.returncode == 0, f"{compiler}: {result.stderr}")
            light_ns = bench.read("info")["sampling"]["light_ns"]
            if light_ns > 0:
                break
        insist(light_ns > 0, f"{compiler}: no slices")
        said = re.search(r"added cost about (.*) in .* calls", result.stderr)
        shown = re.search(r"^added cost, about +(.*)$", bench.run(bench.prof, "info", "-i", "data").stdout, re.M)
        insist(said and shown and said[1] == shown[1], f"{compiler}: {said and said[1]} added at the end, {shown and shown[1]} in prof info")
        for raw in ((), ("--raw",)):
            rows = {row["name"].split(".")[0]: row for row in bench.read("report", "data", *raw)["functions"]}
            what = f"{compiler} {raw} {[(name, row['self_ns'], row['self_blocked_ns']) for name, row in rows.items()]}"
            waits = [rows[name] for name in ("wait_poll", "wait_sleep", "wait_futex")]
            insist(all(row["self_blocked_ns"] >= 0.97 * row["calls"] * wait_ns for row in waits), what)
            # The system may make a thread wait anywhere (for a page), but seldom.
            others = sum(rows[name]["self_blocked_ns"] for name in ("first", "second", "busy", "turn"))
            insist(others < 0.05 * sum(row["self_blocked_ns"] for row in waits), what)
            insist(all(row["self_ns"] >= row["self_blocked_ns"] for row in rows.values()), what)
            for name, row in rows.items():
                insist(in_order(row), f"{compiler} {raw} {name}: {row}")
            beneath = {row["name"].split(".")[0]: row for row in bench.read("report", "data", "-F", "turn", *raw)["functions"]}
            for name in ("wait_poll", "wait_sleep", "wait_futex", "busy", "turn"):
                for key in ("self_ns", "total_ns", "self_blocked_ns", "avg_ns"):
                    insist(beneath[name][key] == rows[name][key], f"{compiler} {raw} -F turn {name} {key}: {beneath[name]} {rows[name]}")


def not_at_all(bench):
    result = bench.record("shares", refused=[PERF, TIMER_CREATE])
    facts = bench.read("info")["sampling"]
    insist(result.returncode == 0 and facts["samples"] == 0 and facts["unsampled_threads"] == 1, facts)
    insist(bench.rows()["heavy"]["calls"] == 20, "calls are lost")
    result = bench.record("shares", "--sample=off")
    facts = bench.read("info")["sampling"]
    insist(result.returncode == 0 and facts["method"] == "none" and facts["samples"] == 0, facts)
    result = bench.record("shares", "--sample=often")
    insist(result.returncode == 2 and "--sample" in result.stderr, result.stderr)


def as_a_user(bench):
    if os.geteuid() == 0 and bench.run(bench.prof, "--version", user=NOBODY).returncode != 0:
        return "the build can't be read by an ordinary user"
    user = NOBODY if os.geteuid() == 0 else None
    for refused, method in (((), "perf_event"), ((PERF,), "timer")):
        result = bench.record("threads", refused=refused, user=user, name=f"data-{method}")
        insist(result.returncode == 0, result.stderr)
        facts = bench.read("info", f"data-{method}")["sampling"]
        if method == "perf_event" and facts["method"] != method:
            return facts["reason"]
        insist(facts["method"] == method, facts)
        check_split(bench.rows(f"data-{method}"))
    return None


def without_prof_record(bench):
    """The program asks for a recorder itself; what it had mapped before is known all the same."""
    shutil.rmtree(bench.folder / "prof.data", ignore_errors=True)
    runtime = next(bench.prof.parent.parent.glob("runtime/libprof-runtime.so.1"), None)
    if runtime is None:
        return "no runtime in the build"
    insist(bench.run(bench.work, "shares", PROF_RECORD="1", PROF_RUNTIME=str(runtime), PROF_HELPER=str(bench.prof)).returncode == 0, "run")
    for _ in range(2000):
        if bench.run(bench.prof, "info", "-i", "prof.data", "--format=json").stdout.find('"complete":true') >= 0:
            break
        subprocess.run(["sleep", "0.05"], check=True)
    check_split(bench.rows("prof.data"))
    insist(bench.read("report", "prof.data")["cover"]["library_share"] > 0.02, "libraries are not seen")
    return None


def main():
    global passed, failed, skipped
    bench = Bench()
    perf = has_perf(bench)
    needing_perf = [other_rate, waits, is_neutral, light_slices, slice_waits]
    for case in [shares, ends_agree, every_compiler, other_rate, in_other_threads, waits, is_neutral, by_timers, light_slices, slice_waits, not_at_all, as_a_user, without_prof_record]:
        try:
            why = "the system refuses perf_event_open" if case in needing_perf and not perf else case(bench)
            passed += why is None
            skipped += why is not None
            if why:
                print(f"skipped {case.__name__}: {why}")
        except (AssertionError, KeyError, ValueError, OSError, subprocess.SubprocessError) as problem:
            failed += 1
            print(f"FAILED {case.__name__}: {type(problem).__name__} {problem}", flush=True)
    shutil.rmtree(bench.folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
