"""Rows: what counters (prof record --counters) add to a recording's CPU time: samples of each page fault, and of a clock (fault_times.c)."""
import shutil
import statistics
import subprocess

from measuring import progress, repeats, row_of, run

FAULTS = 20 * 10000


def counter_rows(builds):
    progress("what counters cost")
    program, data = builds.folder / "fault_times", builds.folder / "counters.data"
    run([builds.compiler, "-O1", builds.source / "fault_times.c", "-o", program, *builds.plugin_flags])
    ways = {"none": [], "faults": ["--counters=page-faults"], "clock": ["--counters=task-clock"]}
    times = {way: [] for way in ways}
    turns = repeats()
    for _ in range(turns):
        for way, words in ways.items():
            shutil.rmtree(data, ignore_errors=True)
            text = subprocess.run([builds.prof, "record", "-o", data, *words, "--", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
            times[way].append([float(word) for word in text.split()])

    def middle(way, part):
        return statistics.median(turn[part] for turn in times[way])

    each = (middle("faults", 0) - middle("none", 0)) / FAULTS
    yield row_of("--counters=page-faults: CPU time of a fault that is sampled, over none", middle("faults", 0) / middle("none", 0), note=f"{each:.0f} ns each; median of {turns}")
    yield row_of("--counters=task-clock: CPU time of a loop, over none", middle("clock", 1) / middle("none", 1), aim=1)
