"""Rows: what a recording with a budget (prof record --overhead) adds to programs that make many calls."""
import shutil
import statistics
import subprocess

import programs
from measuring import in_turn, progress, quick, repeats, row_of, run
from rows_cost import info

PHASE_SECONDS = 12


def small(builds, name, *flags):
    program = builds.folder / f"budget-{name}"
    run([builds.compiler, "-g", "-O2", *builds.flags("plugin"), *flags, builds.source / f"{name}.c", "-o", program])
    return program


def workloads(builds):
    """name -> command.  Each takes two to four seconds."""
    few = quick()

    def real(name, *arguments):
        return lambda: [builds.program(name, "plugin"), *arguments]
    every = {
        "lua": real("lua", *programs.lua_arguments(150 if few else 900)),
        "SQLite": real("sqlite", "--size", "20" if few else "100"),
        "zstd -19": real("zstd", "-19", "-c", programs.text_file(2 if few else 10)),
        "Bullet": lambda: [bullet(builds), "500" if few else "3000"],
        "fib": lambda: [small(builds, "fib"), "42" if few else "45"],
        "8 threads": lambda: [small(builds, "dense_threads", "-pthread"), "30000000" if few else "100000000"],
    }
    return {name: what for name, what in every.items() if not builds.names or name in builds.names}


def bullet(builds):
    compiler = builds.compiler.replace("clang", "clang++") if "clang" in builds.compiler else builds.compiler.replace("gcc", "g++")
    return programs.build("bullet", "bench-plugin", compiler, ["-g", "-O2", *builds.plugin_flags], builds.folder / compiler)


class Recorded:
    """A run of `prof record --overhead`: its own times apart from the program's."""

    def __init__(self, builds, data, budget, command, cores):
        shutil.rmtree(data, ignore_errors=True)
        whole = run([builds.prof, "record", "-o", data, f"--overhead={budget}", "--", *command], cores)
        facts = info(builds, data)
        self.wall_s, self.all_s = whole.wall_s, whole.cpu_s
        self.cpu_s = (facts["user_ns"] + facts["system_ns"]) * 1e-9
        self.recorder_s = facts["recorder_cpu_ns"] * 1e-9
        self.bytes = facts["bytes"]


def budget_rows(builds):
    for name, command in workloads(builds).items():
        command = command()
        progress(f"budget: {name}")
        data = builds.folder / "budget.data"
        budgets = {"5%": (1.07, 1.05), "2%": (1.035, 1.02)}
        runs = in_turn(repeats(7), off=lambda c=command: run(c, builds.two_cores),
                       **{budget: lambda b=budget, c=command: Recorded(builds, data, b, c, builds.two_cores) for budget in budgets})
        off = statistics.median(taken.cpu_s for taken in runs["off"])
        for budget, (must, aim) in budgets.items():
            recorded = runs[budget]
            middle = statistics.median(taken.cpu_s for taken in recorded)
            recorder = statistics.median(taken.recorder_s for taken in recorded)
            yield row_of(f"{name} at {budget}: the program's CPU time over off", middle / off, must, aim, digits=3,
                         note=f"{off:.2f} s off; the recorder's own {recorder:.2f} s; {recorded[0].bytes / 1e6:.1f} MB; medians of {len(recorded)} in turn")
            if budget == "5%":
                whole = statistics.median(taken.all_s for taken in recorded)
                yield row_of("&nbsp; program and recorder, over off", whole / off, 1.12, 1.08, digits=3)
                wall = statistics.median(taken.wall_s for taken in recorded) / statistics.median(taken.wall_s for taken in runs["off"])
                yield row_of("&nbsp; wall time on two cores, over off", wall, 1.08, 1.05, digits=3)
    if not builds.names or "phases" in builds.names:
        yield phase_row(builds)


def work_by_second(text):
    """{second: work} of what phases.c prints; the first tenth is left out."""
    seconds = {}
    for line in text.splitlines():
        _, tenth, work = line.split()
        if int(tenth) > 0:
            seconds.setdefault(int(tenth) // 10, []).append(int(work))
    return {second: statistics.mean(work) for second, work in seconds.items()}


def phase_row(builds):
    program, data = small(builds, "phases"), builds.folder / "budget.data"

    def once(*before):
        shutil.rmtree(data, ignore_errors=True)
        words = ["taskset", "-c", builds.two_cores, *before, program, PHASE_SECONDS]
        return work_by_second(subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout)
    turns = repeats(5)
    off, on = [], []
    for turn in range(turns):
        progress(f"budget: phases, turn {turn + 1} of {turns}")
        off.append(once())
        on.append(once(builds.prof, "record", "-o", data, "--overhead=5%", "--"))
    added = {second: statistics.median(run[second] for run in off) / statistics.median(run[second] for run in on) - 1 for second in off[0]}
    worst = max(added, key=added.get)
    return row_of("phases of two seconds at 5%: added in the worst second", 100 * added[worst], 10, 6, "%", digits=1,
                  note=f"second {worst + 1} of {PHASE_SECONDS}; mean {100 * statistics.mean(added.values()):.1f}%; medians of {turns} in turn")
