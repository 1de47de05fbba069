#!/usr/bin/env python3
"""libprofstudy says what `prof` prints.  See README.md."""
import argparse
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "hottest"
sys.path.insert(0, str(EXAMPLE))
import prof_study  # noqa: E402 (lies there)

HEADER = str(ROOT / "include" / "prof_study.h")
# Columns of the CSV: name, and how a row of the library has it.
TIMES = [("total_ns", lambda row: row.total.elapsed), ("self_ns", lambda row: row.self.elapsed)]
FUNCTIONS = [(name, lambda row, name=name: getattr(row, name)) for name in ("name", "module", "file", "line", "calls")] + TIMES + [
    ("error_ns", lambda row: row.error_ns), ("avg_ns", lambda row: row.avg_ns if row.has_durations else ""),
    *((name, lambda row, name=name: getattr(row, name) if row.has_extremes else "") for name in ("min_ns", "max_ns", "p50_ns", "p99_ns")),
    ("self_share", lambda row: f"{row.self_share:.9g}"), ("total_share", lambda row: f"{row.total_share:.9g}")]
THREADS = [(name, lambda row, name=name: getattr(row, name)) for name in ("name", "tid", "pid", "command", "calls")] + TIMES
LOOPS = [(name, lambda row, name=name: getattr(row, name)) for name in ("function", "file", "line", "last_line", "depth")]
TEXTS = ("name", "module", "file", "function", "command")
LINES = [(name, lambda row, name=name: getattr(row, name)) for name in ("file", "line", "samples", "calls")]


def text_of(value):
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def printed(columns, rows):
    return [{name: text_of(of(row)) for name, of in columns} for row in rows]


def reported(prof, recording, columns, verb, *arguments):
    """What `prof` prints, the same columns; None: it has nothing to show."""
    run = subprocess.run([prof, verb, "-i", recording, "--format=csv", "-n", "0", *arguments], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, timeout=400)
    if run.returncode:
        return None
    rows = list(csv.DictReader(io.StringIO(run.stdout.decode("utf-8", "surrogateescape"), newline="")))
    return [{name: row[name] for name, _ in columns} for row in rows]


def check(prof, recording, library):
    """How many rows were compared."""
    functions = reported(prof, recording, FUNCTIONS, "report", "--sort=name")
    try:
        study = prof_study.Study(str(recording), HEADER, library)
    except RuntimeError as error:
        assert functions is None, (recording.name, str(error))
        return 0
    with study:
        questions = [
            (functions, FUNCTIONS, lambda: study.functions(sort="PROF_SORT_NAME")),
            (reported(prof, recording, THREADS, "report", "--by=thread"), THREADS, lambda: study.functions("PROF_BY_THREAD")),
            (reported(prof, recording, LOOPS, "loops"), LOOPS, study.loops),
            (reported(prof, recording, LINES, "lines"), LINES, study.lines),
        ]
        count = 0
        if recording.name in ("gpu", "pmu", "pmu_nested"):  # prof lines has rows of GPU work and counted events too
            questions.pop()
        for expected, columns, ask in questions:
            rows, expected = printed(columns, ask()), expected or []
            if recording.name in ("hostile", "unequal", "wide"):  # the library gives names as they are, the CSV escapes them
                rows, expected = ([{k: v for k, v in row.items() if k not in TEXTS} for row in some] for some in (rows, expected))
            assert rows == expected, (recording.name, columns[0][0], rows, expected)
            count += len(rows)
        tree = study.tree()
        whole = tree[0].total_ns
        assert abs(sum(node.self_ns for node in tree) - whole) <= len(tree), (recording.name, whole, [node.self_ns for node in tree])
        assert all(study.name(node.function) for node in tree), recording.name
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("prof", "trace-make", "library", "cc"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    library = pathlib.Path(options.library).resolve()
    with tempfile.TemporaryDirectory(prefix="prof-library-") as folder:
        work, count = pathlib.Path(folder), 0
        for text in sorted((ROOT / "test" / "golden" / "traces").glob("*.txt")):
            subprocess.run([options.trace_make, f"--text={text}", "-o", work / text.stem], check=True)
            count += check(options.prof, work / text.stem, str(library))
        subprocess.run([options.cc, "-Wall", "-Werror", "-I", ROOT / "include", EXAMPLE / "hottest.c", library, f"-Wl,-rpath,{library.parent}",
                        "-o", work / "hottest"], check=True)
        for name in ("two_threads", "sampled", "recursion"):
            said = subprocess.run([work / "hottest", work / name], check=True, stdout=subprocess.PIPE, text=True).stdout
            again = subprocess.run([sys.executable, "-B", EXAMPLE / "hottest.py", work / name, HEADER, library], check=True,
                                   stdout=subprocess.PIPE, text=True).stdout
            assert again and said.startswith(again), (name, said, again)
        missing = subprocess.run([work / "hottest", work / "nosuch"], stderr=subprocess.PIPE, text=True)
        assert missing.returncode == 1 and "nosuch" in missing.stderr, missing
    assert count > 100, count
    print(f"rows of functions, threads, loops and lines that are equal: {count}")
    return 0


try:
    sys.exit(main())
except AssertionError as error:
    print(error)
    sys.exit(1)
