#!/usr/bin/env python3
"""Every key does what the help says, and the help has every key."""
import pathlib
import re
import shutil
import subprocess
import sys

import bench

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs

HERE = pathlib.Path(__file__).resolve().parent


def opened(setup, trace="recursion", *words, **more):
    terminal = setup.tui(setup.recording(trace), *words, **{"width": 100, "height": 24, **more})
    terminal.has("q quit")
    return terminal


def first_rows(lines):
    return [line for line in lines[2:-1] if line]


def moves(setup):
    with opened(setup) as terminal:
        terminal.on("fib")
        for keys, name in ((["down"], "vector"), (["j"], "main"), (["up"], "vector"), (["k"], "fib"), (["end"], "A::get"),
                           (["home"], "fib"), (["G"], "A::get"), (["g"], "fib")):
            terminal.key(*keys)
            terminal.on(name)


def pages(setup):
    text = ["process 1", "module /bin/app"] + [f"function f{i:03} file=a.c" for i in range(300)] + ["thread main"]
    for i in range(300):
        text += [f"main +10 enter f{i:03}", f"main +{1000 - i} exit f{i:03}"]
    recording = setup.recording("many", "\n".join([*text, "end wall=400000", ""]))
    with setup.tui(recording, width=80, height=24) as terminal:
        terminal.has("q quit")
        rows = 24 - 3
        for key, at in (("pagedown", rows), (" ", 2 * rows), ("pageup", rows), ("b", 0), ("end", 299), ("pageup", 299 - rows)):
            terminal.key(key)
            terminal.on(f"f{at:03}")


def branches(setup):
    with opened(setup) as terminal:
        terminal.key("2")
        terminal.has("[2 tree]", "+ main")
        for key, wanted in (("enter", "- main"), ("enter", "+ main"), ("right", "- main"), ("left", "+ main"), ("l", "- main"),
                            ("h", "+ main"), ("e", "A::get"), ("c", "+ main")):
            terminal.key(key)
            terminal.has(wanted)
        terminal.lacks("A::get")
        terminal.key("e")
        terminal.has("A::get")
        terminal.key("down", "down")
        terminal.on("A::get")
        terminal.key("left")
        terminal.on("vector")


def source(setup):
    """a, Enter: the page of `prof annotate`; again: its instructions."""
    compiler = programs.compiler_or_skip(None, setup.prof)
    folder = setup.folder / "hot"
    folder.mkdir()
    shutil.copy(HERE / "hot.c", folder)
    subprocess.run([compiler, "-g", "-O1", *programs.plugin_flags(setup.prof, compiler), "hot.c", "-o", "hot"], cwd=folder, check=True)
    subprocess.run([setup.prof, "record", "-o", "hot.data", "./hot"], cwd=folder, check=True, capture_output=True)
    recording = folder / "hot.data"

    def cells(line):
        return set(re.split(r" {2,}", line.strip()))
    _, expected = setup.table(120, ["LINE", "SOURCE"], "annotate", "work", "-i", recording)
    with setup.tui(recording, width=120, height=40) as terminal:
        terminal.has("q quit")
        terminal.key("/work", "enter")
        terminal.on("work")
        terminal.key("a")
        terminal.has("SOURCE", "hot.c:", "/* the hot line */", "q back")
        row = next(line for line in expected if "the hot line" in line)
        terminal.until("the figures of the hot line", lambda lines: any("the hot line" in line and cells(line) <= cells(row)
                                                                        for line in lines))
        terminal.key("/the hot line", "enter")
        assert len(cells(terminal.on("the hot line"))) > 2, terminal.cursor()
        terminal.key("a")
        if shutil.which("objdump"):
            terminal.has("INSTRUCTION", "ret", "(a: source)")
            terminal.key("a")
            terminal.has("SOURCE")
        terminal.key("q")
        terminal.has("q quit")
        terminal.on("work")
        terminal.key("enter")
        terminal.has("SOURCE")
        terminal.key("escape")
        terminal.has("q quit")
        terminal.key("4", "/hot.c", "enter", "enter")  # a line: the whole file, at this line
        terminal.has("int main(int argc", "SOURCE")
        terminal.key("q")
        terminal.has("[4 lines]")
        terminal.key("5")
        terminal.until("loops, or why there are none", lambda lines: "[5 loops]" in lines[-1] or "no loop" in lines[-1])


def reversing(setup):
    with opened(setup) as terminal:
        terminal.key("/odd", "enter")
        terminal.on("odd")
        terminal.key("r")
        terminal.has("[3 callers]")
        terminal.on("odd")
        terminal.key("r")
        terminal.has("[2 tree]")
        terminal.on("odd")
        terminal.key("q", "q")
        terminal.has("[1 functions]", "q quit")
        terminal.key("6", "r")
        terminal.has("only functions and call trees can be reversed")


def menus(setup):
    with opened(setup) as terminal:
        terminal.key("s")
        terminal.has("SORT BY", "p99")
        terminal.key("/calls", "enter")
        terminal.on("calls")
        terminal.key("enter")
        terminal.has("FUNCTION")
        terminal.key("t")
        terminal.has("SHOW ONLY THREAD", "2000", "helper")
        terminal.key("/helper", "enter")
        terminal.on("helper")
        terminal.key("enter")
        terminal.has("thread 2000: 2 calls in 1 thread")
        table = setup.table(100, ["FUNCTION"], "report", "-i", setup.recording("recursion"), "--tid=2000")[1]
        terminal.until("only its functions", lambda lines: len(first_rows(lines)) == len(table))
        terminal.key("6")
        terminal.has("THREAD", "helper")
        terminal.key("t", "enter")  # all threads
        terminal.has("12 calls in 2 threads")
        terminal.key("6", "enter")  # the first thread of the panel
        terminal.has("thread 1000: 10 calls in 1 thread")


def searches(setup):
    with opened(setup) as terminal:
        terminal.key("/ev")
        terminal.has("/ev")
        terminal.key("x", "backspace", "enter")
        terminal.on("even")
        terminal.key("2")
        terminal.has("CALL TREE")
        terminal.key("n")  # also in closed branches
        terminal.on("even")
        terminal.key("n")
        terminal.has("- odd")
        terminal.key("N", "N")
        terminal.on("even")
        terminal.key("/no such name", "enter")
        terminal.has("no row has that name")
        terminal.key("/", "escape", "n")
        terminal.has("no row has that name")


def filters(setup):
    recording = setup.recording("recursion")
    with opened(setup) as terminal:
        terminal.key("f", *"even", "enter")
        terminal.has("-F even: 3 calls")
        table = setup.table(100, ["FUNCTION"], "report", "-i", recording, "-F", "even")[1]
        terminal.until("the rows of -F even", lambda lines: [row.split() for row in first_rows(lines)] == [row.split() for row in table])
        terminal.key("f", *"nothing*", "enter")
        terminal.has("no function")
        terminal.has("-F even")
        terminal.key("f", "enter")
        terminal.has("12 calls in 2 threads")


def times(setup):
    with opened(setup, "switches") as terminal:
        terminal.key("w")
        terminal.has("waiting time:")
        terminal.key("w")
        terminal.has("elapsed time:")
        terminal.key("w")
        terminal.lacks("elapsed time:")
        terminal.key("2", "r", "s", "w")  # what lies beneath changes too
        terminal.has("waiting time:", "SORT BY")
        terminal.key("q")
        terminal.has("[3 callers]", "CALLED IT")
        terminal.key("q")
        terminal.has("[2 tree]", "CALL TREE")
        terminal.key("w", "w")
        terminal.lacks("elapsed time:")
    with opened(setup, "recursion") as terminal:
        terminal.key("w")
        terminal.has("no scheduler switches were recorded: all times are elapsed")


def updates(setup):
    """A recording that is replaced is read again."""
    folder = setup.folder / "grows.data"
    shutil.copytree(setup.recording("recursion"), folder)
    with setup.tui(folder, width=100) as terminal:
        terminal.has("12 calls in 2 threads")
        new = folder / "new"
        shutil.copy(setup.recording("switches") / "trace", new)
        new.rename(folder / "trace")
        terminal.key("u")
        terminal.lacks("12 calls in 2 threads")
        terminal.has("calls in")


def sideways(setup):
    """The rest of long names, up to their end and not beyond it."""
    text = ["process 1", "module /bin/app", f"function {'a' * 70}MIDDLE{'b' * 70} file=a.c", "function short file=a.c", "thread main",
            f"main @100 enter {'a' * 70}MIDDLE{'b' * 70}", "main @200 enter short", "main @250 exit short",
            f"main @900 exit {'a' * 70}MIDDLE{'b' * 70}", "end wall=1000", ""]
    recording = setup.recording("long_names", "\n".join(text))
    with setup.tui(recording, width=80, height=24) as terminal:
        before = terminal.has("q quit", "CALLS", "…")
        terminal.lacks("MIDDLE")
        terminal.key(*[">"] * 50)
        terminal.has("aMIDDLEb")
        terminal.lacks("CALLS")
        end = terminal.until("the end of the name", lambda lines: any(line.rstrip().endswith("b" * 60) for line in lines))
        assert all(len(line.rstrip()) <= 80 for line in end), end
        terminal.key(*["<"] * 50)
        terminal.until("all as before", lambda lines: lines[1:] == before[1:])


def panels_and_help(setup):
    with opened(setup) as terminal:
        for key, name in (("2", "tree"), ("3", "callers"), ("6", "threads"), ("1", "functions")):
            terminal.key(key)
            terminal.has(f"[{key} {name}]")
        terminal.key("tab")
        terminal.has("[2 tree]")
        terminal.key("i")
        terminal.has("WHAT THE FIGURES COVER", "resolution:")
        terminal.key("5")
        terminal.has("no loop of this program has probes")
        terminal.key("x")
        terminal.has("x is no key here; ? shows all")
        terminal.key("?")
        terminal.has("KEYS AND PANELS", "q back")
        terminal.key("escape")
        terminal.lacks("KEYS AND PANELS")
        terminal.key("1", "escape")
        terminal.has("q quits")
        terminal.key("q")
        assert terminal.end() == (0, True)


def help_is_tested(setup):
    """Each key of the help is in a test above, and in the man page's list."""
    with opened(setup, height=60) as terminal:
        terminal.key("?")
        lines = terminal.has("KEYS AND PANELS", "A wider terminal")
    keys = [key for line in lines[2:lines.index("", 2)] for key in line.split("  ")[0].split(", ")]
    listed = {line.split("\t")[1] for line in setup.run("--dump-lists").splitlines() if line.startswith("tui keys\t")}
    listed = {key for name in listed for key in name.split(", ")}
    text = pathlib.Path(__file__).read_text(encoding="utf-8")
    words = {"Space": '" "', "Enter": '"enter"', "Esc": '"escape"'}
    assert sorted(keys) == sorted(listed), (keys, listed)
    for name in keys:
        assert words.get(name, f'"{name}"') in text or f'"{name.lower()}"' in text or f'"{name}' in text, f"no test presses {name}"


if __name__ == "__main__":
    bench.main([moves, pages, sideways, branches, reversing, menus, searches, filters, times, updates, panels_and_help, help_is_tested, source])
