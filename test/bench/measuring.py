"""Running commands in turn, timing them, and the table that comes out."""
import dataclasses
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time


@dataclasses.dataclass
class Run:
    wall_s: float
    user_s: float
    system_s: float
    cycles: int = 0  # cycles:u; 0: not counted

    @property
    def cpu_s(self):
        return self.user_s + self.system_s


@dataclasses.dataclass
class Row:
    what: str
    measured: str
    must: str = ""
    aim: str = ""
    met: object = None  # True, False, None: nothing to meet
    note: str = ""


def progress(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def quick():
    return os.environ.get("BENCH_QUICK", "0") not in ("", "0")


turns = 0  # when set (bench.py --turns), in place of all numbers of turns


def repeats(full=9, short=3):
    return turns or (short if quick() else full)


def run(command, cores=None, folder=None, stdout=subprocess.DEVNULL, status=0):
    """Runs a command to its end; its children that it waited for are in the CPU time."""
    command = [str(part) for part in command]
    if cores is not None:
        command = ["taskset", "-c", cores, *command]
    begin = time.perf_counter()
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE) as child:
        errors = child.stderr.read()
        _, wait_status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(wait_status)
    if child.returncode != status:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}: {errors.decode(errors='replace')[-800:]}")
    return Run(wall, usage.ru_utime, usage.ru_stime)


def in_turn(times, **commands):
    """{name: [Run]}: each command once per turn, so that a slow phase of the machine meets all of them."""
    runs = {name: [] for name in commands}
    for turn in range(times):
        for name, command in commands.items():
            runs[name].append(command() if callable(command) else run(command))
        progress(f"  turn {turn + 1} of {times}: " +
                 ", ".join(f"{name} {taken[-1].wall_s:.2f} s" for name, taken in runs.items()))
    return runs


def median(runs, field="wall_s"):
    return statistics.median(getattr(taken, field) for taken in runs)


def least(runs, field="user_s"):
    return min(getattr(taken, field) for taken in runs)


def counts_cycles():
    """Has this machine (and this user) a counter of user cycles?"""
    if not shutil.which("perf"):
        return False
    result = subprocess.run(["perf", "stat", "-x,", "-e", "cycles:u", "true"], capture_output=True, text=True,
                            check=False)
    return result.returncode == 0 and result.stderr.split(",")[0].isdigit()


def run_counted(command):
    """Like run, with cycles:u."""
    with open(os.devnull, "wb") as null:
        begin = time.perf_counter()
        result = subprocess.run(["perf", "stat", "-x,", "-e", "cycles:u", *map(str, command)], stdout=null,
                                stderr=subprocess.PIPE, text=True, check=True)
        wall = time.perf_counter() - begin
    line = [line for line in result.stderr.splitlines() if "cycles:u" in line][-1]
    return Run(wall, 0, 0, int(line.split(",")[0]))


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="ascii", errors="replace")
                  if line.startswith("model name")), platform.machine())
    return f"{model}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release()}"


def version(compiler):
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout.splitlines()[0]


def row_of(what, value, must=None, aim=None, unit="", at_least=False, note="", digits=2):
    """A row whose figure is compared with what is asked for."""
    sign = ">=" if at_least else "<="
    met = None if must is None else (value >= must if at_least else value <= must)
    text = (lambda x: "" if x is None else f"{sign} {x:g}{unit}")
    return Row(what, f"{value:.{digits}f}{unit}", text(must), "" if aim is None else f"{aim:g}{unit}", met, note)


def print_table(rows):
    head = Row("what", "measured", "must", "aim", None, "note")
    marks = {True: "yes", False: "NO", None: ""}
    cells = [[row.what, row.measured, row.must, row.aim, marks[row.met] if row is not head else "met", row.note]
             for row in [head, *rows]]
    print("| " + " | ".join(cells[0]) + " |")
    print("|" + "---|" * len(cells[0]))
    for line in cells[1:]:
        print("| " + " | ".join(line) + " |")
