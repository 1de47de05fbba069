"""Rows: what a recording with a budget (prof record --overhead) adds to programs that make many calls."""
import pathlib
import shutil
import statistics
import subprocess
import threading
import time

import programs
from measuring import in_turn, least, median, progress, quick, repeats, row_of, run
from rows_cost import info

PHASE_SECONDS = 12


def small(builds, name, *flags):
    program = builds.folder / f"budget-{name}"
    run([builds.compiler, "-g", "-O2", f"-I{programs.ROOT / 'include'}", *builds.flags("plugin"), *flags, builds.source / f"{name}.c", "-o",
         program])
    return program


def workloads(builds):
    """name -> what makes the work.  Each takes two to four seconds."""
    few = quick()

    def real(name, *arguments):
        return lambda: Alone([builds.program(name, "plugin"), *arguments])
    every = {
        "lua": real("lua", *programs.lua_arguments(150 if few else 900)),
        "SQLite": real("sqlite", "--size", "20" if few else "100"),
        "zstd -19": real("zstd", "-19", "-c", programs.text_file(2 if few else 10)),
        "Bullet": lambda: Alone([bullet(builds), "500" if few else "3000"]),
        "fib": lambda: Alone([small(builds, "fib"), "42" if few else "45"]),
        "8 threads": lambda: Alone([small(builds, "dense_threads", "-pthread"), "30000000" if few else "100000000"]),
        "dense zones": lambda: Alone([small(builds, "dense_zones"), "20000000" if few else "150000000"]),
        "redis": lambda: Served(builds),
    }
    return {name: what for name, what in every.items() if not builds.names or name in builds.names}


def bullet(builds):
    compiler = builds.compiler.replace("clang", "clang++") if "clang" in builds.compiler else builds.compiler.replace("gcc", "g++")
    return programs.build("bullet", "bench-plugin", compiler, ["-g", "-O2", *builds.plugin_flags], builds.folder / compiler)


class Served:
    """redis-server under redis-benchmark: so many requests of each kind, and then its end."""

    def __init__(self, builds, server=None, requests=250000):
        plain = pathlib.Path(builds.program("redis", "plain"))
        self.tools = pathlib.Path(f"{plain}.objects") / "src"
        self.server, self.socket = server or builds.program("redis", "plugin"), builds.folder / "redis.socket"
        self.requests = 5000 if quick() else requests

    def ask(self):
        reach = ["-s", self.socket]
        while not self.socket.exists():
            time.sleep(0.01)
        run([self.tools / "redis-benchmark", *reach, "-n", self.requests, "-c", 20, "-t", "set,get,lpush,lrange_100", "-q"])
        run([self.tools / "redis-cli", *reach, "shutdown", "nosave"])

    def run(self, before, cores=None, folder=None):
        self.socket.unlink(missing_ok=True)
        asking = threading.Thread(target=self.ask, daemon=True)
        asking.start()
        taken = run([*before, self.server, "--port", 0, "--unixsocket", self.socket, "--save", "", "--appendonly", "no"], cores, folder)
        asking.join()
        return taken


class Alone:
    def __init__(self, command):
        self.command = command

    def run(self, before, cores=None, folder=None):
        return run([*before, *self.command], cores, folder)


class Recorded:
    """A run of `prof record --overhead`: its own times apart from the program's."""

    def __init__(self, builds, data, budget, work, cores):
        shutil.rmtree(data, ignore_errors=True)
        whole = work.run([builds.prof, "record", "-o", data, f"--overhead={budget}", "--"], cores)
        facts = info(builds, data)
        self.wall_s, self.all_s = whole.wall_s, whole.cpu_s
        self.cpu_s = (facts["user_ns"] + facts["system_ns"]) * 1e-9
        self.recorder_s = facts["recorder_cpu_ns"] * 1e-9
        self.bytes = facts["bytes"]


def rows_of(name, runs, budgets):
    """The least of each: a busy machine only ever adds, by several times what is measured here."""
    off = least(runs["off"], "cpu_s")
    for budget, (must, aim) in budgets.items():
        recorded = runs[budget]
        noise = median(runs["off"], "cpu_s") / off - 1
        yield row_of(f"{name} at {budget}: the program's CPU time over off", least(recorded, "cpu_s") / off, must, aim, digits=3,
                     note=f"{off:.2f} s off, its median {noise:.0%} above; the recorder's own {least(recorded, 'recorder_s'):.2f} s; "
                          f"{recorded[0].bytes / 1e6:.1f} MB; the least of {len(recorded)} in turn")
        if budget == "5%":
            yield row_of("&nbsp; program and recorder, over off", least(recorded, "all_s") / off, 1.12, 1.08, digits=3)
            yield row_of("&nbsp; wall time on two cores, over off", least(recorded, "wall_s") / least(runs["off"], "wall_s"), 1.08, 1.05,
                         digits=3)


def budget_rows(builds):
    for name, prepare in workloads(builds).items():
        work = prepare()
        progress(f"budget: {name}")
        data = builds.folder / "budget.data"
        budgets = {"5%": (1.07, 1.05), "2%": (1.035, 1.02)}
        runs = in_turn(repeats(7), off=lambda w=work: w.run([], builds.two_cores),
                       **{budget: lambda b=budget, w=work: Recorded(builds, data, b, w, builds.two_cores) for budget in budgets})
        yield from rows_of(name, runs, budgets)
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
