#!/usr/bin/env python3
"""test_outside.py --prof PROF --compiler COMPILER - time in libraries and the kernel is that of the line that led there."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

MODES = ([], ["--overhead=5%"], ["--clock=os"])
LEVELS = ("-O0", "-O2")
LEAST_SAMPLES = 100
LEAST_PART = 0.9  # the others: before main, and where the copied stack ends
faults = []


def check(good, what):
    if not good:
        faults.append(what)


def run(*command, cwd):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def marked(kernel):
    """
    Lines that lead outside -> whether some of that must be seen there; kernel: samples are taken in it too.

    What qsort itself does takes some milliseconds among millions of calls: few samples count there, at times none.
    """
    return {number: not re.search(r"map\(|qsort\(", text) and (kernel or "kernel" not in text)
            for number, text in enumerate((HERE / "outside.c").read_text().splitlines(), 1) if "/* outside:" in text}


def check_lines(name, rows, kernel):
    """Uninstrumented code has rows without a line; the same time is that of the lines that led there."""
    marks = marked(kernel)
    apart = sum(row["self_ns"] for row in rows if not row["line"] and pathlib.PurePath(row["file"]).name != "outside.c")
    led = {row["line"]: row["outside_ns"] for row in rows if row["outside_ns"]}
    check(sum(row["samples"] for row in rows) >= LEAST_SAMPLES, f"{name}: few samples")
    clock = sum(row["self_share"] for row in rows if row["file"] == "[vdso]")  # which probes may read, the program doesn't
    check(clock < 0.01, f"{name}: {clock} in the clock")
    check(LEAST_PART * apart <= sum(led.values()) <= 1.001 * apart, f"{name}: {led} of {apart}")
    check(all(led.get(line, 0) > 0 for line, often in marks.items() if often), f"{name}: {led}")
    check(sum(led.get(line, 0) for line in marks) >= LEAST_PART * sum(led.values()), f"{name}: elsewhere: {led}")
    return led


def check_recording(prof, name, folder, kernel):
    rows = json.loads(run(prof, "lines", "--format=json", cwd=folder))["lines"]
    if not any("outside_ns" in row for row in rows):
        return check(False, f"{name}: no outside_ns")
    led = check_lines(name, rows, kernel)
    sources = json.loads(run(prof, "annotate", "--format=json", "--asm", "fill*", cwd=folder))["sources"][0]["lines"]
    line = next(row for row in sources if "memset" in row["text"])
    check_frames(prof, name, folder, led)
    check(line["outside_ns"] == led.get(line["line"]), f"{name}: annotate: {line['outside_ns']} {led}")
    own = sum(instruction["outside_ns"] for instruction in line["instructions"])
    check(abs(own - line["outside_ns"]) <= 1000, f"{name}: instructions: {own} {line['outside_ns']}")
    check(re.search(r"OUTSIDE .*\n(?:.*\n)*.*outside\.c:%d " % line["line"], run(prof, "lines", "--width=200", cwd=folder)), f"{name}: table")
    waiting = json.loads(run(prof, "lines", "--format=json", "--time=waiting", cwd=folder))["lines"]
    check(not any(row.get("outside_ns") for row in waiting), f"{name}: waiting")
    hot = json.loads(run(prof, "report", "--format=json", cwd=folder))["functions"]
    hot_line = next(row for row in hot if row["name"].startswith("fill"))["hot_line"]
    check(hot_line.endswith(f":{line['line']}"), f"{name}: hot line: {hot_line}")
    return None


def check_frames(prof, name, folder, led):
    """With lines as frames, libraries and the kernel are on top of the line that led there."""
    rows = [(row.rsplit(" ", 1)[0].split(";"), int(row.rsplit(" ", 1)[1]))
            for row in run(prof, "export", "--format=folded", "--lines", cwd=folder).splitlines()]
    outside = [(path[-2], time) for path, time in rows if re.search(r"\[(?!waiting|preempted).*\]$", path[-1])]
    under = {}
    for below, time in outside:
        line = re.fullmatch(r"outside\.c:(\d+)", below)
        if line:
            under[int(line[1])] = under.get(int(line[1]), 0) + time
    whole, on_lines = sum(time for _, time in outside), sum(under.values())
    check(on_lines >= (LEAST_PART - 0.1) * whole, f"{name}: frames: {on_lines} of {whole}")  # near a call's begin and end its caller's line is not shown
    check(set(under) <= set(led), f"{name}: frames of lines: {under} {led}")
    pictured = run(prof, "flame", "--lines", "--reverse", "--min-share=0", cwd=folder)
    check(re.search(r"<title>outside\.c:\d+\n", pictured) and re.search(r"<title>[^\n]*memset[^\n]* \[libc", pictured), f"{name}: reverse")
    run(prof, "export", "--format=pprof", "--lines", "-o", "lines.pb.gz", cwd=folder)
    run(prof, "export", "--format=callgrind", "--lines", "-o", "lines.callgrind", cwd=folder)


def led_by_line(prof, data, folder):
    rows = json.loads(run(prof, "lines", "--format=json", "-i", data, cwd=folder))["lines"]
    return {(row["file"], row["line"]): row["outside_ns"] for row in rows if row.get("outside_ns")}


def check_merged(prof, name, folder):
    """Recordings number their paths each by itself."""
    parts = []
    for data in ("first", "second"):
        run(prof, "record", "-o", data, "./outside", cwd=folder)
        parts.append(led_by_line(prof, data, folder))
    run(prof, "merge", "-o", "both", "first", "second", cwd=folder)
    both = led_by_line(prof, "both", folder)
    same = all(abs(both.get(line, 0) - sum(part.get(line, 0) for part in parts)) <= 0.001 * sum(both.values()) for line in {*parts[0], *parts[1], *both})
    check(same, f"{name}: merged: {both} of {parts}")


def check_hooks(prof, compiler, folder):
    """Functions that call hooks (-finstrument-functions) are instrumented too; annotate knows nothing of their lines."""
    library = pathlib.Path(prof).resolve().parents[1] / "runtime/libprof"
    run(compiler, "-g", "-O2", "-finstrument-functions", "outside.c", "-o", "outside", f"-L{library}", f"-Wl,-rpath,{library}", "-lprof", cwd=folder)
    run(prof, "record", "./outside", cwd=folder)
    kernel = json.loads(run(prof, "info", "--format=json", cwd=folder))["sampling"]["has_kernel"]
    name = f"{compiler} -finstrument-functions"
    check_frames(prof, name, folder, check_lines(name, json.loads(run(prof, "lines", "--format=json", cwd=folder))["lines"], kernel))


def main():
    options = programs.compiler_options()
    for level in LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(HERE / "outside.c", folder)
            run(options.compiler, "-g", level, *programs.plugin_flags(options.prof, options.compiler), "outside.c", "-o", "outside", cwd=folder)
            for mode in MODES:
                run(options.prof, "record", *mode, "./outside", cwd=folder)
                sampling = json.loads(run(options.prof, "info", "--format=json", cwd=folder))["sampling"]
                if sampling["method"] != "perf_event":
                    programs.skip("the kernel takes no samples: timers know no callers")
                check_recording(options.prof, " ".join([options.compiler, level, *mode]), folder, sampling["has_kernel"])
            if level == LEVELS[-1]:
                check_merged(options.prof, f"{options.compiler} {level}", folder)
                check_hooks(options.prof, options.compiler, folder)
    print("\n".join(faults) or "right")
    return bool(faults)


sys.exit(main())
