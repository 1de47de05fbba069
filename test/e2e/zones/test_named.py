#!/usr/bin/env python3
"""test_named.py --prof PROF --compiler COMPILER - zones and points whose names are made at run time (prof.h), and programs that are
marked by ITT (prof_itt.h) and NVTX (prof_nvtx.h).

--real: with the real headers, ITT's of oneTBB's source, NVTX's where CUDA is installed; and what is marked by ITT there, a ray
tracer and oneTBB itself.  Else headers of ours stand for them."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

INCLUDE = programs.ROOT / "include"
FOREIGN = HERE / "foreign"
LONG = "l" * 219
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Wconversion", "-Werror"]
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}:\n  {got!r}, not\n  {wanted!r}")


def run(folder, *command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=500, check=False, cwd=folder, stdin=subprocess.DEVNULL)


def build(options, folder, source, flags, output):
    """Flags hold -x c or -x c++."""
    compiler = options.compiler.replace("gcc", "g++").replace("clang", "clang++") if "c++" in flags else options.compiler
    done = run(folder, compiler, *flags, "-g", f"-I{INCLUDE}", HERE / source, "-pthread", "-o", output)
    equal(f"{source} {flags}: warnings", done.stderr, "")


def read(options, folder, *command):
    done = run(folder, options.prof, *command, "-i", "data", "--format=json")
    return json.loads(done.stdout) if done.returncode == 0 else {}


def record(options, folder, what, *command, more=()):
    done = run(folder, options.prof, "record", "-o", "data", *more, *command)
    equal(f"{what}: status", done.returncode, 0)
    return done.stderr


def zones(options, folder):
    return {row["name"]: row["calls"] for row in read(options, folder, "report", "--by=zone").get("zones", [])}


def events(options, folder):
    """How often each point was reported: (event, name): values."""
    found = collections.defaultdict(list)
    for event in read(options, folder, "replay").get("events", []):
        if event["event"] not in ("call", "entry", "exit", "enter", "leave"):
            found[event["event"], event.get("name")].append(event.get("value"))
    return found


def cover(options, folder):
    found = read(options, folder, "tree").get("cover", {})
    return found.get("unmatched"), found.get("skipped")


def spans(options, folder):
    return {row["name"]: row["count"] for row in read(options, folder, "report", "--by=span").get("spans", [])}


def check_threads(options, folder, what):
    record(options, folder, what, "./named", "threads")
    equal(f"{what}: zones", zones(options, folder), {"job 0": 6, "job 1": 6, "job 2": 6, "step 0": 18, "step 1": 18, "literal": 36})
    equal(f"{what}: unmatched", cover(options, folder), (0, 6))
    tree = run(folder, options.prof, "tree", "-i", "data", "--under=job 1", "--min-share=0").stdout
    equal(f"{what}: under", ("step 1" in tree, "job 0" in tree), (True, False))


def check_points(options, folder, what):
    record(options, folder, what, "./named", "points")
    found = events(options, folder)
    for name, value in (("left", [0, 1]), ("right", [0.5, 1.5])):
        equal(f"{what}: {name}", (len(found["mark", name]), found["counter", name]), (2, value))
    equal(f"{what}: whole", found["counter", "whole"], [0, -1, -2, -3])
    equal(f"{what}: frames", len(found["frame", "round"]), 4)
    equal(f"{what}: spans", spans(options, folder), {"left": 2, "right": 2})


def check_odd(options, folder, what):
    record(options, folder, what, "./named", "odd")
    equal(f"{what}: zones", zones(options, folder), {LONG: 1, "(empty)": 1, "(null)": 1, "100% {a|b} ü": 1})
    equal(f"{what}: unmatched", cover(options, folder), (1, 0))


def check_many(options, folder, what):
    said = record(options, folder, what, "./named", "many")
    found = zones(options, folder)
    others = found.pop("(other names)", None)
    equal(f"{what}: names", (len(found), set(found.values()), others), (4031, {2}, 2 * (5000 - 4031)))
    equal(f"{what}: said", "(other names)" in said + run(folder, options.prof, "info", "-i", "data").stdout, True)
    equal(f"{what}: unmatched", cover(options, folder), (0, 0))


def check_forks(options, folder, what):
    record(options, folder, what, "./named", "forks")
    equal(f"{what}: zones", zones(options, folder), {"outer": 1, "parent": 3, "child": 4})


def check_pauses(options, folder, what):
    record(options, folder, what, "./named", "pauses")
    equal(f"{what}: zones", zones(options, folder), {"only even": 2})
    equal(f"{what}: unmatched", cover(options, folder), (0, 0))


def paths(options, folder, *names):
    """How often the calls above each call of these zones, and its own name, occurred."""
    found, stack = collections.Counter(), []
    for line in run(folder, options.prof, "replay", "-i", "data").stdout.splitlines()[1:]:
        text = line.split(None, 3)[3]
        name = re.sub(r"(\.constprop.*|\(.*| \[zone\].*)", "", text)
        if text.startswith("/*"):
            name = text.split()[2]
        if name in names:
            found[" ".join([*stack, name])] += 1
        if text.endswith("{"):
            stack.append(name)
        elif text.startswith("}"):
            stack.pop()
    return dict(found)


def check_lasts(options, folder, what, plugin):
    """The exit of a function comes after that of a zone in it, and after its last mark."""
    record(options, folder, what, "./named", "lasts")
    equal(f"{what}: unmatched", cover(options, folder), (0, 0))
    zone, mark = ("zone_last ", "mark_last ") if plugin else ("", "")
    found = {path.removeprefix("main ").removeprefix("lasts "): count for path, count in paths(options, folder, "last", "mark").items()}
    equal(f"{what}: lasts", found, {f"outer around {zone}last": 3, f"outer around {mark}mark": 3})


def check_jumps(options, folder, what):
    """A zone ends what longjmp left open inside of it."""
    record(options, folder, what, "./named", "jumps")
    found = {path.removeprefix("main ").removeprefix("jumps "): count for path, count in paths(options, folder, "round").items()}
    equal(f"{what}: jumps", found, {"round": 3})


def check_ways(options, folder, what):
    """Other ways to record and to read."""
    for more in (["--mode=summary"], ["--overhead=5%"]):
        record(options, folder, f"{what} {more}", "./named", "threads", more=more)
        equal(f"{what} {more}: zones", zones(options, folder).get("job 1"), 6)
    record(options, folder, f"{what} -F", "./named", "threads", more=["-F", "job 1"])
    equal(f"{what} -F: zones", "job 0" in zones(options, folder), False)
    equal(f"{what} -F: kept", zones(options, folder).get("job 1"), 6)


def check_tasks(options, folder, what, wanted_headers):
    build(options, folder, "tasks.c", what + wanted_headers + ["-include", "prof_itt.h"], "tasks")
    record(options, folder, what, "./tasks")
    equal(f"{what} itt: zones", zones(options, folder), {"task 0": 6, "task 1": 4, "part": 10})
    found = events(options, folder)
    queue = found["counter", "queue"]  # both threads may stand between their last +2 and -1: 8 + 2 + 2
    equal(f"{what} itt: queue", (len(queue), 10 in queue, max(queue, default=13) <= 12), (20, True, True))
    equal(f"{what} itt: load", found["counter", "load"], [0.5])
    equal(f"{what} itt: marks, frames", (len(found["mark", "here"]), len(found["frame", "outer"])), (3, 3))
    equal(f"{what} itt: spans", spans(options, folder), {"request": 3, "reply": 3, "outer": 3})
    equal(f"{what} itt: unmatched", cover(options, folder), (0, 0))


def check_ranges(options, folder, what, wanted_headers):
    build(options, folder, "ranges.c", what + wanted_headers + ["-include", "prof_nvtx.h"], "ranges")
    record(options, folder, what, "./ranges")
    equal(f"{what} nvtx: zones", zones(options, folder), {"solve": 4, "crossed": 4, "wïde": 4, **{f"step {i}": 1 for i in range(4)}})
    found = events(options, folder)
    equal(f"{what} nvtx: marks", (len(found["mark", "done"]), len(found["mark", "solve"])), (4, 4))
    equal(f"{what} nvtx: spans", spans(options, folder), {"copy 0": 2, "copy 1": 2, "solve": 4})


def check_scoped(options, folder, nvtx):
    flags = ["-x", "c++", "-std=c++17", "-O2", "-isystem", nvtx, "-include", "prof_nvtx.h"]
    build(options, folder, "scoped.cc", flags, "scoped")
    record(options, folder, "scoped", "./scoped")
    equal("scoped: zones", zones(options, folder), {"inner": 3, "function": 3, **{f"outer {i}": 1 for i in range(3)}})
    equal("scoped: spans", spans(options, folder), {"unique": 3})
    equal("scoped: marks", len(events(options, folder)["mark", "mark"]), 3)
    equal("scoped: unmatched", cover(options, folder), (0, 0))


def check_tachyon(options, folder, source):
    """Its source has no zones: it switches the recording on and off around the rendering."""
    tracer = source / "examples/parallel_for/tachyon"
    files = [path for path in sorted((tracer / "src").glob("*.cpp")) if not path.name.startswith("trace.") or path.name == "trace.simple.cpp"]
    compiler = options.compiler.replace("gcc", "g++").replace("clang", "clang++")
    common = [compiler, "-O1", "-w", "-DDO_ITT_NOTIFY=1", "-DRUNTIME=1", f"-I{source / 'examples'}", f"-I{source / 'examples/common'}", f"-I{source / 'include'}",
              "-isystem", source / "src/tbb/tools_api", f"-I{INCLUDE}", *programs.plugin_flags(options.prof, options.compiler), "-pthread"]
    done = run(folder, *common, "-include", "prof_itt.h", *files, source / "examples/common/gui/convideo.cpp", "-o", "tachyon")
    equal("tachyon: built", (done.returncode, done.stderr), (0, ""))
    scene = (tracer / "dat/balls3.dat").read_text()
    (folder / "scene.dat").write_text(re.sub(r"RESOLUTION .*", "RESOLUTION 48 48", scene))
    equal("tachyon: status", run(folder, "./tachyon", "scene.dat", "silent").returncode, 0)
    record(options, folder, "tachyon", "./tachyon", "scene.dat", "silent")
    rows = {row["name"].split("(")[0]: row["calls"] for row in read(options, folder, "report").get("functions", [])}
    equal("tachyon: rendered", rows.get("trace", 0) >= 48 * 47, True)
    equal("tachyon: after the pause", [name for name in rows if name.startswith(("rt_finalize", "destroy_scene"))], [])


def check_library(options, folder, source):
    """oneTBB itself: it begins and ends the tasks of its nodes in functions of their own."""
    compiler = options.compiler.replace("gcc", "g++").replace("clang", "clang++")
    common = [compiler, "-O1", "-w", "-std=c++17", "-fPIC", "-pthread", f"-I{source / 'include'}", "-DTBB_USE_PROFILING_TOOLS=1", *programs.plugin_flags(options.prof, options.compiler)]
    library = [*common, "-D__TBB_BUILD", "-D__TBB_USE_ITT_NOTIFY=1", "-DUSE_PTHREAD", "-mrtm", "-mwaitpkg", f"-I{source}", f"-I{source / 'src'}", f"-I{INCLUDE}",
               '-DPROF_ITT_HEADER="src/tbb/tools_api/ittnotify.h"', "-include", "prof_itt.h"]
    files = [path for path in sorted((source / "src/tbb").glob("*.cpp")) if path.name != "itt_notify.cpp"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda path: run(folder, *library, "-c", path, "-o", f"{path.stem}.o"), files):
            equal("oneTBB: built", (done.returncode, done.stderr), (0, ""))
    done = run(folder, *common, HERE / "flow.cc", HERE / "collector.cc", *(f"{path.stem}.o" for path in files), "-o", "flow", "-ldl")
    equal("flow graph: built", (done.returncode, done.stderr), (0, ""))
    expected = run(folder, "./flow").stdout
    record(options, folder, "flow graph", "./flow")
    found = zones(options, folder)  # how often threads help with a graph is up to them
    equal("flow graph: zones", (found.get("body"), sorted(found)), (1000, ["body", "tbb_flow_graph", "tbb_parallel_for"]))
    equal("flow graph: unmatched", cover(options, folder), (0, 0))
    equal("flow graph: output", expected, f"{500 * sum(range(2000)) + sum(range(500)) + sum(range(100))}\n")
    inside = json.loads(run(folder, options.prof, "report", "-i", "data", "--under=body", "--format=json").stdout)["functions"]
    equal("flow graph: in bodies", sum(row["calls"] for row in inside if row["name"].startswith("square")), 500)


def real_headers(options, folder):
    fetched = run(folder, programs.ROOT / "scripts/fetch-source.sh", "onetbb")
    if fetched.returncode:
        programs.skip("oneTBB's source can't be fetched")
    source = pathlib.Path(fetched.stdout.strip())
    for language in ("c", "c++"):
        check_tasks(options, folder, ["-x", language, "-O2"], ["-isystem", source / "src/tbb/tools_api"])
    check_tachyon(options, folder, source)
    check_library(options, folder, source)
    nvtx = [path for path in (pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include",) if (path / "nvtx3/nvToolsExt.h").exists()]
    for language in ("c", "c++") if nvtx else ():
        check_ranges(options, folder, ["-x", language, "-O2"], ["-isystem", nvtx[0]])
    if nvtx and (nvtx[0] / "nvtx3/nvtx3.hpp").exists():
        check_scoped(options, folder, nvtx[0])


def main():
    real = "--real" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--real"]
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-named-") as name:
        folder = pathlib.Path(name)
        if real:
            real_headers(options, folder)
        for language in () if real else ("c", "c++"):
            for flags in (["-O0"], ["-O2"], ["-O2", "-fPIC", "-fplugin"]):
                plugin = "-fplugin" in flags
                flags = ["-x", language, *(programs.plugin_flags(options.prof, options.compiler) if plugin else []), *[flag for flag in flags if flag != "-fplugin"], *STRICT]
                build(options, folder, "named.c", flags, "named")
                check_threads(options, folder, flags)
                if "-O0" in flags:
                    continue
                check_odd(options, folder, flags)
                check_points(options, folder, flags)
                check_lasts(options, folder, flags, plugin)
                if language == "c":
                    check_jumps(options, folder, flags)
                if plugin:
                    check_forks(options, folder, flags)
                    check_pauses(options, folder, flags)
                    check_ways(options, folder, flags)
                else:
                    check_many(options, folder, flags)
                    standard = ["-std=c11"] if language == "c" else ["-std=c++11"]
                    check_tasks(options, folder, flags, [f"-I{FOREIGN}", *standard])
                    check_ranges(options, folder, flags, [f"-I{FOREIGN}", *standard])
            build(options, folder, "named.c", ["-x", language, "-O2", "-DPROF_NO_ZONES"], "none")
            run(folder, "./none", "threads")
    print("\n".join(faults) or "as marked")
    sys.exit(bool(faults))


main()
