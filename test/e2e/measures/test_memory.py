#!/usr/bin/env python3
"""`prof record --memory` and `prof memory`: see README.md."""
import collections
import json
import re
import shlex
import shutil
import sys
import tempfile

from bench import HERE, Bench


def check(bench, program, done):
    """Compares the rows, by function, with the lines "want FUNCTION CALLS BYTES LEFT" that the program prints."""
    memory = bench.read("memory")
    got = collections.Counter()
    for site in memory.get("sites", []):
        name = re.sub(r"\(.*", "", site["function"])
        name += "/plugin_make" if site["via"] == "plugin_make" else ""
        got[name, "calls"] += site["calls"]
        got[name, "bytes"] += site["bytes"]
        got[name, "left"] += site["live_bytes"]
    wanted = re.findall(r"^want (\S+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
    bench.equal(f"{program}: wants", bool(wanted), True)
    for name, *numbers in wanted:
        bench.equal(f"{program}: {name}", [got[name, key] for key in ("calls", "bytes", "left")], [int(number) for number in numbers])
    for kind, before in (("heap", ""), ("mapped", "mapped_")):
        for key in ("bytes", "live_bytes", "peak_bytes"):
            bench.equal(f"{program}: sum of {kind} {key}", sum(site[key] for site in memory.get("sites", []) if site["kind"] == kind), memory.get(before + key))
    return memory


def lines(bench, source, memory):
    """Sites of the program's own code name a line that allocates."""
    text = (bench.folder / source).read_text().splitlines()
    for site in memory.get("sites", []):
        if site["line"] and site["file"].endswith(source):
            line = text[site["line"] - 1]
            bench.equal(f"{source}:{site['line']}", bool(re.search(r"alloc|memalign|mmap|new|reserve|text\(|push_back", line)), True)


def static(bench):
    """Its calls are recorded; one line says that its allocations aren't.  No linker warns."""
    libraries = shlex.split(bench.run(bench.prof, "config", "--static").stdout)
    program = bench.build("static.c", "static", "-static", *libraries)
    done = bench.record(program)
    bench.equal("static: says why", "prof: a static program: no measures" in done.stderr, True)
    bench.equal("static: next", "prof: next: prof report -i data," in done.stderr, True)
    missing = bench.run(bench.prof, "memory", "-i", "data")
    bench.equal("static: memory", (missing.returncode, "a static program" in missing.stderr), (1, True))


def growth(bench):
    """Marks, zones and requests: what lived when, and what only grows."""
    bench.record(bench.build("growth.c", "growth", f"-I{HERE.parents[2] / 'include'}"))
    times = bench.read("memory", "--over-time=marks")["times"]
    bench.equal("marks", [row["mark"] for row in times], ["loaded", "half", "served", "[end]"])
    live = [row["live_bytes"] for row in times]
    bench.equal("live", [live[1] - live[0], live[2] - live[1]], [12000 + 20000, 12000])
    bench.equal("the rest", live[2] - live[3] >= 120000, True)
    between = bench.read("memory", "--between=half~served")
    row = between["sites"][0]
    bench.equal("between", (row["function"], row["after_bytes"] - row["before_bytes"], row["after_calls"] - row["before_calls"]), ("leak", 12000, 12))
    bench.equal("others", {site["after_bytes"] - site["before_bytes"] for site in between["sites"][1:]}, {0})
    grows = bench.run(bench.prof, "memory", "-i", "data", "--growth=4000", "--format=csv")
    bench.equal("growth", (grows.returncode, [line.split(",")[0] for line in grows.stdout.splitlines()[1:]]), (1, ["leak"]))
    bench.equal("no growth", bench.run(bench.prof, "memory", "-i", "data", "--growth=1M").returncode, 0)
    zones = {zone["name"]: zone for zone in bench.read("memory", "--by=zone")["zones"] if zone["kind"] == "heap"}
    bench.equal("zone", [zones["keep"][key] for key in ("calls", "bytes", "live_bytes")], [24, 120000, 0])
    requests = {request["id"]: request for request in bench.read("memory", "--by=request")["requests"] if request["kind"] == "heap"}
    bench.equal("requests", [requests[id]["bytes"] for id in (0, 1)], [12 * 26000] * 2)
    sizes = {size["least_bytes"]: size["calls"] for size in bench.read("memory", "--by=size")["sizes"] if size["kind"] == "heap"}
    bench.equal("sizes", [sizes[size] for size in (16384, 4096, 65536)], [24, 24, 1])


def processes(bench):
    """What a process has ends with it, by exit and by exec; what each left is still there."""
    mebibyte = 1 << 20
    bench.record(bench.build("processes.c", "processes"))
    memory = bench.read("memory")
    keep = [site for site in memory["sites"] if site["function"] == "keep"][0]
    bench.equal("processes: sum", [keep[key] for key in ("calls", "peak_bytes", "live_bytes", "live_calls")], [8, mebibyte, 8 * mebibyte, 8])
    bench.equal("processes: peak", memory["peak_bytes"] < 2 * mebibyte, True)
    bench.equal("processes: that left something", memory["live_processes"], 8)
    bench.equal("processes: growth", bench.run(bench.prof, "memory", "-i", "data", "--growth=100K").returncode, 0)
    bench.equal("processes: over time", all(row["live_bytes"] < 2 * mebibyte for row in bench.read("memory", "--over-time")["times"]), True)
    bench.run(bench.prof, "export", "-i", "data", "--format=chrome", "-o", "processes.json")
    events = json.loads((bench.folder / "processes.json").read_text())["traceEvents"]
    heap = [event["args"]["bytes"] for event in events if event["ph"] == "C" and event["name"] == "heap"]
    bench.equal("processes: counters that fell", sum(count == 0 for count in heap), 7)


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        for name in ("memory.c", "memory.cc"):
            shutil.copy(HERE / name, folder)
        library = bench.build("plugin.c", "libplugin.so", "-shared", "-fPIC", plugin=False)
        for flags in ([], ["-no-pie", "-fno-plt"], ["-Wl,-z,now,-z,relro"], ["-Wl,-z,lazy"]):
            program = bench.build("memory.c", "memory", *flags, "-ldl")
            done = bench.record(program, library)
            lines(bench, "memory.c", check(bench, f"memory.c {flags}", done))
        program = bench.build("memory.cc", "memory_cc")
        lines(bench, "memory.cc", check(bench, "memory.cc", bench.record(program)))
        done = bench.record(bench.build("allocator.c", "allocator"))
        bench.equal("next", "prof: next: prof memory -i data, prof report -i data," in done.stderr, True)
        growth(bench)
        processes(bench)
        static(bench)
        bench.equal("nothing without the option", "libprof-measures" in bench.run("env", "LD_DEBUG=files", bench.prof, "record", "-o", "off", program).stderr, False)
        bench.equal("no allocations", bench.run(bench.prof, "memory", "-i", "off").returncode, 1)
        return bench.end("allocations are as the programs count them")


sys.exit(main())
