"""Recordings to export, and what every test here needs."""
import argparse
import collections
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import programs  # noqa: E402
import slices  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PARTS = ("running", "waiting", "preempted")
LONG = 65536  # bytes of a long name
MOVED = ("apart",)  # frames go on beneath another one: pictures show pieces
TRACES = pathlib.Path(__file__).resolve().parents[2] / "golden/traces"


def mark(row):
    """What stands behind the name of a zone, or of a loop's iterations, where nothing else tells its kind."""
    return f" [{row['kind']}]" if row.get("kind") in ("zone", "iteration") else ""


def loads(text):
    """JSON in which zones have the names that readers without kinds show."""
    return json.loads(text, object_hook=lambda row: {**row, "name": row["name"] + mark(row)} if mark(row) else row)


def named(function):
    """The name of a function of JSON as files without kinds have it."""
    return plain(function["name"] + mark(function))


class Bench:
    """prof, a folder, and recordings in it."""

    def __init__(self, folder):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", type=pathlib.Path, required=True)
        parser.add_argument("--trace-make", type=pathlib.Path, required=True)
        parser.add_argument("--node-folder", type=pathlib.Path, required=True)
        options = parser.parse_args()
        self.prof_path = options.prof.resolve()
        self.node_folder = options.node_folder.resolve()
        self.folder = pathlib.Path(folder)
        self.trace_make = options.trace_make
        self.recordings = []
        for text in sorted(TRACES.glob("*.txt")):
            self._make(options.trace_make, text.stem, f"--text={text}")
        self._make(options.trace_make, "large", "--events=30000", "--threads=3", "--functions=80", "--jitter=3")

    def _make(self, trace_make, name, *arguments):
        subprocess.run([trace_make.resolve(), *arguments, "-o", self.folder / name], check=True,
                       stdout=subprocess.DEVNULL)
        self.recordings.append(name)

    def some(self, first=0):
        """A third of the recordings, from number `first` (0 to 2) on, and those that are made here; the whole: all."""
        own = [name for name in self.recordings if not (TRACES / f"{name}.txt").exists()]
        return self.recordings if slices.WHOLE else [name for name in self.recordings if name not in own][first::3] + own

    def pieces(self, recording, *arguments):
        """(pid, tid, name, begin, depth from 1) of each call, as often as there are: those of `--format=csv`, which has calls that go on
        beneath another one as one row, and of such recordings the pieces of `prof replay`."""
        found, stacks = collections.Counter(), collections.defaultdict(list)
        rows = list(csv.DictReader(io.StringIO(self.prof("export", "-i", recording, "--format=csv", "--timeline", *arguments).decode())))
        events = json.loads(self.prof("replay", "-i", recording, "--format=json"))["events"] if recording in MOVED else []
        if not events:
            return collections.Counter((int(row["pid"]), int(row["tid"]), plain(row["name"].lstrip("'")), int(row["begin_ns"]), int(row["depth"]))
                                       for row in rows)
        for event in events:
            if event["event"] == "enter":
                stacks[event["tid"]].append(event["time_ns"])
            elif event["event"] == "leave":
                begin = stacks[event["tid"]].pop()
                found[int(rows[0]["pid"]), event["tid"], named(event), begin, event["depth"] + 1] += 1
        return found

    def make_texts(self, **texts):
        """Recordings by name, each from a text."""
        for name, text in texts.items():
            path = self.folder / f"{name}.txt"
            path.write_text(text)
            self._make(self.trace_make, name, f"--text={path}")

    def make(self, name, *arguments):
        """One more recording for trace_make, not among `recordings`."""
        self._make(self.trace_make, name, *arguments)
        self.recordings.remove(name)

    def prof(self, *arguments):
        """Standard output as bytes; messages pass through."""
        return subprocess.run([self.prof_path, *arguments], cwd=self.folder, check=True, stdout=subprocess.PIPE).stdout

    def export(self, recording, name, *arguments):
        """Exports into a file and returns its path."""
        path = self.folder / name
        subprocess.run([self.prof_path, "export", "-i", recording, "-o", path, *arguments], cwd=self.folder, check=True)
        return path

    def odd(self):
        """More recordings: one cut in the middle, one with a long name.  And the name of one without calls."""
        (self.folder / "long.txt").write_text(f"thread main\nfunction {'long' * (LONG // 4)}\nmain +10 enter {'long' * (LONG // 4)}\n"
                                              f"main +20 exit {'long' * (LONG // 4)}\n")
        (self.folder / "empty.txt").write_text("thread main\nfunction main\n")
        self._make(self.trace_make, "long", f"--text={self.folder / 'long.txt'}")
        self._make(self.trace_make, "many", "--events=400000", "--threads=2", "--functions=30", "--jitter=3")
        whole = (self.folder / "many/trace").read_bytes()
        self.recordings.remove("many")
        (self.folder / "cut").mkdir()
        (self.folder / "cut/trace").write_bytes(whole[:len(whole) // 2])
        self.recordings.append("cut")
        self._make(self.trace_make, "empty", f"--text={self.folder / 'empty.txt'}")
        self.recordings.remove("empty")
        return "empty"

    def real(self):
        """Records a program of two processes with threads, loops and waits; says why if that can't be."""
        try:
            compiler = programs.default_compiler()
            flags = programs.plugin_flags(self.prof_path, compiler)
        except (SystemExit, RuntimeError) as error:
            return str(error)
        program = self.folder / "busy"
        subprocess.run([compiler, "-g", "-O2", *flags, HERE / "busy.c", "-o", program, "-pthread"], check=True)
        self.real_again()
        self.recordings.append("real")
        return None

    def real_again(self):
        shutil.rmtree(self.folder / "real", ignore_errors=True)
        subprocess.run([self.prof_path, "record", "-o", self.folder / "real", self.folder / "busy"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def refuses_empty(self, recording, *arguments):
        """A recording without calls is an error that says so, and no output is begun."""
        path = self.folder / "never"
        result = subprocess.run([self.prof_path, "export", "-i", recording, "-o", path, *arguments], cwd=self.folder, check=False,
                                stderr=subprocess.PIPE, text=True)
        assert result.returncode == 1 and result.stderr.startswith("prof: ") and not path.exists(), (arguments, result)

    def json(self, *arguments):
        return json.loads(self.prof(*arguments, "--format=json"))

    def report(self, recording, *arguments):
        """prof report's rows by the function's name: calls, total and self times (by kind, "" elapsed), summed up over equal names."""
        sums = collections.defaultdict(collections.Counter)
        # The report folds loops apart from their functions, and so rounds and splits times of a real recording in other pieces.
        rows = self.json("export", "-i", recording, *arguments) if recording == "real" else self.json("report", "-i", recording, *arguments)
        for row in rows["functions"]:
            found = sums[named(row)]
            found["calls"] += row["calls"]
            for kind in ("",) + (PARTS if "running_ns" in row else ()):
                for what in ("total_", "self_"):
                    key = (what if what == "self_" or not kind else "") + (kind + "_" if kind else "")
                    found[what + kind] += row[key + "ns"]
        return sums

    def slack(self, recording):
        """How many nanoseconds sums may differ: none in the traces made from text, whose tick is a nanosecond; else two for each function."""
        return 2 if recording in ("real", "large", "cut") else 0

    def covered(self, recording, *arguments):
        return self.json("report", "-i", recording, *arguments)["cover"]


def plain(name):
    """A name as a key: those with odd characters, which each format escapes in its own way, are one."""
    return name if name.isascii() and name.isprintable() and not set(name) & set("<>&\"'\\;") else "?"


def need(*commands):
    """Ends the test as skipped if a command is missing."""
    for command in commands:
        if not shutil.which(command):
            programs.skip(f"no {command} (make setup-all installs it)")
