"""Rows: lines=time against the clock, by a program whose lines' times are known (line_times.c)."""
import json
import re
import shutil
import subprocess

from measuring import Row, progress, quick, repeats, run

ROUNDS, SLEEP_NS = 500, 200000  # a round takes 2 us: a run is over before the system gives the core to others
TIMES, QUICK_TIMES = 60, 15


def output_of(command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def works(source):
    """What stands on each line of the function `lines`."""
    found = {}
    for number, text in enumerate(source.read_text().splitlines(), 1):
        match = re.search(r"/\* ((?:chain|walk) \d+|sleep) \*/", text)
        if match:
            found[number] = match[1]
    return found


def plain_times(program, rounds):
    return {name: float(value) for name, value in re.findall(r"([a-z]+ \d+): ([\d.]+)", output_of([program, "self", rounds]))}


def measured(builds, program, arguments, names):
    """name -> row of `prof lines`, and what the program itself says."""
    data = builds.folder / "times.data"
    shutil.rmtree(data, ignore_errors=True)
    said = output_of([builds.prof, "record", "-o", data, "--sample=off", "--", program, *arguments])
    rows = json.loads(output_of([builds.prof, "lines", "-i", data, "--format=json", "-n", "0"]))["lines"]
    shutil.rmtree(data)
    return {names[row["line"]]: row for row in rows if row["file"].endswith("line_times.c") and row["line"] in names}, said


def total(rows):
    return sum(row["measured_high_ns"] for row in rows.values())


def time_rows(builds):
    progress("lines that are timed")
    source, times = builds.source / "line_times.c", repeats(TIMES, QUICK_TIMES)
    names, plain, timed = works(source), builds.folder / "line_times", builds.folder / "line_times_timed"
    run([builds.compiler, "-g", "-O2", source, "-o", plain])
    run([builds.compiler, "-g", "-O2", *builds.plugin_flags, "-fplugin-arg-prof-time-functions=lines", source, "-o", timed])
    runs, selves = [], []
    for _ in range(times):
        selves.append(plain_times(plain, ROUNDS))
        runs.append(measured(builds, timed, ["lines", ROUNDS], names)[0])
    best = min(runs, key=total)  # what disturbs a run makes times longer
    truth = {name: min(found[name] for found in selves) for name in selves[0]}
    got, low, high = ({name: best[name][f"measured_{which}_ns"] / best[name]["visits"] for name in truth} for which in ("self", "low", "high"))
    off = sum(abs(truth[name] / sum(truth.values()) - got[name] / sum(got.values())) for name in truth) / 2
    yield Row("lines=time: distance of eight lines' shares to the plain program's, points", f"{100 * off:.2f}", note=f"the best of {times} runs of a millisecond")
    for name in sorted(truth, key=truth.get):
        inside = low[name] <= truth[name] <= high[name]
        yield Row(f"&nbsp; {name}, over the plain program's", f"{got[name] / truth[name]:.2f}", note=(
            f"{got[name]:.1f} ns for {truth[name]:.1f}; stated {low[name]:.1f} to {high[name]:.1f}: {'inside' if inside else 'outside'}"))
    rows, said = measured(builds, timed, ["lines", ROUNDS, SLEEP_NS], names)
    slept = float(re.search(r"slept: (\d+)", said)[1])
    yield Row("&nbsp; sleeping in a call, over the program's own clock", f"{rows['sleep']['measured_calls_ns'] / slept:.3f}", note=f"{slept / 1e6:.1f} ms, one run")
