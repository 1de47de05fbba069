#!/usr/bin/env python3
"""test_flame_lines.py --prof PROF --compiler COMPILER - lines in flamegraphs of a real recording.  See README.md."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

NAP_NS = 20_000_000
RECORDINGS = 10  # at most: on a busy machine samples come in stretches, and none may lie in a function's 40 ms
BOTH = {("main", "left", "spend"), ("main", "right", "spend")}
LINE = re.compile(r"[\w.]+:\d+")
faults = []


def check(what, good, said=""):
    if not good:
        faults.append(f"{what}: {said}")


def run(*command, cwd):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def marked():
    """function -> the lines that it may be sampled in."""
    found, function = {}, None
    for number, text in enumerate((HERE / "hot.c").read_text().splitlines(), 1):
        mark = re.match(r"/\* lines: (\w+)", text)
        function = mark[1] if mark else function
        if function:
            found.setdefault(function, set()).add(number)
        function = None if text == "}" else function
    return found


def is_leaf(name):
    return LINE.fullmatch(name) or name.endswith("]")


class Recording:
    def __init__(self, options, folder):
        self.prof, self.folder = options.prof, folder
        shutil.copy(HERE / "hot.c", folder)
        run(options.compiler, "-g", "-O2", *programs.plugin_flags(options.prof, options.compiler),
            "-fplugin-arg-prof-loops=outer", "-fplugin-arg-prof-loop-min-statements=0", "hot.c", "-o", "hot", cwd=folder)
        for _ in range(RECORDINGS):
            shutil.rmtree(folder / "prof.data", ignore_errors=True)
            run(options.prof, "record", "./hot", cwd=folder)
            leaves = [path for path, _ in self.folded("--lines", "--raw")]
            if BOTH <= {tuple(path[:-1]) for path in leaves if LINE.fullmatch(path[-1])} and any(path[-1].endswith("[libc.so.6]") for path in leaves):
                break

    def folded(self, *words):
        rows = run(self.prof, "export", "--format=folded", *words, cwd=self.folder).splitlines()
        return [(row.rsplit(" ", 1)[0].split(";"), int(row.rsplit(" ", 1)[1])) for row in rows]

    def samples(self, *words):
        """leaf -> samples, as the picture's texts say."""
        svg = run(self.prof, "flame", "-F", "main", "--lines", "--min-share=0", *words, cwd=self.folder)
        found = {}
        for name, count in re.findall(r"<title>([^\n]*)\n[^<]*?, ([\d,]+) samples?, self", svg):
            found[name] = found.get(name, 0) + int(count.replace(",", ""))
        return found


def sums(rows, keep):
    paths = {}
    for path, value in rows:
        path = ";".join(name for name in path if keep(name))
        paths[path] = paths.get(path, 0) + value
    return paths


def check_sums(what, recording, *words):
    whole = sums(recording.folded(*words), lambda name: True)
    parts = sums(recording.folded("--lines", *words), lambda name: not is_leaf(name) or name.startswith("loop "))
    check(f"{what}: paths", sorted(whole) == sorted(parts), f"{sorted(parts)}, expected {sorted(whole)}")
    for path, value in whole.items():
        check(f"{what}: time of {path}", abs(parts.get(path, 0) - value) <= 50, f"{parts.get(path)} ns, expected {value}")


def check_places(what, rows):
    """A function has no other function's lines; what a path has by itself is in its own code."""
    allowed, met = marked(), set()
    for path, _ in rows:
        if not LINE.fullmatch(path[-1]):
            continue
        function = next(name for name in reversed(path[:-1]) if not name.startswith("loop "))
        check(f"{what}: {path[-1]} in {function}", int(path[-1].rsplit(":", 1)[1]) in allowed[function])
        met.add(tuple(path[:-1]))
    return met


def check_counts(what, recording):
    """Samples per line, and those in libraries and the kernel, as `prof lines` has them."""
    rows = json.loads(run(recording.prof, "lines", "-F", "main", "--format=json", cwd=recording.folder))["lines"]
    wanted = {}
    for row in rows:
        base = pathlib.PurePosixPath(row["file"]).name
        name = f"{base}:{row['line']}" if row["line"] else row["function"] if not base else \
            f"[{base}]" if row["function"] == "[unknown]" else f"{row['function']} [{base}]"
        if row["samples"]:
            wanted[name] = wanted.get(name, 0) + row["samples"]
    for words in ((), ("--loops",), ("--reverse",)):
        got = recording.samples(*words)
        lines = {name: count for name, count in wanted.items() if LINE.fullmatch(name)}
        check(f"{what}: samples of lines {words}", {k: v for k, v in got.items() if LINE.fullmatch(k)} == lines,
              f"{got}, expected {lines}")
        check(f"{what}: samples elsewhere {words}", all(wanted.get(name) == count for name, count in got.items()),
              f"{got}, expected {wanted}")
    return wanted


def check_colors(recording):
    """Costs of hot lines are in colour, by their share of all samples; but for that the text is the same."""
    plain, colored = (run(recording.prof, "annotate", "hot.c:27", f"--color={when}", cwd=recording.folder).splitlines()
                      for when in ("never", "always"))
    check("text without colours", [re.sub(r"\x1b\[[\d;]*m", "", line) for line in colored] == plain, colored)
    check("no colour", not any("\x1b" in line for line in plain), plain)
    source, = json.loads(run(recording.prof, "annotate", "hot.c:27", "--format=json", cwd=recording.folder))["sources"]
    head = next(number for number, line in enumerate(colored) if line.endswith("LINE  SOURCE"))
    for line, shown in zip(source["lines"], colored[head + 1:]):
        share, color = line["self_share"], re.match(r"(\x1b\[[\d;]*m)?", shown)[0]
        wanted = "\x1b[1;31m" if share >= 0.1 else "\x1b[33m" if share >= 0.02 else ""
        check(f"colour of line {line['line']}", color == wanted, f"{color!r}, expected {wanted!r}")
    check("a line in colour", any(line["self_share"] >= 0.1 for line in source["lines"]), source)


def check_advice(recording, compiler):
    """What to look at next names options of the compiler that it was."""
    said = run(recording.prof, "report", cwd=recording.folder)
    others = "-fopt-info" if compiler.startswith("clang") else "-Rpass"
    check("advice on the hottest loop", "hottest loop: hot.c:" in said and "\nnext: " in said and others not in said, said)


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-flame-") as folder:
        recording = Recording(options, pathlib.Path(folder))
        check_sums("functions", recording, "--raw")
        check_sums("corrected", recording)
        check_sums("loops", recording, "--raw", "--loops")
        rows = recording.folded("--lines", "--raw")
        met = check_places("lines", rows)
        check("lines by call path", BOTH <= met, met)
        rows_apart = recording.folded("--lines", "--loops")
        check_places("loops", rows_apart)
        check("leaves in loops", any(path[-2].startswith("loop hot.c:") for path, _ in rows_apart if is_leaf(path[-1])), rows_apart)
        wanted = check_counts("counts", recording)
        check_colors(recording)
        check_advice(recording, options.compiler)
        check("library code", any(name.endswith("[libc.so.6]") for name in wanted), wanted)
        info = json.loads(run(options.prof, "info", "--format=json", cwd=recording.folder))["sampling"]
        rows = recording.folded("--lines", "--raw", "--time=elapsed")
        napped = sum(value for path, value in rows if path[-2:] == ["right", "[waiting]"])
        check("the nap", not info["has_switches"] or napped >= NAP_NS, f"{napped} ns")
    print("\n".join(faults) or f"{options.compiler}: {len(met)} call paths with lines, {sum(wanted.values())} samples")
    return 1 if faults else 0


sys.exit(main())
