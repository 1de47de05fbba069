"""One cell: builds a program plain and probed, runs both, and holds output, status, counts and tree against each other."""
import collections
import difflib
import mmap
import os
import pathlib
import re
import shutil
import struct
import subprocess

import axes
import trees

MATRIX_BYTES, ENTRY = 8192, struct.Struct("56sQ")
FAILED, PASSED, SKIPPED = "differing", "run", "skipped"
Outcome = collections.namedtuple("Outcome", "kind texts")
TIMEOUT_SECONDS = 900
SUMMARY = ["--mode=summary", "--every=1ms"]  # nearly each turn of the recorder is a stretch of its own


class Skip(Exception):
    """The cell can't be: why."""


class Differs(Exception):
    """Something is not as expected."""


class Setting:
    """What all cells share."""

    def __init__(self, prof, plugin, runtime_folder):
        self.prof = pathlib.Path(prof).resolve()
        self.plugin = pathlib.Path(plugin).resolve()
        self.runtime_folder = pathlib.Path(runtime_folder).resolve()
        self.expected = {}

    def expected_of(self, program):
        if program not in self.expected:
            self.expected[program] = trees.Expected(axes.PROGRAMS / f"{program}.tree")
        return self.expected[program]


def environment(extra=None):
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PROF_", "MATRIX_", "OMPI_", "PMI"))}
    kept["LC_ALL"] = "C"
    kept.update(extra or {})
    return kept


def execute(command, folder, extra=None):
    """A finished process."""
    return subprocess.run([str(word) for word in command], cwd=folder, env=environment(extra), capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS, check=False)


class Cell:
    def __init__(self, setting, cell, folder):
        self.setting, self.cell, self.folder = setting, cell, folder
        self.expected = setting.expected_of(cell.program)
        self.said = {}  # what the compiler said of each plain output: a plugin adds nothing to it
        self.source = next(path for path in (axes.PROGRAMS / f"{cell.program}{end}" for end in (".c", ".cc")) if path.exists())

    def check_axes(self):
        for key, value in (("families", self.cell.compiler.family), ("shapes", self.cell.shape)):
            allowed, why = self.expected.words(key)
            if allowed and value not in allowed:
                raise Skip(f"{self.cell.program} not as {value}: {why}")

    def flags(self, probed):
        flags = ["-g", self.cell.level, "-w", *self.expected.words("flags")[0]]
        if self.cell.lto == "lto":
            flags += self.cell.compiler.lto
        return flags + ([f"-fplugin={self.setting.plugin}"] if probed else [])

    def compile(self, sources, output, flags, probed):
        compiler = self.cell.compiler
        cxx = any(str(source).endswith(".cc") for source in sources)
        command = [compiler.cxx if cxx else compiler.c, *self.flags(probed), *flags, *sources, "-o", output, "-pthread"]
        if self.cell.shape == "static" and "-shared" not in flags and probed:
            command += ["-L", self.setting.runtime_folder, "-Wl,--whole-archive", "-lprof-runtime", "-Wl,--no-whole-archive"]
        result = execute(command, self.folder)
        if result.returncode and not probed:
            lines = result.stderr.splitlines() or ["?"]
            lines = [line for line in lines if "error" in line.lower()] or lines
            said = re.sub(r"/tmp/[^: ]*", "...", lines[0])[:160]
            raise Skip(f"{self.cell.program}: {compiler.name} {self.cell.lto} {self.cell.shape} doesn't build it plain: {said}")
        said = re.sub(r"/tmp/\S+|/plain/|/probed/", "", result.stderr)
        plain_said = self.said.setdefault(output.name, said)
        if result.returncode or said != plain_said:
            raise Differs(f"{' '.join(map(str, command))}: {result.returncode} {result.stdout}{result.stderr}"[:1200])

    def build(self, name, probed):
        """The program in a folder of that name; libraries that it opens lie beside it."""
        folder = self.folder / name
        folder.mkdir()
        for library in self.expected.words("libraries")[0]:
            self.compile([axes.PROGRAMS / f"{library}.c"], folder / f"{library}.so", ["-shared", "-fPIC"], probed)
        if self.cell.shape == "shared":
            self.compile([self.source], folder / "libprogram.so", ["-shared", "-fPIC", "-DMATRIX_SHARED", "-Dmain=matrix_main"],
                         probed)
            # Not probed: of the program itself nothing is recorded.
            driver = [axes.PROGRAMS / "driver.c", "-L.", "-lprogram", "-ldl", "-Wl,-rpath,$ORIGIN"]
            command = [self.cell.compiler.c, "-O1", *driver, "-o", "program"]
            result = execute(command, folder)
            if result.returncode:
                raise Differs(f"{' '.join(map(str, command))}: {result.stderr}"[:1200])
        else:
            self.compile([self.source], folder / "program", ["-static"] if self.cell.shape == "static" else ["-ldl"], probed)
        return folder

    def run(self, name, run, record=None):
        """(finished process, {function: calls} as it counted itself)."""
        folder = self.folder / name
        counts = folder / "counts"
        counts.write_bytes(bytes(MATRIX_BYTES))
        shutil.rmtree(folder / "prof.data", ignore_errors=True)
        own = [word for word in self.expected.words("record")[0] if record != SUMMARY or not word.startswith("--max-size")]
        before = [self.setting.prof, "record", *own, *record, "--"] if record is not None else []
        result = execute([*before, "./program", *run.words], folder, {"MATRIX_CALLS": str(counts)})
        with open(counts, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as entries:
            found = {entry.rstrip(b"\0").decode(): count for entry, count in ENTRY.iter_unpack(entries[:]) if entry[0]}
        return result, found

    def same(self, what, got, plain):
        # Beside what prof says, which begins a line of its own each time, and its remedies below that.
        own = re.sub(r"(?m)^\n(?=prof: )", "", got.stderr)
        said = [line for line in own.splitlines() if not line.startswith(("prof: ", "  raise --"))]
        if (got.stdout, got.returncode, said) != (plain.stdout, plain.returncode, plain.stderr.splitlines()):
            raise Differs(f"{what}: status {got.returncode} {got.stdout!r} {got.stderr[-300:]!r}, "
                          f"plain {plain.returncode} {plain.stdout!r}")

    def check_run(self, run):
        plain, own = self.run("plain", run)
        if run.condition and run.condition not in plain.stdout.split():
            return False
        if plain.returncode != run.status:
            raise Differs(f"plain: status {plain.returncode} {plain.stderr[-300:]!r}, expected {run.status}")
        self.same("unrecorded", self.run("probed", run)[0], plain)
        for options in ([], SUMMARY) if self.cell.shape == "exe" else ([],):
            result, counted = self.run("probed", run, options)
            self.same(f"recorded {options}", result, plain)
            if counted != own:
                raise Differs(f"counted itself: {counted}, plain {own}")
            if run.words[:1] != ["unlooked"]:
                self.check_tree(run, counted)
        return True

    def check_tree(self, run, counted):
        read = execute([self.setting.prof, "tree", "--format=json", "--min-share=0"], self.folder / "probed")
        if read.returncode:
            raise Differs(f"prof tree: {read.returncode} {read.stderr}")
        tree, cover = trees.recorded(read.stdout, self.expected)
        got, wanted = list(tree.lines()), list(run.tree.lines())
        if got != wanted:
            lines = difflib.unified_diff(wanted, got, "expected", "recorded", n=50, lineterm="")
            raise Differs("tree\n" + "\n".join(lines))
        wrong = {key: cover[key] for key in ("lost_events", "unmatched", "torn", "too_deep", "damaged_chunks") if cover[key]}
        if wrong:
            raise Differs(f"cover: {wrong}")
        mine = {name: count for name, count in run.tree.totals().items() if count}
        if mine != {name: count for name, count in counted.items() if count}:
            raise Differs(f"expected {mine}, but the program counts {counted}")

    def outcome(self):
        texts, done = [], 0
        try:
            self.check_axes()
            self.build("plain", False)
            self.build("probed", True)
        except (Skip, Differs, subprocess.TimeoutExpired) as problem:
            return Outcome(SKIPPED if isinstance(problem, Skip) else FAILED, [str(problem)])
        for run in self.expected.runs:
            try:
                done += self.check_run(run)
            except (Differs, subprocess.TimeoutExpired) as problem:
                texts.append(f"{' '.join(run.words)}: {problem}")
        if not done and not texts:
            texts.append("no run's condition held")
        return Outcome(FAILED if texts else PASSED, texts)
