#!/usr/bin/env python3
"""NVTX ranges and what was asked of the GPU in them; what bounds a recording; PROF_RECORD=1 without `prof record`; who is
attached already."""
import json
import pathlib
import re
import shutil

import doubles
from doubles import contains, equal

D = doubles.Doubles()
STEPS = 4


def kernels(report):
    return sum(row["launches"] for row in report["kernels"])


def check_ranges():
    report = D.read()
    rows = {row["name"]: (row["instances"], row["kernels"], row["copies"]) for row in report["ranges"]}
    equal("ranges", rows, {"whole": (1, 10, 4), "step": (STEPS, 10, 4), "inner": (STEPS, 0, 4)})
    steps = D.read("gpu", "--nvtx=st*")["instances"]
    equal("instances", [(row["number"], row["kernels"], row["copies"]) for row in steps],
          [(number, number, 1) for number in range(1, STEPS + 1)])
    equal("order", steps, sorted(steps, key=lambda row: row["start_ns"]))
    hz = D.read("info")["clock_hz"]
    for row in steps:
        works = {work["short_name"]: work for work in row["works"]}
        equal("works", {name: work["count"] for name, work in works.items()}, {"empty": row["number"], "host to device": 1})
        equal("time", abs(works["empty"]["total_ns"] - row["number"] * 1010e9 / hz) <= 2, True)
        equal("sum", abs(sum(work["total_ns"] for work in row["works"]) - row["gpu_ns"]) <= 2, True)


def ranges():
    for options in (["-O2"], ["-O0"]):
        D.record(D.build("ranges", flags=options))
        equal("the program's own output", D.output, f"{STEPS} steps\n")
        check_ranges()
    text = D.run([D.prof, "gpu", "-i", "data", "--nvtx=step", "-n", "1"]).stdout
    equal("the table", bool(re.match(r"step #1: .* in thread \d+; .* on the GPU\n", text)), True)
    contains("the table", text, "... and 3 more")
    result = D.run([D.prof, "gpu", "-i", "data", "--nvtx=nowhere"])
    equal("status", result.returncode, 1)
    contains("said", result.stderr, "no range of NVTX matches 'nowhere'")


def around_launches():
    """Without probes, ranges that the launching thread pushed are part of the host's path, beneath who pushed them."""
    for compiler in D.compilers:
        said = D.record(D.build("ranges", compiler, ["-O2", "-fno-omit-frame-pointer"], plugin=False))
        contains("what to look at", said, "prof: next: prof gpu -i data, prof flame --gpu -i data")
        report = D.read("gpu", "--by=path")
        equal(f"kernels, {compiler}", {row["host_path"]: row["launches"] for row in report["kernels"]}, {"main > step > range step": 10})
        equal(f"copies, {compiler}", {row["host_path"]: row["count"] for row in report["copies"]},
              {"main > step > range step > range inner": STEPS})
        equal("pathless", report["gpu_cover"]["pathless"], 0)
    picture = D.run([D.prof, "flame", "-i", "data", "--gpu", "-o", "-"]).stdout
    contains("the picture", picture, "<title>range inner\n")
    D.record(D.build("ranges"))
    equal("with probes", {row["host_path"] for row in D.read("gpu", "--by=path")["kernels"]}, {"main > step"})


def open_ranges():
    """Ranges that never end are there, marked, up to the end; also when the program aborts."""
    for word, status in (("open", 0), ("abort", -6)):
        D.record(D.build("ranges"), word, status=status)
        report = D.read()
        rows = {row["name"]: (row["instances"], row["open"], row["kernels"]) for row in report["ranges"]}
        equal(f"ranges, {word}", rows, {"whole": (1, 1, 1), "step": (1, 1, 1)})
        step, = D.read("gpu", "--nvtx=step")["instances"]
        equal("open", step["open"], True)
        if step["duration_ns"] < 150_000_000:  # what was there when the collector last looked is there: programs/delivered.h
            raise AssertionError(f"{word}: {step['duration_ns']} ns")
        contains("the table", D.run([D.prof, "gpu", "-i", "data"]).stdout, "1 at the end")
        contains("the instances", D.run([D.prof, "gpu", "-i", "data", "--nvtx=step"]).stdout, "(still open at the end)")
    D.record(D.build("ranges"))
    equal("none is open", {row["open"] for row in D.read()["ranges"]}, {0})


def names():
    """What the program calls its threads, devices and streams: in all views."""
    D.record(D.build("ranges"), "names")
    report = D.read()
    stream, = (row["stream"] for row in report["streams"] if row["name"] == "side <1>")
    equal("device", (report["devices"][0]["called"], report["devices"][0]["name"]), ("trainer", "Double 9000"))
    contains("the table", D.run([D.prof, "gpu", "-i", "data"]).stdout, "trainer (Double 9000)")
    steps = D.read("gpu", "--nvtx=step")["instances"]
    equal("thread", {row["thread_name"] for row in steps}, {'the "loader"'})
    events = [event for event in D.read("replay")["events"] if event["event"] == "gpu"]
    equal("replay", {(event["device_called"], event["thread_called"]) for event in events}, {("trainer", 'the "loader"')})
    equal("streams in replay", {event["stream"] for event in events if event.get("stream_called") == "side <1>"}, {stream})
    contains("the text", D.run([D.prof, "replay", "-i", "data"]).stdout, "GPU trainer, stream side <1>, ")
    exported = json.loads(D.run([D.prof, "export", "-i", "data", "--format=chrome"]).stdout)["traceEvents"]
    labels = {event["args"]["name"] for event in exported if event["name"] == "thread_name"}
    equal("labels", {f"GPU 0 (trainer) stream {stream} (side <1>)", 'the "loader"'} <= labels, True)


def real_nvtx():
    """The same with NVIDIA's header, where it is."""
    nvcc = shutil.which("nvcc")
    places = [pathlib.Path("/usr/local/cuda/include")] + ([pathlib.Path(nvcc).resolve().parents[1] / "include"] if nvcc else [])
    folder = next((place for place in places if (place / "nvtx3" / "nvToolsExt.h").exists()), None)
    if folder is None:
        raise doubles.Skip("NVIDIA's nvtx3 is not here")
    D.record(D.build("ranges", flags=["-O2", "-DREAL_NVTX", "-isystem", str(folder)]))
    check_ranges()


def without_record():
    """Plain: NVTX loads nothing, and the program says the same."""
    result = D.run([D.build("ranges")], {"LD_LIBRARY_PATH": str(D.libraries)})
    equal("output", (result.stdout, result.stderr, result.returncode), (f"{STEPS} steps\n", "", 0))


def capture_range():
    D.record(D.build("ranges"), options=["--capture-range=inner"])
    report = D.read()
    equal("in inner", (kernels(report), report["gpu_cover"]["copies"], report["gpu_cover"]["calls"]), (0, STEPS, STEPS))
    D.record(D.build("ranges"), options=["--capture-range=step"])
    report = D.read()
    equal("in step", (kernels(report), report["gpu_cover"]["copies"]), (10, STEPS))
    equal("unmatched", report["gpu_cover"]["unmatched"], 0)
    contains("options", D.read("info")["options"], "--capture-range=step")
    equal("ranges", {row["name"] for row in report["ranges"]}, {"whole", "step", "inner"})
    equal("calls", {row["name"] for row in D.read("report")["functions"]} - {"nvtx_double_at"} <= {"step"}, True)
    equal("slices", len(D.read("info")["slices"]), STEPS)


def profiler_api():
    program = D.build("ranges")
    D.record(program, "api", options=["--capture-range=cudaProfilerApi"])
    equal("from start to stop", kernels(D.read()), 2 + 3)
    D.record(program, "api")
    equal("up to the stop", kernels(D.read()), 1 + 2 + 3)
    D.record(program, options=["--capture-range=cudaProfilerApi"])
    equal("never started", D.run([D.prof, "gpu", "-i", "data"]).returncode, 1)


def delay():
    D.record(D.build("ranges"), options=["--delay=1h"])
    equal("after an hour", D.run([D.prof, "gpu", "-i", "data"]).returncode, 1)
    D.record(D.build("ranges"), options=["--duration=1h"])
    equal("within an hour", kernels(D.read()), 10)


def recorded_by_itself():
    """PROF_RECORD=1 alone: the runtime starts the recorder, and CUDA loads the collector."""
    D.run(["rm", "-rf", "data", "prof.data"])
    environment = {"LD_LIBRARY_PATH": str(D.libraries), "PROF_RECORD": "1", "PROF_HELPER": str(D.prof),
                   "PROF_RUNTIME": str(D.prof.parent.parent / "runtime" / "libprof-runtime.so.1")}
    result = D.run([D.build("ranges")], {**environment, "PROF_OPTIONS": "-o data"})
    equal("output", (result.stdout, result.returncode), (f"{STEPS} steps\n", 0))
    wait_for_end()
    check_ranges()
    D.run(["rm", "-rf", "data"])
    D.run([D.build("ranges")], {**environment, "PROF_OPTIONS": "-o data --gpu=off"})
    wait_for_end()
    equal("switched off", D.run([D.prof, "gpu", "-i", "data"]).returncode, 1)
    D.run(["rm", "-rf", "data"])
    D.run([D.build("ranges")], {**environment, "PROF_OPTIONS": "-o data --capture-range=step"})
    wait_for_end()
    equal("only in steps", kernels(D.read()), 10)
    equal("nothing else", D.read()["gpu_cover"]["calls"], 10 + STEPS)
    equal("its slices", len(D.read("info")["slices"]), STEPS)


def wait_for_end():
    """The recorder outlives the program a little."""
    import time
    for _ in range(12000):
        result = D.run([D.prof, "info", "-i", "data", "--format=json"])
        if result.returncode == 0 and '"complete":true' in result.stdout:
            return
        time.sleep(0.05)
    raise AssertionError("the recording was not completed")


def metrics():
    """NVML is read ten times a second; with `abort`, paths stays until it was read three times."""
    D.record(D.build("paths"), 10, "abort", options=["--gpu-metrics"], status=-6)
    row, = D.read()["metrics"]
    equal("some readings", row["readings"] >= 3, True)
    wanted = 0.6 if row["readings"] % 2 == 0 else (60 * row["readings"] - 20) / row["readings"] / 100
    equal("utilisation", abs(row["utilization"] - wanted) < 0.001, True)
    equal("memory", row["most_memory_bytes"], 1000 * row["readings"])
    equal("power", row["power_milliwatts"], 250000)
    # of the readings after the first one, if those are a second apart; less says nothing
    equal("energy", row["energy_millijoules"] in (0, 25000 * (row["readings"] - 1)), True)
    D.record(D.build("paths"), 10)
    equal("not asked for", D.read()["metrics"], [])
    said = D.record(D.build("paths"), 10, options=["--gpu-metrics"], environment={"GPU_DOUBLE_NVML": "9"})
    contains("a fault", said, "GPU metrics are not recorded: NVML does not start")


def somebody_else():
    said = D.record(D.build("ranges"), environment={"GPU_DOUBLE_SUBSCRIBE": "39", "GPU_DOUBLE_OTHER": "Nsight Systems"})
    contains("who", said, "another profiler or debugger is attached to this process; record without it; it is Nsight Systems")


D.main([(case.__name__, case) for case in (ranges, around_launches, open_ranges, names, real_nvtx, without_record, capture_range, profiler_api, delay,
                                              recorded_by_itself, metrics, somebody_else)])
