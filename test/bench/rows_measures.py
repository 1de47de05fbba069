"""Rows: `--memory` beside heaptrack, valgrind and its dhat, `--io` beside strace, `--locks` beside a program's own clock: the same figures, and what they cost."""
import json
import re
import shutil
import subprocess

import programs
from measuring import Row, in_turn, least, progress, repeats, run

START_UP = 72704  # bytes of one block that libstdc++ allocates before anything of the program runs
MOVING = {"read": "read", "pread64": "pread", "readv": "readv", "write": "write", "writev": "writev", "pwrite64": "pwrite", "openat": "open", "close": "close",
          "fsync": "fsync", "fdatasync": "fdatasync"}  # strace's name: prof's
SYSTEM = re.compile(r"[</\"]lib|/etc/ld\.so|/locale/")  # files of the loader and inside of the C library


def text_of(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL, errors="replace").stdout


def of_cxx(builds):
    return builds.compiler.replace("clang", "clang++") if "clang" in builds.compiler else builds.compiler.replace("gcc", "g++")


def strings(builds):
    plain, probed = builds.folder / "allocations", builds.folder / "allocations_probed"
    for output, flags in ((plain, []), (probed, programs.plugin_flags(builds.prof, of_cxx(builds)))):
        run([of_cxx(builds), "-g", "-O2", *flags, builds.source / "allocations.cc", "-o", output])
    return plain, probed


def samples(builds):
    """name -> (command, bytes of its library before main).  Of peers too the instrumented one: its name is in its memory.
    leveldb isn't among them: its thread compacts at another moment in each run, so that two runs differ."""
    lua = programs.lua_arguments(1)
    database = builds.folder / "measures.db"
    return {
        "trees of strings": ([strings(builds)[1], "20"], START_UP),
        "lua": ([builds.program("lua", "plugin"), *lua], 0),
        "SQLite": ([builds.program("sqlite", "plugin"), "--size", "2", database], 0),
    }


def writers(builds):
    """Programs that write files: name -> command."""
    return {**{name: command for name, (command, _start) in samples(builds).items() if name != "trees of strings"},
            "xz": [builds.program("xz", "plugin"), "-1", "-T1", "-c", programs.text_file(2)]}


def clean(builds):
    for name in ("measures.db", "measures.data"):
        shutil.rmtree(builds.folder / name, ignore_errors=True)
    (builds.folder / "measures.db").unlink(missing_ok=True)


def recorded(builds, option, command, *reader):
    clean(builds)
    run([builds.prof, "record", "-o", builds.folder / "measures.data", option, "--", *command])
    return json.loads(text_of(builds.prof, *reader, "-i", builds.folder / "measures.data", "--format=json"))


def dhat_peak(builds, command):
    clean(builds)
    out = builds.folder / "dhat.out"
    run(["valgrind", "--tool=dhat", f"--dhat-out-file={out}", *command])
    return sum(point["gb"] for point in json.loads(out.read_text())["pps"])


def valgrind_figures(builds, command):
    """Bytes and blocks at the end; calls and bytes that were asked for."""
    clean(builds)
    out = builds.folder / "valgrind.out"
    run(["valgrind", "--leak-check=no", "--run-libc-freeres=no", "--run-cxx-freeres=no", f"--log-file={out}", *command])
    text = out.read_text().replace(",", "")
    ends, asked = re.search(r"in use at exit: (\d+) bytes in (\d+) blocks", text), re.search(r"usage: (\d+) allocs \d+ frees (\d+) bytes", text)
    return *(int(part) for part in ends.groups()), *(int(part) for part in asked.groups())


def heaptrack_figures(builds, command):
    """Calls, and bytes left at the end in three digits."""
    clean(builds)
    for old in builds.folder.glob("heaptrack.*"):
        old.unlink()
    run(["heaptrack", "-o", builds.folder / "heaptrack", *command])
    found, = builds.folder.glob("heaptrack.*")
    printed = text_of("heaptrack_print", "-f", found)
    number, unit = re.search(r"total memory leaked: ([\d.]+)(\w)", printed).groups()
    return int(re.search(r"calls to allocation functions: (\d+)", printed)[1]), float(number) * {"B": 1, "K": 1e3, "M": 1e6, "G": 1e9}[unit]


def memory_rows(builds):
    for name, (command, start) in samples(builds).items():
        progress(f"measures: {name}")
        own, peak, (calls, left) = recorded(builds, "--memory", command, "memory"), dhat_peak(builds, command) - start, heaptrack_figures(builds, command)
        share = own["peak_bytes"] / peak
        yield Row(f"{name}: peak of --memory over dhat's", f"{share:.4f}", "0.99 to 1.01", "1", 0.99 <= share <= 1.01, f"{own['peak_bytes']} and {peak} bytes")
        missing = calls - 1 - own["calls"]  # the same block: heaptrack's library loads libstdc++ into each program
        yield Row(f"{name}: allocations, heaptrack's less those of --memory", str(missing), "0", "0", missing == 0, f"{own['calls']} calls")
        differs = abs(own["live_bytes"] - left)
        ends, blocks, asked, size = valgrind_figures(builds, command)
        theirs = (asked - (start > 0), size - start, ends - start, blocks - (start > 0))
        ours = (own["calls"], own["bytes"], own["live_bytes"], own["live_calls"])
        yield Row(f"{name}: allocations, their bytes, bytes left, blocks left, and valgrind's", f"{ours} and {theirs}", "equal", "", ours == theirs)
        yield Row(f"{name}: bytes left, as heaptrack rounds them", f"{own['live_bytes']} and {left:.0f}", "equal", "", differs <= max(left / 100, 10))


def strace_figures(builds, command):
    """Operation: (calls, bytes), without those of the loader and inside of the C library."""
    clean(builds)
    out, found = builds.folder / "strace.out", {}
    run(["strace", "-f", "-qq", "-y", "-e", f"trace={','.join(MOVING)}", "-o", out, *command])
    for line in re.sub(r"<unfinished \.\.\.>\n.*?resumed>", "", out.read_text(errors="replace")).splitlines():
        call = re.match(r"(?:\d+ +)?(\w+)\(.*= (-?\d+)(?:<.*>)?(?: E\w+ \(.*\))?$", line)
        if call and call[1] in MOVING and not SYSTEM.search(line):
            calls, size = found.get(MOVING[call[1]], (0, 0))
            found[MOVING[call[1]]] = calls + 1, size + (0 if call[1] == "openat" else max(int(call[2]), 0))
    return found


def io_rows(builds):
    for name, command in writers(builds).items():
        own = {site["operation"]: (site["calls"], site["bytes"]) for site in recorded(builds, "--io", command, "io", "--by=operation")["sites"]
               if site["operation"] in MOVING.values()}
        counted = strace_figures(builds, command)
        shown = ", ".join(f"{operation} {calls} {size}" for operation, (calls, size) in sorted(own.items()))
        yield Row(f"{name}: operations and bytes of --io, and strace's", shown if own == counted else f"{own} and {counted}", "equal", "", own == counted)


def lock_rows(builds):
    """Of locks that one of eight threads holds while the others wait, who measure that themselves."""
    program, data = builds.folder / "waiting", builds.folder / "measures.data"
    source = builds.source.parents[0] / "e2e/measures/locks.c"
    run([builds.compiler, "-g", "-O1", "-pthread", *programs.plugin_flags(builds.prof, builds.compiler), source, "-o", program])
    printed = subprocess.run([builds.prof, "record", "-o", data, "--locks", "--", program], capture_output=True, text=True, check=False).stdout
    locks = {row["name"]: row for row in json.loads(text_of(builds.prof, "locks", "-i", data, "--format=json"))["locks"]}
    for name, holder in re.findall(r"^want (\S+) (\S+)", printed, re.M):
        if name == "first_lock":  # there are waits of another kind
            continue
        clock, row = int(re.search(rf"^most {name} (\d+)$", printed, re.M)[1]), locks[name]
        distance = abs(row["wait_ns"] / clock - 1)
        yield Row(f"{name}: waits of 7 threads, distance from their own clock", f"{distance:.3%}", "< 2%", "", distance < 0.02, f"{clock / 1e9:.2f} s")
        known = sum(place["wait_ns"] + place["handover_ns"] for place in row["holders"] if place["function"] == holder) / row["wait_ns"]
        all_known = sum(place["wait_ns"] + place["handover_ns"] for place in row["holders"]) / row["wait_ns"]
        yield Row(f"{name}: part of them attributed to its holder; to any", f"{known:.2%}; {all_known:.2%}", "98%; 100%", "", known >= 0.98 and all_known > 0.9999)


def cost_rows(builds):
    plain, probed = strings(builds)
    data, turns = builds.folder / "measures.data", "60"

    def fresh(command):
        clean(builds)
        for old in builds.folder.glob("heaptrack.*"):
            old.unlink()
        return run(command)

    runs = in_turn(repeats(5, 3), alone=lambda: fresh([plain, turns]), memory=lambda: fresh([builds.prof, "record", "-o", data, "--memory", "--", probed, turns]),
                   heaptrack=lambda: fresh(["heaptrack", "-o", builds.folder / "heaptrack", plain, turns]))
    alone, own, peer = (least(runs[name], "cpu_s") for name in ("alone", "memory", "heaptrack"))
    yield Row("trees of strings: CPU time with --memory over alone, all processes", f"{own / alone:.2f}", note=f"heaptrack {peer / alone:.2f}")
    yield Row("its slow-down over heaptrack's", f"{(own - alone) / (peer - alone):.2f}", "< 0.33", "", (own - alone) / (peer - alone) < 1 / 3)


def measure_rows(builds):
    yield from memory_rows(builds)
    yield from io_rows(builds)
    yield from lock_rows(builds)
    yield from cost_rows(builds)
    clean(builds)
