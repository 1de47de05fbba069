#!/usr/bin/env python3
"""Every kernel and copy stands under the host path that asked for it, with its duration: compilers x levels, threads,
forks, graphs, driver calls, an abort, many launches through a small buffer."""
import functools
import json

import doubles
from doubles import equal, launches

STEPS = 100
D = doubles.Doubles()

ADD, SCALE, NODE = "void add<float>(float*, float*)", "scale(float*, float)", "node(int*)"
KERNELS = {(SCALE, "main > step > scale"): STEPS, (ADD, "main > step > add"): 2 * STEPS, (NODE, "main > replayed"): 15}
COPIES = {("host to device", "pageable", "main > load", 4096), ("device to host", "pinned", "main > finish", 1024),
          ("set", "", "main > load", 2048)}


def check_paths(report):
    equal("kernels", launches(report), KERNELS)
    equal("copies", {(row["kind"], row["host_memory"], row["host_path"], row["bytes"]) for row in report["copies"]}, COPIES)
    equal("where nodes were created", {row["name"]: row["created_path"] for row in report["kernels"]},
          {SCALE: "", ADD: "", NODE: "main > built"})
    cover = report["gpu_cover"]
    for key in ("unmatched", "untimed", "pathless", "dropped", "unknown", "lost", "early", "damaged_chunks", "hung"):
        equal(key, cover[key], 0)
    equal("kernels counted", cover["kernels"], 3 * STEPS + 15)
    equal("calls", cover["calls"], 3 * STEPS + 5 + 1 + 1 + 1 + 1 + 2 + 1 + 4)  # ... cudaDeviceSynchronize, 3 nodes, 1 graph made
    equal("waits", cover["waits"], 2)


def check_durations(report, clock_hz):
    """The double's kernels last 1000 ticks and 10 per block; a nanosecond is rounded once for each figure."""
    rows = {row["name"]: row for row in report["kernels"]}
    for name, ticks in ((ADD, 2 * STEPS * 1200), (SCALE, STEPS // 2 * (1100 + 1110)), (NODE, 15 * 1010)):
        wanted = ticks * 1e9 / clock_hz
        if abs(rows[name]["total_ns"] - wanted) > 1:
            raise AssertionError(f"{name}: {rows[name]['total_ns']} ns, expected {wanted}")
    equal("grid", (rows[ADD]["grid"], rows[ADD]["block"], rows[SCALE]["grid"]), ("20x2", "256", "10+"))
    equal("shared", (rows[ADD]["static_shared_bytes"], rows[ADD]["dynamic_shared_bytes"]), (128, 1024))
    equal("registers", rows[ADD]["registers"], 32)
    total = sum(row["total_ns"] for row in report["kernels"])
    for row in report["kernels"]:
        if abs(row["share"] - row["total_ns"] / total) > 0.001:
            raise AssertionError(f"share of {row['name']}: {row['share']}")


def check_times(report, clock_hz):
    """What follows from the double's model of time: a stream begins 3000 ticks after a call, or behind its last work."""
    def ns(ticks):
        return ticks * 1e9 / clock_hz

    def near(what, got, wanted):
        if abs(got - wanted) > 2:
            raise AssertionError(f"{what}: {got} ns, expected {wanted}")
    device, streams = report["devices"][0], {row["stream"]: row for row in report["streams"]}
    equal("devices", (len(report["devices"]), device["name"], device["streams"]), (1, "Double 9000", 2))
    equal("works", device["works"], 3 * STEPS + 15 + 3)
    near("busy and idle", device["busy_ns"] + device["idle_ns"], device["span_ns"])
    near("busy by class", device["compute_ns"] + device["copy_ns"] - device["copy_overlap_ns"], device["busy_ns"])
    near("busy, first stream", streams[7]["busy_ns"], ns(STEPS // 2 * (1100 + 1110) + 4096 + 500))
    near("busy, second stream", streams[13]["busy_ns"], ns(2 * STEPS * 1200 + 15 * 1010 + 1024))
    equal("idle time charged", abs(sum(row["total_ns"] for row in report["idle"]) - device["idle_ns"]) <= len(report["idle"]),
          True)
    equal("paths of idle time", {row["host_path"] for row in report["idle"]} <=
          {"main", "main > load", "main > step", "main > step > scale", "main > step > add", "main > replayed", "main > finish"},
          True)
    near("waits", sum(row["total_ns"] for row in report["waits"] if row["call"] != "cudaMemcpy"), 2 * ns(200))
    launches = {row["name"]: row["launches"] for row in report["launches"]}
    equal("launches", launches, {SCALE: STEPS, ADD: 2 * STEPS, NODE: 5})
    for row in report["launches"]:
        if row["total_ns"] < row["launches"] * ns(3000) - 2:
            raise AssertionError(f"{row['name']} began {row['total_ns']} ns after {row['launches']} launches")
        near(f"parts of {row['name']}", row["api_ns"] + row["queue_ns"] + row["start_ns"], row["total_ns"])
    equal("occupancy", {row["name"]: (row["occupancy"], row["occupancy_limit"]) for row in report["kernels"]},
          {ADD: (1, "warps"), SCALE: (1, "warps"), NODE: (0.5, "blocks")})
    equal("pageable", (report["gpu_cover"]["pageable"], report["gpu_cover"]["pageable_bytes"]), (1, 4096))


def check_lines(report):
    """The GPU's time by the host's lines: of calls with all beneath them, of what a function asked for by itself."""
    total = {row["name"]: row["total_ns"] for row in report["kernels"]}
    copies = sum(row["total_ns"] for row in report["copies"] if row["host_path"] == "main > load")
    text = (doubles.HERE / "programs" / "paths.c").read_text().splitlines()
    got = {(text[row["line"] - 1].strip() if row["line"] else row["function"]): row["gpu_ns"]
           for row in D.read("lines", "--sort=gpu")["lines"] if row["gpu_ns"]}
    both = [text.index("  add(wide);") + 1]
    both.append(text.index("  add(wide);", both[0]) + 1)
    halves = [row["gpu_ns"] for row in D.read("lines")["lines"] if row["line"] in both]
    expected = {"step(i);": total[ADD] + total[SCALE], "scale(10 + i % 2);": total[SCALE], "replayed(graph);": total[NODE],
                "load();": copies, "load": copies, "add": total[ADD], "scale": total[SCALE], "replayed": total[NODE]}
    for place, wanted in expected.items():
        if abs(got[place] - wanted) > 2:
            raise AssertionError(f"GPU time of {place}: {got[place]}, expected {wanted}")
    equal("two lines that launch the same", (len(halves), all(abs(2 * half - total[ADD]) < 4 for half in halves)), (2, True))


def check_others(report):
    """The other commands say the same."""
    total = sum(row["total_ns"] for row in report["kernels"] + report["copies"])
    rows = {row["name"]: row for row in D.read("report")["functions"]}
    def near(what, got, wanted):
        if abs(got - wanted) > 10:
            raise AssertionError(f"{what}: {got} ns, expected {wanted}")
    near("GPU time beneath main", rows["main"]["gpu_total_ns"], total)
    near("GPU time of add", rows["add"]["gpu_self_ns"], next(row["total_ns"] for row in report["kernels"] if row["name"] == ADD))
    roots = D.read("tree")["roots"]
    near("GPU time in the tree", roots[0]["gpu_total_ns"], total)
    events = [event for event in D.read("replay")["events"] if event["event"] == "gpu"]
    equal("works in replay", len(events), 3 * STEPS + 15 + 3)
    equal("no work before its launch", all(event["time_ns"] >= event["launch_ns"] for event in events), True)
    exported = json.loads(D.run([D.prof, "export", "-i", "data", "--format=chrome"]).stdout)["traceEvents"]
    for phase, category, count in (("X", "gpu", 3 * STEPS + 18), ("s", "launch", 3 * STEPS + 18), ("f", "launch", 3 * STEPS + 18),
                                   ("X", "cuda", report["gpu_cover"]["calls"])):
        equal(f"{phase} {category}", sum(event["ph"] == phase and event.get("cat") == category for event in exported), count)
    check_lines(report)
    gpus = D.read("info")["gpus"]
    equal("GPUs", [(row["name"], row["capability"], row["driver"], row["cupti"], row["clock"]) for row in gpus],
          [("Double 9000", "9.0", "13.0", "13.0.1", "shared")])


def paths(compiler, level):
    D.record(D.build("paths", compiler, [level]), STEPS)
    equal("the program's own output", D.output, f"{3 * STEPS + 15} kernels, 1 set, 2 copies\n")
    check_paths(D.read("gpu", "--by=path"))
    report = D.read()
    equal("paths by kernel", {row["name"]: row["host_paths"] for row in report["kernels"]}, {ADD: 1, SCALE: 1, NODE: 1})
    check_durations(report, D.read("info")["clock_hz"])
    check_times(report, D.read("info")["clock_hz"])
    check_others(report)


def no_probes():
    """A program without any probe: all there, outside of probed functions, under a process of its own."""
    program = D.build("paths", plugin=False)
    said = D.record(program, STEPS)
    doubles.contains("what prof record says", said, f"GPU: {3 * STEPS + 15} kernels, 3 copies and sets")
    check_unprobed(D.read("gpu", "--by=path"), False)
    for compiler in D.compilers:
        D.record(D.build("paths", compiler, ["-O2", "-fno-omit-frame-pointer"], plugin=False), STEPS)
        report = D.read("gpu", "--by=path")
        check_unprobed(report, True)
        equal(f"kernels of {compiler}", launches(report), KERNELS)
        equal("idle time", {row["host_path"].split(" > ")[0] for row in report["idle"]}, {"main"})
    picture = D.run([D.prof, "flame", "-i", "data", "--gpu", "-o", "-"]).stdout
    for name in ("main", "step", "scale", "add&lt;float&gt;"):
        doubles.contains("the picture", picture, f"<title>{name}\n")
    equal("replay", sum(event["event"] == "gpu" for event in D.read("replay")["events"]), 3 * STEPS + 18)


def check_unprobed(report, has_frames):
    """Without frame pointers any part of the path may be missing, but nothing else."""
    count = {}
    for row in report["kernels"]:
        count[row["name"]] = count.get(row["name"], 0) + row["launches"]
    equal("kernels", count, {SCALE: STEPS, ADD: 2 * STEPS, NODE: 15})
    equal("unmatched", report["gpu_cover"]["unmatched"], 0)
    if has_frames:
        equal("pathless", report["gpu_cover"]["pathless"], 0)
    equal("processes", D.read("info")["processes"], 1)


def aborted():
    """What was delivered before an abort is all there."""
    D.record(D.build("paths"), STEPS, "abort", status=-6)
    check_paths(D.read("gpu", "--by=path"))


def inner_correlation():
    """Kernels that carry the number of the driver's call inside the runtime's: the same paths."""
    D.record(D.build("paths"), STEPS, environment={"GPU_DOUBLE_LAUNCH": "inner"})
    check_paths(D.read("gpu", "--by=path"))


def threads():
    D.record(D.build("many"), 8, 2000)
    report = D.read("gpu", "--by=path")
    equal("kernels", launches(report), {("empty()", "work > even"): 8000, ("empty()", "work > odd"): 8000})
    equal("unmatched", report["gpu_cover"]["unmatched"], 0)


def many():
    """100,000 launches; the recorder's buffer is as small as it may be, and is waited for."""
    D.record(D.build("many"), 1, 100000, options=["--buffer=1M"])
    report = D.read("gpu", "--by=path")
    equal("kernels", launches(report), {("empty()", "work > even"): 100000})
    equal("lost", (report["gpu_cover"]["lost"], report["gpu_cover"]["unmatched"]), (0, 0))


def whole_graphs():
    D.record(D.build("paths"), STEPS, options=["--gpu-graphs=whole"])
    without = {key: value for key, value in KERNELS.items() if key[0] != NODE}
    equal("kernels", launches(D.read("gpu", "--by=path")), without)


def driver_only():
    D.record(D.build("driver"))
    equal("kernels", launches(D.read("gpu", "--by=path")), {("void direct<double>(double)", "main > launch"): 11})


def forked_before():
    """The child has a collector of its own."""
    D.record(D.build("driver"), "before")
    report = D.read("gpu", "--by=path")
    equal("kernels", launches(report), {("void direct<double>(double)", "main > launch"): 11,
                                        ("void direct<double>(double)", "main > in_child > launch"): 7})
    equal("collectors", report["gpu_cover"]["sources"], 2)


def forked_after():
    """In a child of a process that used CUDA already nothing is recorded, and the child isn't harmed."""
    D.record(D.build("driver"), "after")
    report = D.read("gpu", "--by=path")
    rows = launches(report)
    equal("the parent's", rows[("void direct<double>(double)", "main > launch")], 11)
    equal("collectors", report["gpu_cover"]["sources"], 1)


def filters():
    """-F, -N, --tid and -D are about the host path."""
    D.record(D.build("paths"), STEPS)
    equal("-F add", launches(D.read("gpu", "--by=path", "-F", "add")), {(ADD, "main > step > add"): 2 * STEPS})
    equal("-N step", launches(D.read("gpu", "--by=path", "-N", "step")), {(NODE, "main > replayed"): 15})
    equal("-D 2", {row["host_path"] for row in D.read("gpu", "--by=path", "-D", "2")["kernels"]}, {"main > step",
                                                                                              "main > replayed"})


def combinations():
    for compiler in D.compilers:
        for level in ("-O0", "-O2") if compiler == D.compilers[0] else ("-O2",):
            yield f"paths {compiler} {level}", functools.partial(paths, compiler, level)


D.main([*combinations(), *((case.__name__, case) for case in (
    no_probes, aborted, inner_correlation, threads, many, whole_graphs, driver_only, forked_before, forked_after,
    filters))])
