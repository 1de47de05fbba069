"""Rows: `--memory` beside heaptrack and valgrind's dhat, `--io` beside strace: the same figures, and what they cost."""
import json
import re
import shutil
import subprocess

import programs
from measuring import Row, in_turn, least, progress, repeats, run

START_UP = 72704  # bytes of one block that libstdc++ allocates before anything of the program runs
WRITING = {"write": "write", "writev": "writev", "pwrite64": "pwrite", "fsync": "fsync", "fdatasync": "fdatasync"}  # strace's name: prof's


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
    packed = builds.folder / "measures.zst"
    return {**{name: command for name, (command, _start) in samples(builds).items() if name != "trees of strings"},
            "zstd": [builds.program("zstd", "plugin"), "-3", "-q", "-f", programs.text_file(2), "-o", packed]}


def clean(builds):
    for name in ("measures.db", "measures.data"):
        shutil.rmtree(builds.folder / name, ignore_errors=True)
    for name in ("measures.db", "measures.zst"):
        (builds.folder / name).unlink(missing_ok=True)


def recorded(builds, option, command, *reader):
    clean(builds)
    run([builds.prof, "record", "-o", builds.folder / "measures.data", option, "--", *command])
    return json.loads(text_of(builds.prof, *reader, "-i", builds.folder / "measures.data", "--format=json"))


def dhat_peak(builds, command):
    clean(builds)
    out = builds.folder / "dhat.out"
    run(["valgrind", "--tool=dhat", f"--dhat-out-file={out}", *command])
    return sum(point["gb"] for point in json.loads(out.read_text())["pps"])


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
        yield Row(f"{name}: bytes left, as heaptrack rounds them", f"{own['live_bytes']} and {left:.0f}", "equal", "", differs <= max(left / 100, 10))


def strace_figures(builds, command):
    """Calls and bytes of operations that write."""
    clean(builds)
    out = builds.folder / "strace.out"
    run(["strace", "-f", "-qq", "-e", f"trace={','.join(WRITING)}", "-o", out, *command])
    results = re.findall(r"\b(\w+)\(.*= (-?\d+)", re.sub(r"<unfinished \.\.\.>\n.*?resumed>", "", out.read_text(errors="replace")))
    taken = [int(result) for name, result in results if name in WRITING]
    return len(taken), sum(result for result in taken if result > 0)


def io_rows(builds):
    for name, command in writers(builds).items():
        sites = [site for site in recorded(builds, "--io", command, "io", "--by=operation")["sites"] if site["operation"] in WRITING.values()]
        own, counted = (sum(site["calls"] for site in sites), sum(site["bytes"] for site in sites)), strace_figures(builds, command)
        yield Row(f"{name}: written operations and bytes of --io, and strace's", f"{own[0]}, {own[1]} and {counted[0]}, {counted[1]}", "equal", "", own == counted)


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
    yield from cost_rows(builds)
    clean(builds)
