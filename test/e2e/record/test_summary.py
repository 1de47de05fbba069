#!/usr/bin/env python3
"""prof record --mode=summary: calls and paths as in a full recording; what a killed recorder leaves; SIGUSR2; what it refuses."""
import json
import pathlib
import signal
import struct

import recording
from recording import PATIENCE_S, contains, equal, wait_for

HEADERS = pathlib.Path(__file__).resolve().parents[3] / "include"
COUNTED = """#include <stdlib.h>
#include <prof.h>
int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 0;
  for (long i = 0; i < count; i++)
    PROF_COUNTER("queue", i * 7919 % count - 100, "items");
  return 0;
}
"""



def calls_of_all(bench, data):
    report = json.loads(bench.run([bench.prof, "report", "-i", data, "--format", "json", "-n", "0"]).stdout)
    return sorted((row["name"], row["calls"]) for row in report["functions"])


def paths_of(node, above=()):
    """(path, calls) of a tree's JSON and all beneath."""
    if isinstance(node, list):
        return [path for one in node for path in paths_of(one, above)]
    found = []
    if isinstance(node, dict):
        if "calls" in node and "name" in node:
            above = (*above, node["name"])
            found.append((above, node["calls"]))
        found += [path for value in node.values() for path in paths_of(value, above)]
    return found


def tree_of(bench, data):
    result = bench.run([bench.prof, "tree", "-i", data, "--format", "json", "--min-share=0", "-n", "0"])
    equal("status of prof tree", (result.returncode, result.stderr), (0, ""))
    return sorted(paths_of(json.loads(result.stdout)))


def as_recorded_in_full(bench):
    for arguments in (["threads", 4, 20000], ["nested", 50, 3]):
        bench.record(*arguments, options=["--full", "-o", "full.data"])
        bench.record(*arguments, options=["--mode=summary", "-o", "sum.data"])
        equal("calls", calls_of_all(bench, "sum.data"), calls_of_all(bench, "full.data"))
        equal("tree", tree_of(bench, "sum.data"), tree_of(bench, "full.data"))
        equal("verify", bench.run([bench.prof, "verify", "sum.data"]).returncode, 0)


def counted(file):
    return struct.unpack("qq", file.read_bytes()[:16])[0]


def start(bench, options):
    file = bench.folder / "page"
    file.write_bytes(bytes(16))
    process = bench.start([bench.prof, "record", "--mode=summary", *options, bench.program, "until", file])
    wait_for("calls", lambda: counted(file) > 10000)
    return file, process


def stop(file):
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))


def recorder_killed(bench):
    """The last file stays, readable by itself."""
    file, process = start(bench, ["--every=200ms"])
    trace = bench.folder / "prof.data/trace"
    wait_for("a file", lambda: trace.exists() and bench.calls_so_far("leaf") > 10000)
    process.kill()
    process.wait(timeout=PATIENCE_S)
    stop(file)
    process.communicate(timeout=PATIENCE_S)  # the program has its pipes
    if not 10000 < bench.calls_of("leaf") <= counted(file):
        raise AssertionError(f"{bench.calls_of('leaf')} calls of {counted(file)}")


def on_a_signal(bench):
    file, process = start(bench, ["--every=1000s"])
    before = counted(file)
    process.send_signal(signal.SIGUSR2)
    trace = bench.folder / "prof.data/trace"
    wait_for("a file with all calls until then", lambda: trace.exists() and bench.calls_so_far("leaf") >= before)
    stop(file)
    output, _ = process.communicate(timeout=PATIENCE_S)
    equal("calls at the end", f"{bench.calls_of('leaf')}\n", output)


def within_memory(bench):
    """Beyond a limit of memory paths become [other]; each function's calls stay exact."""
    program = bench.folder / "paths"
    bench.build("paths.c", program)
    for limit, least in (("--max-memory=1M", 1), ("--max-memory=1G", 0)):
        output = bench.record(300000, program=program, options=["--mode=summary", "--every=50ms", limit]).stdout
        calls = [bench.calls_of(f"walk_{letter}") for letter in "abcd"]
        equal(f"calls with {limit}", calls, [int(word) for word in output.split()])
        report = bench.read("report")
        if report["cover"].get("folded_paths", 0) < least:
            raise AssertionError(f"{limit}: {report['cover']}")


def sums_of(bench, data, command, rows, keys):
    """Figures that don't depend on time, by what the rows are about."""
    result = bench.run([bench.prof, command, "-i", data, "--format=json", "-n", "0", *(["--all"] if command == "locks" else [])])
    equal(f"status of {command} on {data}: {result.stderr}", result.returncode, 0)
    return sorted(tuple(row[key] for key in keys) for row in json.loads(result.stdout)[rows])


def measures(bench):
    """As in a full recording, over many stretches; by a second at least, so that some lie in between."""
    program = bench.folder / "measured"
    bench.build("measured.c", program)
    for data, options in (("full.data", ["--full"]), ("sum.data", ["--mode=summary", "--every=100ms"])):
        bench.record(2500, program=program, options=[*options, "--memory", "--locks", "--io", "-o", data])
    for command, rows, keys in (("memory", "sites", ("function", "line", "kind", "calls", "bytes", "live_bytes", "live_calls", "peak_bytes")),
                                ("io", "sites", ("function", "line", "path", "operation", "calls", "failed", "errors", "bytes")),
                                ("locks", "locks", ("name", "kind", "locks", "acquisitions"))):
        full = sums_of(bench, "full.data", command, rows, keys)
        equal(f"prof {command}", sums_of(bench, "sum.data", command, rows, keys), full)
        equal(f"prof {command} has rows", len(full) > 1, True)
    waits = [{row["name"]: row["wait_ns"] for row in bench.read("locks", data)["locks"]}["held"] for data in ("full.data", "sum.data")]
    equal(f"a wait of 2.4 seconds and more: {waits}", [wait > 2e9 for wait in waits], [True, True])
    equal("verify", bench.run([bench.prof, "verify", "sum.data"]).returncode, 0)
    for words in (["memory", "--over-time"], ["memory", "--between=~50%"], ["memory", "--growth=1M"], ["memory", "--by=request"],
                  ["locks", "-F", "main"], ["io", "--tid=1"]):
        refusal = bench.run([bench.prof, *words, "-i", "sum.data"])
        equal(f"status of {words}", refusal.returncode != 0, True)
        contains(f"what {words} says", refusal.stderr, "summary" if "--tid=1" not in words else "tid")


def measures_within_memory(bench):
    """Beyond the limit rows become [other]; their sums stay exact."""
    program = bench.folder / "measured"
    bench.build("measured.c", program)
    bench.record(1, 20000, program=program, options=["--mode=summary", "--max-memory=256K", "--memory", "--io"])
    memory = bench.read("memory", "prof.data", "--paths")
    equal("all allocations", sum(row["calls"] for row in memory["sites"]), memory["calls"])
    equal("[other]", any(row["function"] == "[other]" for row in memory["sites"]), True)
    deep = bench.read("memory", "prof.data", "--by=size")
    equal("calls of deep", sum(row["calls"] for row in deep["sizes"] if row["least_bytes"] == 4096), 20000)


def counters(bench):
    """PROF_COUNTER: figures of all values; their number grows beyond what is kept."""
    program, count = bench.folder / "counted", 100000
    source = bench.folder / "counted.c"
    source.write_text(COUNTED)
    bench.build_plain([source], program, ["-g", "-O1", f"-I{HEADERS}", f"-fplugin={bench.options.plugin}"])
    rows = []
    for data, options in (("full.data", ["--full"]), ("sum.data", ["--mode=summary", "--every=100ms"])):
        bench.record(count, program=program, options=[*options, "-o", data])
        rows.append(bench.read("report", data, "--by=counter")["counters"])
    equal("counters", rows[1][0]["values"], count)
    for key in ("name", "unit", "values", "last", "min", "max", "mean"):
        equal(key, rows[1][0][key], rows[0][0][key])
    refusal = bench.run([bench.prof, "report", "--by=counter", "-F", "main", "-i", "sum.data"])
    equal("status with -F", refusal.returncode, 1)
    contains("what it says with -F", refusal.stderr, "by process")
    equal("verify", bench.run([bench.prof, "verify", "sum.data"]).returncode, 0)


def refused(bench):
    bench.record("plain", 9, 0, options=["--mode=summary"])
    for words in (["replay"], ["slowest"], ["report", "--range=~50%"], ["report", "-t", "1ms"],
                  ["export", "--format=chrome", "-o", "out"]):
        result = bench.run([bench.prof, *words, "-i", "prof.data"])
        equal(f"status of {words}", result.returncode, 1)
        contains(f"what {words} says", result.stderr, "a summary has no single calls")
    counters = bench.run([bench.prof, "report", "--by=counter", "-i", "prof.data"])
    equal("status of counters", counters.returncode, 1)
    contains("its line where there is none", counters.stderr, "no counter is in what is shown")
    for option in ("--split=1s", "--keep=3", "--snapshot-if=leaf>1ms"):
        result = bench.record("plain", 9, 0, options=["--mode=summary", option])
        equal(f"status with {option}", result.returncode, 2)


if __name__ == "__main__":
    recording.main([as_recorded_in_full, measures, measures_within_memory, counters, recorder_killed, on_a_signal, within_memory, refused])
