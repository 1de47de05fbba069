#!/usr/bin/env python3
"""Programs that end within a recorded function, long after its entry: the function has its time, in every view."""
import recording
from recording import contains

WAYS = ("_exit", "exit", "kill", "abort", "exec", "thread", "child", "child_killed")
OF_OTHERS = ("child", "child_killed", "exec")  # whose ends only the kernel's records tell
SLEPT_NS = 2e9  # by the other program, after exec


def check(bench, way, options):
    ran = bench.record(way, program=bench.folder / "inside", options=options)
    info = bench.info()
    inside, wall = int(ran.stdout.split()[0]), info["wall_ns"]
    if way in OF_OTHERS and info["sampling"]["method"] != "perf_event":
        print(f"not asked: {way} without perf_event")
        return
    what = f"{way} {options} of {wall}"
    report, tree = bench.read("report"), bench.read("tree")
    row = next(row for row in report["functions"] if row["name"] == "work")
    assert inside <= row["total_ns"] <= wall - (SLEPT_NS if way == "exec" else 0), (what, inside, row["total_ns"])
    assert report["cover"]["calls"] == tree["cover"]["calls"], what
    if "running_ns" in row:
        parts = sum(row[f"{kind}_ns"] for kind in ("running", "waiting", "preempted"))
        assert abs(parts - row["total_ns"]) <= 10 and row["waiting_ns"] > 0, (what, row)
    folded = bench.run([bench.prof, "export", "--format=folded", "--time=elapsed"]).stdout
    selves = sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines() if line.rsplit(" ", 1)[0].endswith("work"))
    assert selves >= inside, (what, inside, folded)
    contains(what, bench.run([bench.prof, "replay"]).stdout, "work(); /* at least ")


def default(bench):
    for way in WAYS:
        check(bench, way, [])


def with_budget(bench):
    for way in ("kill", "thread", "child_killed"):
        check(bench, way, ["--overhead=5%"])


def without_samples(bench):
    for way in WAYS:
        if way not in OF_OTHERS:
            check(bench, way, ["--sample=off"])


def replaced(bench):
    """The other program's time is nobody's, also where the kernel tells nothing."""
    bench.record("exec", program=bench.folder / "inside", options=["--sample=off"])
    row = next(row for row in bench.read("report")["functions"] if row["name"] == "work")
    assert row["total_ns"] <= bench.info()["wall_ns"] - SLEPT_NS, row


def interrupted(bench):
    """The recording ends before the program does: on a busy machine perhaps before it said how long it was inside."""
    for seconds in (1, 5, 30):
        ran = bench.record("", program=bench.folder / "inside", options=[f"--duration={seconds}s", "--then=stop"])
        rows = {row["name"]: row["total_ns"] for row in bench.read("report")["functions"]} if ran.stdout else {}
        wall = bench.info()["wall_ns"]
        if ran.stdout and int(ran.stdout.split()[0]) <= rows["work"] <= wall:
            return
    raise AssertionError(f"{ran.stdout} ns inside, shown {rows}, of {wall}")


def idle(bench):
    """A thread that waited until it was killed can't tell its CPU time, nor do switches in stretches: the recorder looked."""
    for options in (["--overhead=5%"], ["--sample=off"], []):
        bench.record(program=bench.folder / "idle_killed", options=options)
        child = max(bench.info()["thread_list"], key=lambda thread: thread["pid"])
        assert child["cpu_ns"] < SLEPT_NS / 2, (options, child)
        rows = {row["pid"]: row for row in bench.read("report", "prof.data", "--by=process")["processes"]}
        ran = rows[child["pid"]].get("running_ns")
        assert ran is None or ran < SLEPT_NS / 2, (options, rows)


def build(bench):
    bench.build("inside.c", bench.folder / "inside")
    bench.build("idle_killed.c", bench.folder / "idle_killed")


if __name__ == "__main__":
    recording.main([build, default, with_budget, without_samples, replaced, interrupted, idle])
