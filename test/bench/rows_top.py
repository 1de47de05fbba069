"""Rows: is what prof top shows right?  Each figure against that of prof report of the same time, which has intervals."""
import contextlib
import dataclasses
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import threading
import time

import programs
from measuring import Row, progress, quick
from rows_budget import small

MODES = {
    "all calls": [],
    "5%": ["--overhead=5%"],
    "ring": ["--mode=ring", "--keep=120s"],
    "ring, 5%": ["--mode=ring", "--keep=120s", "--overhead=5%"],
    "summary": ["--mode=summary"],
    "summary, 5%": ["--mode=summary", "--overhead=5%"],
}
WINDOW_S, WINDOWS, PATIENCE_S = 2, 5, 120
EDGE = 0.02  # of a window: a call, slice or sample may lie on the other side of its edge
SCREEN_EDGE = 0.1  # of a window: the header has the age of the window's end in tenths of a second


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"{what} did not happen within {PATIENCE_S} s")
        time.sleep(0.02)


# ---- programs ----

class Lua:
    """Calls at a steady rate in one thread: the same script again and again."""

    def __init__(self, builds):
        self.command = [builds.program("lua", "plugin"), *programs.lua_arguments(10**7)]

    counted = None  # function whose calls the program counts itself

    def begin(self):
        pass

    def end(self):
        pass


class Threads(Lua):
    def __init__(self, builds):
        self.command = [small(builds, "dense_threads", "-pthread"), 10**12]


class Redis(Lua):
    """redis-server, asked by 20 clients until the end; its own count of commands is read meanwhile."""
    counted = "call"

    def __init__(self, builds):
        plain = pathlib.Path(builds.program("redis", "plain"))
        self.tools, self.socket, self.asking = pathlib.Path(f"{plain}.objects") / "src", builds.folder / "top.socket", None
        self.command = [builds.program("redis", "plugin"), "--port", "0", "--unixsocket", self.socket, "--save", "", "--appendonly", "no"]

    def begin(self):
        wait_for("redis-server", self.socket.exists)
        words = [self.tools / "redis-benchmark", "-s", self.socket, "-n", "1000", "-c", "20", "-t", "set,get,lrange_100", "-q", "-l"]
        self.asking = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.counts, self.over = [], False
        self.counting = threading.Thread(target=self.count, daemon=True)
        self.counting.start()

    def count(self):
        """Commands so far, with the times before and after the question."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(str(self.socket))
            while not self.over:
                before, answer = time.monotonic_ns(), b""
                asked.sendall(b"INFO stats\r\n")
                while not answer.endswith(b"\r\n") or b"total_commands_processed" not in answer:
                    answer += asked.recv(65536)
                self.counts.append((before, time.monotonic_ns(), int(re.search(rb"total_commands_processed:(\d+)", answer)[1])))
                time.sleep(0.02)

    def between(self, begin_ns, end_ns):
        """Least and most commands of this time; None: it isn't known."""
        inside = [count for before, after, count in self.counts if before >= begin_ns and after <= end_ns]
        first = [count for _, after, count in self.counts if after <= begin_ns]
        last = [count for before, _, count in self.counts if before >= end_ns]
        if len(inside) < 2 or not first or not last:
            return None
        return inside[-1] - inside[0], last[0] - first[-1]

    def end(self):
        self.over = True
        self.asking.kill()
        self.asking.wait()
        self.socket.unlink(missing_ok=True)


# ---- what is shown ----

class Tmux:
    """A server of its own with one window, in which prof top runs."""

    def __init__(self, builds, process):
        self.socket = builds.folder / "top.tmux"
        self.ask("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", f"{builds.prof} top {process} --window={WINDOW_S}s")

    def ask(self, *words):
        return subprocess.run(["tmux", "-S", str(self.socket), *words], capture_output=True, text=True, check=False)

    def lines(self):
        return self.ask("capture-pane", "-p").stdout.splitlines()

    def next(self):
        """The lines after they were drawn anew, and when that was."""
        def is_drawn():
            shown[:] = self.lines()
            return shown[0] != before and " ago: " in shown[0]
        before, shown = (self.lines() or [""])[0], []
        wait_for("a new screen", is_drawn)
        return shown, time.monotonic_ns()

    def end(self):
        self.ask("kill-server")


def number(text):
    """A cell of the screen: "~1,234", "12.3%", "4.00 ms" (in ns); None for -."""
    match = re.fullmatch(r"~?([0-9,.]+)(%| ns| us| ms| s|)", text)
    return match and float(match[1].replace(",", "")) * {"%": 0.01, " us": 1e3, " ms": 1e6, " s": 1e9}.get(match[2], 1)


def rows_on_screen(lines, title):
    """{name: {column: figure}} of a table whose last column is `title`; names that stand once."""
    head = next(at for at, line in enumerate(lines) if line.endswith(title))
    found, columns = {}, lines[head].split()
    for line in lines[head + 1:]:
        cells = re.split(r"(?<=\S) {2,}(?=\S)|(?<=[0-9%]) (?=~?[0-9])", line.strip(), maxsplit=len(columns) - 1)
        if len(cells) == len(columns):
            found.setdefault(cells[-1], []).append({column: number(cell) for column, cell in zip(columns, cells)})
    return {name: rows[0] for name, rows in found.items() if len(rows) == 1}


def window_on_screen(lines):
    """The length and age in the header, ns."""
    match = re.search(r"([0-9.]+) (ms|s) to ([0-9.]+) s ago", lines[0])
    return float(match[1]) * (1e9 if match[2] == "s" else 1e6), float(match[3]) * 1e9


# ---- comparing ----

@dataclasses.dataclass
class Tally:
    """How many figures were compared, and how many differ by more than the interval and the edge."""
    compared: int = 0
    outside: list = dataclasses.field(default_factory=list)
    worst: float = 0  # of a figure of time: points of the window
    worst_calls: float = 0  # relative, of calls more than 1000

    def take(self, what, got, low, value, high, edge):
        self.compared += 1
        if not low - edge <= got <= high + edge:
            self.outside.append(f"{what}: {got:.6g}, report {value:.6g} ({low:.6g} to {high:.6g})")

    def time(self, what, got_ns, row, key, window_ns, edge):
        value = row.get(key, row["self_ns"])
        error = max(row.get("self_high_ns", value) - row["self_ns"], row["self_ns"] - row.get("self_low_ns", value), 0)
        error = max(error, row.get("error_ns") or 0)
        self.worst = max(self.worst, abs(got_ns - value) / window_ns)
        self.take(what, got_ns, value - error, value, value + error, edge * max(value, 0.05 * window_ns))

    def calls(self, what, got, row, edge):
        low, high = row.get("calls_low"), row.get("calls_high")
        low, high = (row["calls"], row["calls"]) if low is None else (low, high)
        if got is None or high is None or row["calls"] is None:
            return
        if row["calls"] > 1000:
            self.worst_calls = max(self.worst_calls, abs(got / row["calls"] - 1))
        self.take(what, got, low, row["calls"], high, edge * high + 10)


def once(rows):
    found = {}
    for row in rows:
        found.setdefault((row["name"], row.get("tid")), []).append(row)
    return {key: rows[0] for key, rows in found.items() if len(rows) == 1}


def compare_rows(tally, shown, report, window_ns):
    """Functions: calls, self, waiting time.  Threads: calls, running and waiting time."""
    has_waits = "self_waiting_ns" in (report["functions"] or [{}])[0]
    expected = once(report["functions"])
    for key, row in once(shown["functions"]).items():
        if key not in expected:
            tally.take(f"{key[0]} isn't in the report", row["self_ns"], 0, 0, 0, EDGE * 0.05 * window_ns)
            continue
        other = expected[key]
        tally.time(f"self of {key[0]}", row["self_ns"], other, "self_running_ns", window_ns, EDGE)
        tally.calls(f"calls of {key[0]}", row["calls"], other, EDGE)
        if has_waits and row.get("waiting") is not None:
            tally.time(f"waiting of {key[0]}", row["waiting"] * window_ns, other, "self_waiting_ns", window_ns, EDGE)
    for key, row in once(shown["threads"]).items():
        other = once(report["threads"]).get(key)
        if other is None:
            tally.take(f"thread {key} isn't in the report", row["total"], 0, 0, 0, EDGE)
            continue
        tally.calls(f"calls of thread {key}", row["calls"], other, EDGE)
        tally.time(f"running of thread {key}", row["total"] * window_ns, other, "running_ns" if has_waits else "total_ns", window_ns, EDGE)
        if has_waits and row.get("waiting") is not None:
            tally.time(f"waiting of thread {key}", row["waiting"] * window_ns, other, "waiting_ns", window_ns, EDGE)


def compare_counted(tally, shown, name, between):
    """Calls of the function that the program counts: the interval is the estimate's of prof report, and that of the count."""
    row = once(shown["functions"]).get((name, None))
    if between and row and row["calls"] is not None:
        least, most = between
        tally.take(f"calls of {name}, counted by the program", row["calls"], least, (least + most) / 2, most, EDGE * most + 10)


def compare_screen(tally, lines, report, window_ns):
    expected = {key[0]: row for key, row in once(report["functions"]).items()}
    for name, cells in rows_on_screen(lines, "FUNCTION").items():
        row = expected.get(name)
        if row is None or cells.get("SELF") is None:
            continue
        tally.time(f"self of {name} on the screen", cells["SELF"] * window_ns, row, "self_running_ns", window_ns, SCREEN_EDGE)
        if cells.get("CALLS/S") is not None:
            tally.calls(f"calls of {name} on the screen", cells["CALLS/S"] * window_ns / 1e9, row, SCREEN_EDGE)


# ---- one recording ----

class Watched:
    """A recording in progress, prof top in tmux beside it, and what both showed."""

    def __init__(self, builds, program, options):
        self.builds, self.program, self.data = builds, program, builds.folder / "top.data"
        shutil.rmtree(self.data, ignore_errors=True)
        words = [builds.prof, "record", *options, "-o", self.data, "--", *program.command]
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.kept = 0
        self.zeros_ns = []  # the recording's time zero by a steady clock, as each prof top has it

    def prof(self, *words):
        result = subprocess.run([str(word) for word in (self.builds.prof, *words)], capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(f"prof {' '.join(map(str, words))}: {result.stderr[-400:]}")
        return result.stdout

    def is_asked(self):
        return subprocess.run([str(self.builds.prof), "ctl", str(self.process.pid)], capture_output=True, check=False).returncode == 0

    def keep(self):
        """Where prof top has read: what the recorder wrote for it is replaced the next time."""
        look = self.data / "look"
        if not look.exists():
            return self.data
        self.kept += 1
        kept = self.builds.folder / f"top-{self.kept}.data"
        shutil.rmtree(kept, ignore_errors=True)
        return shutil.copytree(look, kept)

    def top(self):
        """What it shows, and where it has read."""
        shown = json.loads(self.prof("top", self.process.pid, f"--window={WINDOW_S}s", "--format=json"))
        window, now_ns = shown["window"], time.monotonic_ns()
        self.zeros_ns.append(now_ns - shown["age_ns"] - window["end_ns"])
        return shown, self.keep()

    def screen(self, tmux):
        lines, drawn_ns = tmux.next()
        return lines, drawn_ns, self.keep()

    def screen_window(self, lines, drawn_ns, data):
        length_ns, age_ns = window_on_screen(lines)
        if data == self.data:
            end_ns = drawn_ns - age_ns - statistics.median(self.zeros_ns)
        else:  # the screen was the last to read it, up to its end
            end_ns = json.loads(self.prof("top", "-i", data, "--format=json"))["window"]["end_ns"]
        return max(0, end_ns - length_ns), end_ns

    def counted(self, window):
        """What the program counted in it; the steady clock's times of both edges are known by no more than the zeros differ."""
        early, late = min(self.zeros_ns), max(self.zeros_ns)
        least = self.program.between(late + window["begin_ns"], early + window["end_ns"])
        most = self.program.between(early + window["begin_ns"], late + window["end_ns"])
        return least and most and (least[0], most[1])

    def report(self, data, begin_ns, end_ns):
        words = ["-i", data, "-n", "0", f"--range={max(0, int(begin_ns))}ns~{int(end_ns)}ns", "--format=json"]
        functions = json.loads(self.prof("report", *words))
        return functions | {"threads": json.loads(self.prof("report", "--by=thread", *words))["threads"]}

    def end(self):
        self.program.end()
        with contextlib.suppress(subprocess.TimeoutExpired, OSError):
            for child in pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split():
                subprocess.run(["kill", child], check=False)
            self.process.wait(timeout=PATIENCE_S)
        self.process.kill()
        self.process.wait()


def watch(builds, program, options):
    watched = Watched(builds, program, options)
    try:
        wait_for("the recording", watched.is_asked)
        program.begin()
        time.sleep(WINDOW_S + 1)
        tmux = Tmux(builds, watched.process.pid)
        try:
            screens = [watched.screen(tmux) for _ in range(3 if quick() else WINDOWS)]
        finally:
            tmux.end()
        shown = [watched.top() for _ in range(3 if quick() else WINDOWS)]
        time.sleep(0.5)
    finally:
        watched.end()
    return watched, screens, shown


def top_row(builds, name, mode, program):
    watched, screens, shown = watch(builds, program, MODES[mode])
    tally, tmux, counted = Tally(), Tally(), Tally()
    for one, data in shown:
        window = one["window"]
        compare_rows(tally, one, watched.report(data, window["begin_ns"], window["end_ns"]), window["end_ns"] - window["begin_ns"])
        if program.counted:
            compare_counted(counted, one, program.counted, watched.counted(window))
    for screen in screens:
        begin_ns, end_ns = watched.screen_window(*screen)
        compare_screen(tmux, screen[0], watched.report(screen[2], begin_ns, end_ns), end_ns - begin_ns)
    for line in (*tally.outside, *tmux.outside, *counted.outside):
        progress(f"  {line}")
    progress(f"  {screens[-1][0][0]}")
    others = f"; in tmux {len(tmux.outside)} of {tmux.compared}"
    if program.counted:
        others += f"; by the program's count {len(counted.outside)} of {counted.compared}"
    return Row(f"{name}, {mode}", f"{len(tally.outside)} of {tally.compared}{others}", "0", "", not (tally.outside or tmux.outside or counted.outside),
               f"largest difference of a time {100 * tally.worst:.2f} points of the window, of calls {100 * tally.worst_calls:.2f}%")


def top_rows(builds):
    every = {"lua": Lua, "redis": Redis, "8 threads": Threads}
    for name, make in every.items():
        if builds.names and name not in builds.names:
            continue
        program = make(builds)
        for mode in MODES:
            progress(f"top: {name}, {mode}")
            yield top_row(builds, name, mode, program)
