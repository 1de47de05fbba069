"""Rows: what sampling takes of a busy thread's time, by a program that looks for the gaps (taken_time.c)."""
import shutil
import statistics
import subprocess

import truth_perf
from measuring import progress, repeats, row_of, run

HERTZ = 997
MILLISECONDS = 1500


def sampling_rows(builds):
    progress("what sampling takes")
    program = builds.folder / "taken_time"
    run([builds.compiler, "-O2", builds.source / "taken_time.c", "-o", program, *builds.plugin_flags])
    data = builds.folder / "sampling.data"

    def recorded(option):
        return [builds.prof, "record", "-o", data, f"--sample={option}", "--"]

    ways = {"off": recorded("off"), "on": recorded(HERTZ), "plain": []}
    if shutil.which("perf"):
        ways["perf"] = ["perf", "record", "-q", "-e", truth_perf.event(), "-F", HERTZ, "-o", f"{data}.perf", "--"]
    alone = builds.folder / "timer_alone"
    run([builds.compiler, "-O2", builds.source / "timer_alone.c", "-o", alone])
    if subprocess.run([alone, str(HERTZ), "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        ways["timer"] = [alone, HERTZ]
    taken = {way: [] for way in ways}
    times = repeats()
    for _ in range(times):
        for way, words in ways.items():
            shutil.rmtree(data, ignore_errors=True)
            text = subprocess.run([str(word) for word in (*words, program, MILLISECONDS)], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, check=True).stdout
            taken[way].append(float(text.split()[1]))
    shares = {way: 100 * statistics.median(figures) for way, figures in taken.items()}
    ours = shares["on"] - shares["off"]
    note = f"{ours / 100 / HERTZ * 1e6:.1f} us a sample; {shares['off']:.2f}% is taken without; median of {times}"
    yield row_of(f"sampling at {HERTZ} Hz, of a busy thread's time", ours, 1, 0.2, "%", note=note)
    if "perf" in shares:
        yield row_of(f"&nbsp; perf record at {HERTZ} Hz", shares["perf"] - shares["plain"], unit="%")
    if "timer" in shares:
        yield row_of(f"&nbsp; the kernel's timer alone at {HERTZ} Hz, no sample written", shares["timer"] - shares["plain"], unit="%")
