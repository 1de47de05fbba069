#!/usr/bin/env python3
"""test_times.py --prof PROF --compiler COMPILER - lines that are timed: visits, behaviour, sums.  See README.md."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import programs  # noqa: E402
import slices  # noqa: E402

TIME = "-fplugin-arg-prof-lines=time"
WAYS = (("ways.c", ["-O0"]), ("ways.c", ["-O2"]), ("ways.cc", ["-O2"]), ("ways.cc", ["-O0"]))
DEEP = "600000"  # frames; without jumps for calls they need more than the stack of 8 MB
faults = []


def run(*command, cwd, **more):
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=900, check=False, **more)


def must(*command, cwd):
    done = run(*command, cwd=cwd)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def compiler_of(compiler, source):
    if not source.endswith(".cc"):
        return compiler
    cxx = compiler.replace("gcc", "g++").replace("clang", "clang++")
    return cxx if shutil.which(cxx) else None


def expected_visits(source):
    """line -> visits, of lines that say so."""
    found = {}
    for number, text in enumerate((HERE / source).read_text().splitlines(), 1):
        match = re.search(r"visits (\d+)", text)
        if match and not text.startswith(" *"):
            found[number] = int(match[1])
    return found


def read_lines(prof, folder, *more, source=""):
    """line -> row, of the test's own file."""
    rows = json.loads(must(prof, "lines", "-i", "trace", "--format=json", "-n", "0", *more, cwd=folder).stdout)["lines"]
    return {row["line"]: row for row in rows if os.path.realpath(row["file"]).startswith(f"{os.path.realpath(folder)}/{source}")}


def compare_visits(name, source, rows):
    for line, visits in expected_visits(source).items():
        got = rows.get(line, {}).get("visits", 0)
        if got != visits:
            faults.append(f"{name}: line {line} has {got} visits, not {visits}")


def compare_run(name, plain, done, what):
    if (done.stdout, done.returncode) != (plain.stdout, plain.returncode):
        faults.append(f"{name}, {what}: ends with {done.returncode} and prints\n{done.stdout[-300:]}{done.stderr[-300:]}")


def check_sums(name, prof, folder, rows):
    """Lines of a function that calls nothing take no longer than the function, by the same clock; and nearly all of it."""
    functions = json.loads(must(prof, "report", "-i", "trace", "--format=json", "--raw", cwd=folder).stdout)["functions"]
    whole = sum(row["total_ns"] for row in functions if row["name"].startswith("proportions"))
    text = (HERE / "ways.c").read_text().splitlines()
    begin = next(i for i, line in enumerate(text, 1) if "void proportions(" in line)
    lines = range(begin, begin + 10)
    measured = sum(rows[line]["measured_self_ns"] for line in lines if line in rows)
    if not 0.8 * whole <= measured <= whole * 1.001 + 1000:
        faults.append(f"{name}: the lines of proportions take {measured} ns, the function {whole} ns")


def check_bounds(name, prof, folder):
    """Corrected times lie between their bounds, which the measured ones bound; functions' times say that readings are in or out."""
    raw = read_lines(prof, folder, "--raw")
    for line, row in read_lines(prof, folder).items():
        measured = raw[line].get("measured_self_ns", 0)
        if not row.get("measured_low_ns", 0) <= row.get("measured_self_ns", 0) <= row.get("measured_high_ns", 0) <= measured:
            faults.append(f"{name}: line {line} is out of bounds: {row}")
    cover = json.loads(must(prof, "report", "-i", "trace", "--format=json", cwd=folder).stdout)["cover"]
    visits = sum(row["visits"] for row in raw.values() if "visits" in row)
    if cover.get("line_readings", 0) < visits or cover.get("line_reading_cost_ns", 0) <= 0:
        faults.append(f"{name}: {visits} visits, but functions' times know of {cover}")


def check_info(name, prof, folder):
    info = json.loads(must(prof, "info", "-i", "trace", "--format=json", cwd=folder).stdout)
    if info["line_readings"] < 1000 or not 0 < info["line_cost_ns"] or "clock readings" not in info["lines"]:
        faults.append(f"{name}: prof info says {info['line_readings']} readings, {info['line_cost_ns']} ns, {info['lines']!r}")


def check_annotate(name, prof, folder):
    shown = must(prof, "annotate", "-i", "trace", "branches", cwd=folder).stdout
    if "MEASURED" not in shown or not re.search(r" 25 +\d+ +sink \+= 1;", shown):
        faults.append(f"{name}: prof annotate doesn't show measured lines:\n{shown[:1500]}")


def ways(options, source, flags, folder):
    compiler, name = compiler_of(options.compiler, source), f"{source} {' '.join(flags)}"
    if not compiler:
        return
    flags = [*flags, "-std=c++20"] if source.endswith(".cc") else flags
    arguments = [DEEP] if "-O0" not in flags else []
    shutil.copy(HERE / source, folder)
    must(compiler, "-g", *flags, source, "-o", "plain", "-pthread", cwd=folder)
    must(compiler, "-g", *flags, *programs.plugin_flags(options.prof, options.compiler), TIME, source, "-o", "timed", "-pthread", cwd=folder)
    plain = run("./plain", *arguments, cwd=folder)
    if plain.returncode < 0:  # Clang 14 has coroutines call each other where others jump
        arguments = []
        plain = run("./plain", cwd=folder)
    compare_run(name, plain, run("./timed", *arguments, cwd=folder), "alone")
    shutil.rmtree(pathlib.Path(folder) / "trace", ignore_errors=True)
    compare_run(name, plain, run(options.prof, "record", "-o", "trace", "./timed", *arguments, cwd=folder), "recorded")
    rows = read_lines(options.prof, folder, "--raw")
    compare_visits(name, source, rows)
    check_bounds(name, options.prof, folder)
    check_info(name, options.prof, folder)
    if source == "ways.c":
        check_sums(name, options.prof, folder, rows)
        check_annotate(name, options.prof, folder)


def chosen(options, folder):
    shutil.copy(HERE / "chosen.c", folder)
    plugin = programs.plugin_flags(options.prof, options.compiler)
    for flags in (["-fplugin-arg-prof-time-functions=wanted"], ["-DATTRIBUTE"]):
        must(options.compiler, "-g", "-O2", *plugin, *flags, "chosen.c", "-o", "timed", cwd=folder)
        shutil.rmtree(pathlib.Path(folder) / "trace", ignore_errors=True)
        must(options.prof, "record", "-o", "trace", "./timed", cwd=folder)
        rows = read_lines(options.prof, folder)
        compare_visits(f"chosen.c {flags}", "chosen.c", rows)
        others = [line for line, row in rows.items() if row["visits"] and line not in expected_visits("chosen.c")]
        if any(line > 16 for line in others):
            faults.append(f"chosen.c {flags}: lines {others} are timed too")


def report():
    print("\n".join(faults) if faults else "all as it should be")
    return 1 if faults else 0


def main():
    options = programs.compiler_options()
    for source, flags in slices.turn(WAYS, options.compiler, 2):
        with tempfile.TemporaryDirectory(prefix="prof-times-") as folder:
            ways(options, source, flags, folder)
    with tempfile.TemporaryDirectory(prefix="prof-times-") as folder:
        chosen(options, folder)
    return report()


if __name__ == "__main__":
    sys.exit(main())
