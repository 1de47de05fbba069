"""Rows: what a program costs that was built with the plugin, off and on."""
import json
import shutil
import subprocess

import programs
from measuring import Row, counts_cycles, in_turn, least, median, progress, repeats, row_of, run, run_counted


def workloads(builds):
    """name -> (program, arguments, most it may cost while off, aim)"""
    text = programs.text_file(builds.text_megabytes)
    every = {
        "lua": ("lua", programs.lua_arguments(builds.lua_size), 1.06, 1.045),
        "SQLite speedtest1": ("sqlite", ["--size", str(builds.sqlite_size)], 1.02, 1.01),
        "zstd -3": ("zstd", ["-3", "-c", text], 1.01, 1.00),
        "zstd -19": ("zstd", ["-19", "-c", text], 1.01, 1.00),
    }
    return {name: what for name, what in every.items() if not builds.names or name in builds.names}


def off_rows(builds):
    counted = counts_cycles()
    field = "cycles" if counted else "cpu_s"  # user time alone is told apart by the timer tick only
    # On one core: what moves between cores finds cold caches.
    runner = run_counted if counted else lambda command: run(command, builds.core)
    for name, (program, arguments, must, aim) in workloads(builds).items():
        progress(f"off: {name}")
        times = repeats(12, 3) if name != "zstd -19" else repeats(12, 1)
        if name == "lua":
            arguments = programs.lua_arguments(3 * builds.lua_size)  # long enough for a figure within 1 %
        commands = {variant: [builds.program(program, variant), *arguments] for variant in ("plain", "plugin", "functions")}
        runs = in_turn(times, **{variant: lambda c=command: runner(c) for variant, command in commands.items()})
        note = f"{'cycles:u' if counted else 'user+sys time (no cycle counter here)'}, minimum of {times} runs in turn"
        for variant, mark in (("plugin", ""), ("functions", ", loops=none")):
            yield row_of(f"off over plain: {name}{mark}", least(runs[variant], field) / least(runs["plain"], field),
                         must, aim, note=note, digits=3)


def info(builds, data):
    return json.loads(subprocess.run([builds.prof, "info", "-i", data, "--format", "json"], capture_output=True,
                                     text=True, check=True).stdout)


def recorder(builds, data, command, cores=None):
    """A run of `prof record` from its start to its return, into an empty folder."""
    def once():
        shutil.rmtree(data, ignore_errors=True)
        return run([builds.prof, "record", "-o", data, f"--max-size={builds.max_size}", "--", *command], cores)
    return once


def on_rows(builds):
    for name, (program, arguments, _, _) in workloads(builds).items():
        progress(f"on: {name}")
        times = repeats() if name != "zstd -19" else repeats(9, 1)
        plain = [builds.program(program, "plain"), *arguments]
        probed = [builds.program(program, "plugin"), *arguments]
        data = builds.folder / f"on-{name.replace(' ', '')}.data"
        clock = []
        runs = in_turn(times, plain=plain, on=recorder(builds, data, probed),
                       pinned=recorder(builds, f"{data}-pinned", probed, builds.core), clock=timed_clock(builds, clock))
        clock_ns = sorted(clock)[len(clock) // 2]
        facts = info(builds, data)
        calls = facts["events"] / 2
        floor = median(runs["plain"]) + calls * clock_ns * 1e-9
        note = (f"{calls / 1e6:.1f}M calls and loops, {median(runs['plain']):.2f} s plain, {median(runs['on']):.2f} s on "
                f"({median(runs['on']) / median(runs['plain']):.1f}x), two rdtsc {clock_ns:.1f} ns, median of {times}")
        yield row_of(f"on over plain + two rdtsc per call: {name}", median(runs["on"]) / floor, 1.3, 1.1, note=note)
        yield row_of("&nbsp; user+sys of both processes", median(runs["on"], "cpu_s") / floor)
        yield row_of("&nbsp; both pinned to one core", median(runs["pinned"]) / floor)
        yield bytes_row(name, facts)


def timed_clock(builds, results):
    def once():
        results.append(float(subprocess.run([builds.two_rdtsc], capture_output=True, text=True, check=True).stdout))
        return run(["true"])
    return once


def bytes_row(name, facts):
    lost = facts["lost_events"]
    note = f"{facts['events'] / 1e6:.1f}M events, {facts['bytes'] / 1e6:.1f} MB, lost {lost}"
    if not facts["events"]:
        return Row(f"trace bytes per event: {name}", "no events", note=note, met=False)
    row = row_of(f"trace bytes per event: {name}", facts["bytes"] / facts["events"], 0.6, 0.2, note=note, digits=3)
    row.met = row.met and lost == 0
    return row
