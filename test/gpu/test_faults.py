#!/usr/bin/env python3
"""Every fault that a GPU library was seen to have is survived: counted, said, and the rest of the trace complete."""
import functools

import doubles
from doubles import contains, equal

STEPS = 100
KERNELS = 3 * STEPS + 15
D = doubles.Doubles()


def every(number, of=KERNELS):
    return of // number


def host_trace_is_complete():
    rows = {row["name"]: row["calls"] for row in D.read("report")["functions"]}
    equal("host calls", (rows["step"], rows["scale"], rows["add"], rows["replayed"]), (STEPS, STEPS, 2 * STEPS, 5))


# name: environment, figures of gpu_cover that differ from none, kernels left
COUNTED = {
    "dropped records": ({"GPU_DOUBLE_DROP": "10"}, {"dropped": every(10)}, KERNELS - every(10)),
    "records without a time": ({"GPU_DOUBLE_ZERO": "7"}, {"untimed": every(7)}, KERNELS),
    "records of no call": ({"GPU_DOUBLE_UNMATCHED": "9"}, {"unmatched": every(9)}, KERNELS),
    "records out of order": ({"GPU_DOUBLE_ORDER": "reverse"}, {}, KERNELS),
    "records of another kind": ({"GPU_DOUBLE_STRANGER": "1"}, {"unknown": None}, KERNELS),
    "records of CUDA 11.8's length": ({"GPU_DOUBLE_KERNEL_BYTES": "200"}, {}, KERNELS),
    "records without graph nodes": ({"GPU_DOUBLE_KERNEL_BYTES": "144"}, {}, KERNELS),
    "all at once": ({"GPU_DOUBLE_DROP": "10", "GPU_DOUBLE_ZERO": "7", "GPU_DOUBLE_UNMATCHED": "9",
                     "GPU_DOUBLE_ORDER": "reverse", "GPU_DOUBLE_KERNEL_BYTES": "160"},
                    {"dropped": every(10), "untimed": None, "unmatched": None}, KERNELS - every(10)),
}
FAULTS = ("dropped", "untimed", "unmatched", "pathless", "unknown", "lost", "early", "hung", "damaged_chunks")


def counted(environment, figures, kernels):
    said = D.record(D.build("paths"), STEPS, environment=environment)
    cover = D.read()["gpu_cover"]
    equal("kernels", cover["kernels"], kernels)
    for fault in FAULTS:
        if fault in figures and figures[fault] is None:
            equal(f"some {fault}", cover[fault] > 0, True)
        else:
            equal(fault, cover[fault], figures.get(fault, 0))
    for word, key in (("lost", "dropped"), ("without a time", "untimed")):
        contains("what prof record says", said, f"{cover[key] or 'none'} {word}")
    host_trace_is_complete()


def early():
    """Kernels that begin before their call: the clock's error is said."""
    D.record(D.build("paths"), STEPS, environment={"GPU_DOUBLE_EARLY": "5"})
    cover = D.read()["gpu_cover"]
    equal("early", cover["early"], every(5))
    equal("by some microseconds", cover["early_worst_ns"] > 1000, True)  # more where the thread was kept waiting in between


def own_clock():
    """A library that won't take our clock: its nanoseconds are converted, and no kernel begins before its call."""
    D.record(D.build("paths"), STEPS, environment={"GPU_DOUBLE_NO_CLOCK": "1"})
    report = D.read()
    cover = report["gpu_cover"]
    equal("converted", cover["converted_clock"], True)
    equal("kernels", cover["kernels"], KERNELS)
    wanted = 2 * STEPS * 1200 + STEPS // 2 * 2210 + 15 * 1010  # the double's units are nanoseconds now
    if abs(cover["kernel_ns"] - wanted) > wanted / 50:
        raise AssertionError(f"time of kernels {cover['kernel_ns']} ns, expected {wanted}")
    equal("early", cover["early"], 0)


# environment, what prof record must say
REFUSED = {
    "another profiler": ({"GPU_DOUBLE_SUBSCRIBE": "39"}, "another profiler or debugger is attached"),
    "CUPTI newer than the driver": ({"GPU_DOUBLE_SUBSCRIBE": "999"}, "this CUPTI is newer than the driver"),
    "not compatible": ({"GPU_DOUBLE_SUBSCRIBE": "14"}, "this CUPTI is newer than the driver"),
    "not permitted": ({"GPU_DOUBLE_ENABLE": "10:35"}, "allows this to the administrator only"),
    "no CUPTI": ({"PROF_CUPTI": "/nowhere/libcupti.so.13"}, "/nowhere/libcupti.so.13 is no CUPTI library"),
    "an older CUPTI": ({"PROF_CUPTI": "libz.so.1"}, "has no cuptiGetVersion; it takes CUPTI 11.8 or later"),
}


def refused(environment, words):
    said = D.record(D.build("paths"), STEPS, environment=environment)
    lines = [line for line in said.splitlines() if "GPU" in line]
    equal("lines about the GPU", len(lines), 1)
    contains("the line", lines[0], words)
    host_trace_is_complete()
    contains("note of the trace", " ".join(D.read("info")["notes"]), words)
    result = D.run([D.prof, "gpu", "-i", "data"])
    equal("status of prof gpu", result.returncode, 1)
    contains("prof gpu", result.stderr, "this recording has no GPU activity")


def hanging_flush():
    """The program ends all the same; what was delivered before is there."""
    said = D.record(D.build("paths"), STEPS, environment={"GPU_DOUBLE_HANG": "last", "PROF_GPU_FLUSH_MS": "300"})
    contains("what prof record says", said, "the last GPU records are lost: no flush within 300 ms")
    cover = D.read()["gpu_cover"]
    equal("hung", cover["hung"], 1)
    equal("API calls, which need no flush", cover["calls"], 3 * STEPS + 16)
    host_trace_is_complete()


def finalized():
    """CUPTI is ended in the middle: what was before is there, and it is said that something is missing."""
    said = D.record(D.build("paths"), STEPS, environment={"GPU_DOUBLE_FINALIZE": "301"})
    contains("what prof record says", said, "cuptiFinalize ended CUPTI, time 1")
    cover = D.read()["gpu_cover"]
    equal("some kernels, not all", 100 < cover["kernels"] < KERNELS, True)
    equal("unmatched, early, damaged", [cover[key] for key in ("unmatched", "early", "damaged_chunks")], [0, 0, 0])
    equal("the clocks are not said to be seconds apart", cover["clock_error_ns"] < 1000000000, True)
    host_trace_is_complete()


def begun_again():
    """It is ended by the program, three times, and taken up again each time: all that the program asked for then is there."""
    said = D.record(D.build("works"), "restart", "3")
    contains("what prof record says", said, "cuptiFinalize ended CUPTI")
    contains("what it means", said, "before prof began again")
    notes = [note for note in D.read("info")["notes"] if "ended CUPTI" in note]
    equal("notes of the trace", [f"time {i + 1}:" in note for i, note in enumerate(notes)], [True] * 3)
    rows = doubles.launches(D.read("gpu", "--by=path"))
    equal("kernels", rows, {("twice(float*)", "main > restart > before > launch"): 10,
                            ("twice(float*)", "main > restart > after > launch"): 60})
    cover = D.read()["gpu_cover"]
    equal("unmatched, early", (cover["unmatched"], cover["early"]), (0, 0))
    rows = {row["name"]: row["calls"] for row in D.read("report")["functions"]}
    equal("host calls", (rows["launch"], rows["after"]), (73, 3))


def ended_within_a_call():
    """Its end is never heard of; the thread's later calls are outermost ones all the same."""
    D.record(D.build("works"), "restart", "1", environment={"GPU_DOUBLE_FINALIZE": "4"})
    report = D.read("gpu", "--by=path")
    rows = doubles.launches(report)
    equal("kernels", rows, {("twice(float*)", "main > restart > before > launch"): 1, ("twice(float*)", ""): 1,
                            ("twice(float*)", "main > restart > after > launch"): 20})
    equal("unmatched", report["gpu_cover"]["unmatched"], 1)
    # Without probes the path is the outermost call's.
    program = D.build("works", flags=["-O2", "-fno-omit-frame-pointer"], plugin=False)
    D.record(program, "restart", "1", environment={"GPU_DOUBLE_FINALIZE": "4"})
    rows = doubles.launches(D.read("gpu", "--by=path"))
    equal("kernels without probes", rows.get(("twice(float*)", "main > restart > after > launch")), 20)


def taken_over():
    """It is ended, and another profiler comes before we begin again."""
    said = D.record(D.build("works"), "restart", "1", environment={"GPU_DOUBLE_SUBSCRIBE_AGAIN": "39"})
    contains("what prof record says", said, "GPU activity is not recorded any more: CUPTI was ended while the program ran")
    contains("what prof record says", said, "cuptiSubscribe: error 39")
    equal("error of the clocks below a second", D.read()["gpu_cover"]["clock_error_ns"] < 1000000000, True)
    equal("kernels before", D.read()["gpu_cover"]["kernels"], 10)


def size_limit():
    """A recording that ends by --max-size ends for the GPU too, and can be read."""
    said = D.record(D.build("many"), 1, 600000, options=["--max-size=1M"])
    contains("what prof record says", said, "the recording reached its size limit")
    report = D.read()
    equal("some kernels", 0 < report["gpu_cover"]["kernels"] < 600000, True)
    equal("complete", D.read("info")["complete"], True)
    size = (D.folder / "data" / "trace").stat().st_size
    if size > 1 << 20:
        raise AssertionError(f"the trace has {size} bytes")


D.main([*((name, functools.partial(counted, *case)) for name, case in COUNTED.items()), ("early", early),
        ("own_clock", own_clock), *((name, functools.partial(refused, *case)) for name, case in REFUSED.items()),
        ("hanging_flush", hanging_flush), ("finalized", finalized),
        ("begun_again", begun_again), ("ended_within_a_call", ended_within_a_call), ("taken_over", taken_over), ("size_limit", size_limit)])
