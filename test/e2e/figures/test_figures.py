#!/usr/bin/env python3
"""test_figures.py --prof PROF --compiler COMPILER - a program reads its own figures (prof_read), in each kind of recording."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

INCLUDE = programs.ROOT / "include"
PATIENCE_S = 500
NONE = "0 0 0 0"
MEMBERS = ["time_ns", "functions", "calls", "calls_low", "calls_high", "total_ns", "running_ns", "waiting_ns", "self_ns", "self_running_ns",
           "self_waiting_ns", "min_ns", "avg_ns", "max_ns", "p50_ns", "p95_ns", "p99_ns"]
FIELDS = "name,calls,total,running,waiting,self,self-running,self-waiting,min,avg,max,p50,p95,p99"
SHOWN = [word for word in MEMBERS if word not in ("time_ns", "functions", "calls_low", "calls_high")]
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}:\n  {got!r}, not\n  {wanted!r}")


def environment(more=()):
    return {**{key: value for key, value in os.environ.items() if not key.startswith("PROF_")}, **dict(more)}


def run(folder, *command, more=(), **how):
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=PATIENCE_S, check=False, cwd=folder,
                          stdin=subprocess.DEVNULL, env=environment(more), **{"text": True, **how})


class Program:
    """figures.c, built in one way."""

    def __init__(self, options, folder, language, level, plugin=True):
        self.options, self.folder, self.what = options, folder, f"{language} {level}"
        self.leaf = "leaf(unsigned int)" if language == "c++" else "leaf"
        compiler = options.compiler.replace("gcc", "g++").replace("clang", "clang++") if language == "c++" else options.compiler
        flags = programs.plugin_flags(options.prof, options.compiler) if plugin else ["-DPROF_NO_ZONES"]
        strict = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
        done = run(folder, compiler, "-x", language, level, "-g", *strict, f"-I{INCLUDE}", *flags, HERE / "figures.c", "-o", "figures", "-pthread")
        if done.returncode:
            raise RuntimeError(f"{self.what}: {done.stderr}")

    def recorded(self, *words, more=(), variables=()):
        done = run(self.folder, self.options.prof, "record", "-o", "data", *more, "--", "./figures", *words, more=variables)
        equal(f"{self.what} {words} {more}: status {done.stderr}", done.returncode, 0)
        return done.stdout

    def lines(self, *pairs):
        """As the program prints them; a count stands for exact figures."""
        return "".join(f"{name}: {f'1 {what} {what} {what}' if isinstance(what, int) else what}\n" for name, what in pairs)

    def check(self, words, wanted, **how):
        equal(f"{self.what} {words} {how}", self.recorded(*words, **how), wanted)


def names(program, count, later):
    leaf = program.leaf
    return program.lines((leaf, count), ("_Z4leafj" if "(" in leaf else leaf, count), ("a zone", count), ("a zone [zone]", count), ("main", 1),
                         ("nothing", NONE), ("-x", NONE), ("--help", NONE), ("empty", NONE), ("null", NONE), ("control", NONE), ("long", NONE),
                         ("no figures", "0"), (leaf, later))


def nothing(program):
    return "".join(line.split(": ")[0] + (": 0\n" if line.startswith("no figures") else f": {NONE}\n")
                   for line in names(program, 1, 1).splitlines())


def check_answer(program):
    """The recorder's helper and `prof report` show the same of one recording."""
    options, folder, leaf = program.options, program.folder, program.leaf
    program.recorded("names", "3000")
    found = run(folder, options.prof, "report", "-i", "data", "--by=process", "--format=json")
    equal(f"{program.what}: by process {found.stderr}", found.returncode, 0)
    pid = json.loads(found.stdout or '{"processes": [{"pid": 0}]}')["processes"][0]["pid"]
    report = run(folder, options.prof, "report", "-i", "data", f"--pid={pid}", "--format=json", "-n", "0", "-f", FIELDS)
    rows = {row["name"]: row for row in json.loads(report.stdout or '{"functions": []}')["functions"]}
    answer = run(folder, options.prof, "answer", "-i", "data", f"--pid={pid}", "--", leaf, "none", "main", text=False)
    size = 8 * (1 + len(MEMBERS))
    equal(f"{program.what}: bytes", len(answer.stdout), 3 * size)
    if len(answer.stdout) != 3 * size:
        return
    for index, name in ((0, leaf), (2, "main")):
        found, *figures = struct.unpack_from(f"<{1 + len(MEMBERS)}Q", answer.stdout, index * size)
        figures = dict(zip(MEMBERS, figures))
        equal(f"{program.what}: found {name}", (found, figures["functions"]), (1, 1))
        equal(f"{program.what}: figures of {name}", {word: figures[word] for word in SHOWN}, {word: rows[name].get(word, 0) for word in SHOWN})
    equal(f"{program.what}: none", set(answer.stdout[size:2 * size]), {0})


def check_budget(program):
    """The interval holds the truth; one in twenty 95% intervals doesn't, so three times as wide."""
    count = 2000000
    text = program.recorded("dense", str(count), more=["--overhead=5%"])
    answers = [line.rsplit(": ", 1)[1] for line in text.splitlines()]
    for answer, truth in zip(answers, (count, 2 * count, 3 * count)):
        found, _, low, high = map(int, answer.split()) if "wrong" not in answer else (0, 0, 0, 0)
        equal(f"{program.what} budget: {answer} holds {truth}", (found, low / 3 <= truth <= high * 3), (1, True))
    equal(f"{program.what} budget: answers", len(answers), 3)


def check_joined(program):
    """A program that runs already, in a recording by its number."""
    options, folder = program.options, program.folder
    process = subprocess.Popen(["./figures", "joined", "500"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env=environment([("PROF_STANDBY", "1"), *runtime_of(options)]))
    equal(f"{program.what} -p: ready", process.stdout.readline(), "ready\n")
    with open(folder / "said", "w", encoding="utf-8") as said:
        recorder = subprocess.Popen([options.prof, "record", "-o", "data", "-p", str(process.pid)], cwd=folder, stdin=subprocess.DEVNULL,
                                    stdout=said, stderr=said, env=environment())
    equal(f"{program.what} -p: joined", process.stdout.readline(), f"{program.leaf}: 1 500 500 500\n")
    recorder.terminate()
    equal(f"{program.what} -p: status", recorder.wait(PATIENCE_S), 0)
    equal(f"{program.what} -p: left", process.communicate("\n", timeout=PATIENCE_S)[0], f"{program.leaf}: {NONE}\n")


def runtime_of(options):
    found = sorted(options.prof.parent.parent.glob("runtime/libprof-runtime.so.1"))
    return [("PROF_RUNTIME", str(found[0]))] if found else []


def check(program):
    leaf, lines = program.leaf, program.lines
    program.check(("names", "300"), names(program, 300, 600))
    program.check(("names", "300"), names(program, 300, 600), more=["--mode=summary"])
    program.check(("names", "300"), nothing(program), more=["--split=1h"])
    program.check(("names", "300"), nothing(program), more=["--mode=ring"])
    program.check(("forks",), "".join(lines(("nothing", NONE), (leaf, child)) for child in (1, 2, 3)) + lines((leaf, 100)))
    program.check(("forks",), "".join(lines(("nothing", NONE), (leaf, child)) for child in (1, 2, 3)) + lines((leaf, 100)), more=["--mode=summary"])
    program.check(("threads",), "errors: 0\n")
    program.check(("threads",), "errors: 0\n", more=["--mode=summary"])
    program.check(("handlers",), "missed: 0\n")
    program.check(("vforks",), "status: 5\n" + lines((leaf, 100)))
    program.check(("stops",), lines((leaf, 100), (leaf, 200)))
    program.check(("stops",), "early: 0\n" + lines((leaf, 100), (leaf, 200)), variables=[("FIGURES_EARLY", "1")])
    check_budget(program)
    check_answer(program)
    check_joined(program)
    equal(f"{program.what}: without a recorder", run(program.folder, "./figures", "names", "10").stdout, nothing(program))


def main():
    options = programs.compiler_options()
    for language, level in (("c", "-O2"), ("c++", "-O0")):
        with tempfile.TemporaryDirectory(prefix="prof-figures-") as name:
            check(Program(options, pathlib.Path(name), language, level))
    with tempfile.TemporaryDirectory(prefix="prof-figures-") as name:
        plain = Program(options, pathlib.Path(name), "c", "-O2", plugin=False)
        equal("without the plugin", run(plain.folder, "./figures", "names", "10").stdout, nothing(plain))
    print("\n".join(faults) or "passed")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
