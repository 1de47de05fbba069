#!/usr/bin/env python3
"""test_lines.py --prof PROF --compiler COMPILER - lines of a real recording.  See README.md."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
sys.path.insert(0, str(HERE.parents[1] / "support"))
import programs  # noqa: E402
import slices  # noqa: E402

ROUNDS = 20
LEVELS = (["-O0"], ["-O2", "-gdwarf-4"], ["-O2", "-gdwarf-5", "-gz"], ["-O3", "-gdwarf-5"])
faults = []


def check(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}: {got}, expected {wanted}")


def run(*command, cwd, status=0, **more):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=900, check=False,
                          **more)
    if status is not None and done.returncode != status:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def marked(word):
    """(file, line) -> how often per round, as the sources say after that word."""
    found = {}
    for file in ("calls.c", "inlined.h"):
        for number, text in enumerate((HERE / file).read_text().splitlines(), 1):
            mark = re.search(rf"/\* {word}: (\d+)", text)
            if mark:
                found[file, number] = int(mark[1]) * ROUNDS
    return found


class Recording:
    def __init__(self, options, folder, flags):
        self.prof, self.folder = options.prof, folder
        for file in ("calls.c", "inlined.h"):
            shutil.copy(HERE / file, folder)
        self.build = [options.compiler, "-g", *flags, *programs.plugin_flags(options.prof, options.compiler), "calls.c", "-o",
                      "calls"]
        run(*self.build, cwd=folder)
        run(options.prof, "record", "./calls", cwd=folder)

    def lines(self, *words):
        done = run(self.prof, "lines", "--format=json", "--raw", *words, cwd=self.folder)
        return json.loads(done.stdout)["lines"], done.stderr

    def annotate(self, *words, status=0):
        done = run(self.prof, "annotate", "--format=json", "--raw", *words, cwd=self.folder, status=status)
        return json.loads(done.stdout)["sources"] if status == 0 else [], done.stderr

    def functions(self):
        rows = json.loads(run(self.prof, "report", "--format=json", "--raw", cwd=self.folder).stdout)["functions"]
        return {row["name"]: row for row in rows}


def own(rows):
    """Rows of lines of this test's sources: a sample may have met a library's line too, where its debug files are."""
    return [row for row in rows if row["line"] and pathlib.PurePosixPath(row["file"]).name in ("calls.c", "inlined.h")]


def folders(rows):
    return {str(pathlib.PurePosixPath(row["file"]).parent) for row in own(rows)}


def calls_of(rows):
    return {(pathlib.PurePosixPath(row["file"]).name, row["line"]): row["calls"] for row in rows if row["line"] and row["calls"]}


def check_calls(name, recording):
    wanted, inlined = marked("calls"), marked("inlined")
    rows, _ = recording.lines()
    got = calls_of(rows)
    # compare() may call spin by a jump; then it isn't on the stack any more, and nobody's line calls spin.
    spin = next(n for n, t in enumerate((HERE / "calls.c").read_text().splitlines(), 1) if "spin(2)" in t)
    got.pop(("calls.c", spin), None)
    check(f"{name}: calls from lines outside of the rounds", [got.pop(("calls.c", n), None) for n in lines_with("calls.c", "once")], [1, 1])
    check(f"{name}: calls per line", got, wanted)
    functions = recording.functions()
    by_function = {row["function"]: row for row in rows if row["function"] == "once"}
    check(f"{name}: time in the calls of once", by_function["once"]["calls_ns"] <= functions["once"]["total_ns"], True)
    first, _ = run(recording.prof, "report", cwd=recording.folder).stdout, None
    check(f"{name}: the report ends with what to look at", re.search(r"\nnext: prof annotate \w+( \(its hottest line: (calls.c|inlined.h):\d+\))?, prof lines\n"
                                                             r"(\nhottest loop: calls.c:[^\n]+\nnext: [^\n]+\n)?$", first) is not None, True)
    hot = functions["several"]["hot_line"]
    wanted_line = next(k[1] for k, v in wanted.items() if v == 7 * ROUNDS and k[0] == "calls.c")
    # A stray sample in it makes the line that it met the hottest one; mostly there is none, and calls decide.
    met = [row for row in rows if row["function"] == "several" and row["samples"]]
    most = max((row["samples"] for row in met), default=0)
    right = {f"calls.c:{row['line']}" for row in met if row["samples"] == most} or {f"calls.c:{wanted_line}", f"calls.c:{wanted_line - 1}"}
    check(f"{name}: hottest line of several, {hot} of {sorted(right)}", hot in right, True)
    by_line = {row["line"]: row for row in rows if row["file"].endswith("calls.c")}
    for number, text in enumerate((HERE / "calls.c").read_text().splitlines(), 1):
        only = re.search(r"sum \+= (\w+)\(.*calls: 1 ", text)
        if only:
            check(f"{name}: time in {only[1]}", by_line[number]["calls_ns"], functions[only[1]]["total_ns"])
    unknown = [row for row in rows if row["line"] == 0 and row["calls"]]
    check(f"{name}: what was called by way of qsort", [row["function"] for row in unknown], ["sorted"])
    at, _ = recording.lines("--inlined-at")
    check(f"{name}: calls where code was inlined", {k: v for k, v in calls_of(at).items() if k in inlined}, inlined)
    check(f"{name}: files with --inlined-at", {k[0] for k in calls_of(at)}, {"calls.c"})


def annotated(sources):
    return {(pathlib.PurePosixPath(s["file"]).name, l["line"]): l["calls"] for s in sources for l in s["lines"] if l["calls"]}


def check_annotate(name, recording):
    """The same figures beside the source's text; instructions stand where they belong and made the calls."""
    wanted = marked("calls")
    texts = {file: (HERE / file).read_text().splitlines() for file in ("calls.c", "inlined.h")}
    for file in texts:
        sources, _ = recording.annotate(file)
        got = {k: v for k, v in annotated(sources).items() if k in wanted}
        check(f"{name}: annotate {file}", got, {k: v for k, v in wanted.items() if k[0] == file})
        check(f"{name}: text of {file}", [line["text"] for line in sources[0]["lines"]], texts[file])
    sources, said = recording.annotate("--asm", "several")
    first, last = sources[0]["lines"][0]["line"], sources[0]["lines"][-1]["line"]
    check(f"{name}: lines of several", "several(long n)" in texts["calls.c"][first - 1] and last - first < 6, True)
    check(f"{name}: calls in several", annotated(sources),
          {k: v for k, v in wanted.items() if k[0] == "calls.c" and first <= k[1] <= last})
    for line in sources[0]["lines"]:
        made = [i for i in line["instructions"] if i["calls"]]
        check(f"{name}: calls by instructions of line {line['line']}", sum(i["calls"] for i in made), line["calls"])
        check(f"{name}: they are call instructions", {i["text"].split()[0] for i in made} - {"call"}, set())
    check(f"{name}: nothing to say", said, "")
    probes = {i["probe"] for line in sources[0]["lines"] for i in line["instructions"]}
    check(f"{name}: probes are labelled", {"function entry", "function exit"} <= probes, True)
    table = run(recording.prof, "annotate", "--asm", "several", cwd=recording.folder).stdout
    addresses = [int(found, 16) for found in re.findall(r"^.* +\d+ +([0-9a-f]+)  [a-z]", table.split("INSTRUCTION\n")[-1], re.MULTILINE)]
    check(f"{name}: instructions by address", len(addresses) > 3 and addresses == sorted(addresses), True)
    line = next(k[1] for k, v in wanted.items() if v == 7 * ROUNDS and k[0] == "calls.c")
    sources, _ = recording.annotate(f"calls.c:{line}")
    check(f"{name}: lines around one", [l["line"] for l in sources[0]["lines"]], list(range(line - 10, line + 11)))
    sources, _ = recording.annotate("in_header")
    check(f"{name}: a function that was inlined", annotated(sources), {k: v for k, v in wanted.items() if k[0] == "inlined.h"})
    _, said = recording.annotate("severl", status=2)
    check(f"{name}: near misses", "did you mean" in said and "several" in said, True)


def lines_with(file, word):
    return [n for n, text in enumerate((HERE / file).read_text().splitlines(), 1) if f"/* {word} */" in text]


def check_inlined(name, recording):
    """A function that was inlined everywhere: its source, where to, and no word of its not being called."""
    sources, said = recording.annotate("in_two_places")
    into = [(place["function"], pathlib.PurePosixPath(place["file"]).name, place["line"])
            for source in sources for place in source["inlined_into"]]
    check(f"{name}: where it was inlined to", into,
          [(f, "calls.c", line) for f, line in zip(("holds_one", "holds_another"), lines_with("calls.c", "into"))])
    shown = {line["line"] for line in sources[0]["lines"]}
    check(f"{name}: lines of what was inlined", set(lines_with("inlined.h", "quiet")) <= shown and len(shown) < 4, True)
    check(f"{name}: it says nothing besides", said, "")
    table = run(recording.prof, "annotate", "in_two_places", cwd=recording.folder).stdout
    check(f"{name}: it says so in words", "no call of in_two_places is shown: its code was inlined, into holds_one (calls.c:" in table, True)
    sources, _ = recording.annotate("several")
    check(f"{name}: a function that was called", sources[0]["inlined_into"], [])
    recording.annotate("in_two_*", status=2)
    _, said = recording.annotate("--asm", "in_two_places", status=2)
    check(f"{name}: its instructions are those of others", "was inlined" in said, True)


def check_source(name, recording):
    """The source is gone, elsewhere, changed, or shorter."""
    source, kept = recording.folder / "calls.c", recording.folder / "old"
    whole, _ = recording.annotate("main")
    kept.mkdir()
    shutil.move(source, kept / "calls.c")
    sources, said = recording.annotate("main")
    check(f"{name}: a source that is gone", sources[0]["found"] or not all(l["calls"] or l["iterations"] or l["samples"] or l.get("outside_ns") for l in sources[0]["lines"]), False)
    check(f"{name}: it says where it looked", str(source) in said and "--path-map" in said, True)
    sources, said = recording.annotate("main", f"--path-map={recording.folder}={kept}")
    check(f"{name}: the source by --path-map", sources[0]["lines"], whole[0]["lines"])
    source.write_text("/* new */\n" + (kept / "calls.c").read_text())
    sources, said = recording.annotate("main")
    check(f"{name}: a changed source", (sources[0]["changed"], "may have moved" in said), (True, True))
    check(f"{name}: it is shown all the same", annotated(sources), annotated(whole))
    source.write_text("int main(void);\n")
    sources, said = recording.annotate("main")
    check(f"{name}: a source that is too short", (sources[0]["changed"], "1 lines only" in said), (True, True))
    shutil.copy2(kept / "calls.c", source)


VIEWS = (["lines"], ["lines", "--inlined-at", "--format=json"], ["annotate", "main"], ["annotate", "calls.c", "--format=json"],
         ["annotate", "in_header"], ["report"], ["report", "--format=json"], ["export", "--format=folded", "--lines"])


def views(recording):
    done = [run(recording.prof, *view, cwd=recording.folder) for view in VIEWS]
    return [(one.stdout, one.stderr) for one in done]


def check_packed(name, recording):
    """What is packed is shown alike where program and sources are gone; nothing that was there was rewritten."""
    kept, packed = recording.folder / "away", recording.folder / "packed"
    before, whole = views(recording), (recording.folder / "prof.data/trace").read_bytes()
    shutil.copytree(recording.folder / "prof.data", packed)
    done = run(recording.prof, "pack", cwd=recording.folder)
    said = re.search(r"lines of (\d+) program.* and (\d+) sources", done.stderr)  # libc's too, where its debug files are
    check(f"{name}: what pack says", (bool(said and int(said[1]) >= 1), said and said[2]), (True, "2"))
    check(f"{name}: pack appends", (recording.folder / "prof.data/trace").read_bytes()[:len(whole)] == whole, True)
    kept.mkdir()
    for file in ("calls", "calls.c", "inlined.h"):
        shutil.move(recording.folder / file, kept / file)
    after = views(recording)
    for view, a, b in zip(VIEWS, before, after):
        check(f"{name}: {' '.join(view)} of a packed recording", b, a)
    rows, _ = recording.lines(f"--path-map={recording.folder}=/elsewhere")
    check(f"{name}: its paths can be mapped", folders(rows), {"/elsewhere"})
    again = run(recording.prof, "pack", cwd=recording.folder, status=2)
    check(f"{name}: packed once", "packed before" in again.stderr, True)
    shutil.rmtree(recording.folder / "prof.data")
    shutil.move(packed, recording.folder / "prof.data")
    for file in ("calls", "calls.c", "inlined.h"):
        shutil.move(kept / file, recording.folder / file)


def check_moved(name, recording):
    """The program lies elsewhere: a message, and with --path-map the same lines again."""
    before, _ = recording.lines()
    elsewhere = recording.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.move(recording.folder / "calls", elsewhere / "calls")
    rows, said = recording.lines()
    check(f"{name}: lines without the program", own(rows), [])
    check(f"{name}: a message says so", "no lines of" in said and "--path-map" in said, True)
    rows, said = recording.lines(f"--path-map={recording.folder}={elsewhere}")
    names = [(row["function"], row["line"], row["calls_ns"]) for row in before]
    check(f"{name}: lines by --path-map", [(row["function"], row["line"], row["calls_ns"]) for row in rows], names)
    check(f"{name}: files by --path-map", folders(rows), {str(elsewhere)})
    shutil.move(elsewhere / "calls", recording.folder / "calls")


def check_replaced(name, recording):
    """Stripped it has no lines; built anew it isn't what was recorded."""
    kept = recording.folder / "kept"
    shutil.copy(recording.folder / "calls", kept)
    run("strip", "calls", cwd=recording.folder)
    rows, said = recording.lines()
    check(f"{name}: lines of a stripped program", own(rows), [])
    check(f"{name}: a message on -g, once", said.count("no debug information"), 1)
    line = next(n for file, n in marked("calls") if file == "calls.c")
    _, said = recording.annotate(f"calls.c:{line}", status=1)
    check(f"{name}: annotate a line of it", ("no debug information" in said, "no line of calls.c" in said), (True, True))
    _, said = recording.annotate("several", status=1)
    check(f"{name}: annotate a function of it", "source lines of several are not known" in said, True)
    source = recording.folder / "calls.c"
    source.write_text("\n\n" + source.read_text().replace("ROUNDS 20", "ROUNDS 21"))
    run(*recording.build, cwd=recording.folder)
    rows, said = recording.lines()
    check(f"{name}: lines of another program", own(rows), [])
    check(f"{name}: a message on the build id", "build id differs" in said, True)
    for what in (f"calls.c:{line}", "several"):
        _, said = recording.annotate(what, status=1)
        check(f"{name}: annotate {what} of it", "build id differs" in said, True)
    hot = {row["hot_line"] if re.match(r"(calls.c|inlined.h):", row["hot_line"]) else "" for row in recording.functions().values()}
    check(f"{name}: hottest lines of it", hot, {""})
    shutil.copy(HERE / "calls.c", source)
    shutil.move(kept, recording.folder / "calls")


def debug_sections(program):
    text = run("readelf", "-SW", program, cwd=program.parent).stdout
    for match in re.finditer(r"\] (\.debug_\w+)\s+\w+\s+\w+ (\w+) (\w+)", text):
        yield int(match[2], 16), int(match[3], 16)


def check_damaged(name, recording):
    """Bytes of the debug information changed at random: an answer or none, but no crash and no other call counts."""
    program = recording.folder / "calls"
    whole, sections = program.read_bytes(), list(debug_sections(program))
    chance = random.Random(4)
    total = sum(row["calls"] for row in recording.lines()[0])
    for _ in range(12):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 20, 400))):
            offset, size = chance.choice(sections)
            data[offset + chance.randrange(size)] = chance.randrange(256)
        program.write_bytes(data)
        rows, _ = recording.lines()
        check(f"{name}: calls in all, with damage", sum(row["calls"] for row in rows), total)
        done = run(recording.prof, "annotate", "main", cwd=recording.folder, status=None)
        check(f"{name}: annotate with damage ends well", done.returncode in (0, 1, 2), True)
    program.write_bytes(whole)


def check_names(options, folder):
    """A file compiled as ../a/same.c, recorded elsewhere: one name in all tables; another same.c has another one."""
    for name, body in (("a", "int twice(void); int main(void) { for (int i = 0; i < 1000; i++) twice();\n return 0; }"),
                       ("b", "__attribute__((noinline)) static int one(int n) { return sink_b += n; }\nint twice(void) {\n return one(1) + one(2); }")):
        (folder / name).mkdir()
        (folder / name / "same.c").write_text(f"volatile int sink_{name};\n" + body + "\n")
    (folder / "run").mkdir()
    flags = ["-g", "-O1", "-fno-inline", *programs.plugin_flags(options.prof, options.compiler)]
    run(options.compiler, *flags, "-c", "../a/same.c", "-o", "a.o", cwd=folder / "b")
    run(options.compiler, *flags, "-c", "same.c", "-o", "b.o", cwd=folder / "b")
    run(options.compiler, *flags, "a.o", "b.o", "-o", "same", cwd=folder / "b")
    run(options.prof, "record", "../b/same", cwd=folder / "run")
    lines = run(options.prof, "lines", cwd=folder / "run").stdout
    hot = run(options.prof, "report", "-f", "hot,name", cwd=folder / "run").stdout
    check("names of files of the same name", sorted(set(re.findall(r"(\S*same\.c):\d", lines))), ["a/same.c", "same.c"])
    check("the hottest line's name", "a/same.c:" in hot and "../a" not in hot and str(folder) not in hot, True)


def check_header_names(options, folder):
    """A header is named as the sources beside it were given to the compiler, wherever the recording was made."""
    (folder / "app/src").mkdir(parents=True)
    (folder / "app/src/step.h").write_text(
        "static inline __attribute__((always_inline)) void step(void) {\n  one();\n}\n")
    (folder / "app/src/main.c").write_text(
        "volatile int sink;\n__attribute__((noinline)) static void one(void) { sink++; }\n"
        '#include "step.h"\nint main(void) { for (int i = 0; i < 1000; i++) step();\n return 0; }\n')
    flags = ["-g", "-O1", *programs.plugin_flags(options.prof, options.compiler)]
    run(options.compiler, *flags, "src/main.c", "-o", "main", cwd=folder / "app")
    run(options.prof, "record", "app/main", cwd=folder)
    lines = run(options.prof, "lines", "-n", "0", cwd=folder).stdout
    check("a header's name", sorted(set(re.findall(r"(\S*step\.h):\d", lines))), ["src/step.h"])


def main():
    options = programs.compiler_options()
    os.environ["LC_ALL"] = "C.UTF-8"
    levels = slices.turn(LEVELS, options.compiler, 2)
    for flags in levels:
        with tempfile.TemporaryDirectory(prefix="prof-lines-") as folder:
            recording = Recording(options, pathlib.Path(folder).resolve(), flags)
            name = f"{options.compiler} {' '.join(flags)}"
            check_calls(name, recording)
            if flags[0] == "-O2":
                check_annotate(name, recording)
                check_inlined(name, recording)
                check_source(name, recording)
                check_packed(name, recording)
                check_moved(name, recording)
                check_replaced(name, recording)
                check_damaged(name, recording)
    with tempfile.TemporaryDirectory(prefix="prof-lines-") as folder:
        check_names(options, pathlib.Path(folder).resolve())
        check_header_names(options, pathlib.Path(folder).resolve())
    print("\n".join(faults) or f"{options.compiler}: {len(levels)} builds, all lines as the source says")
    return 1 if faults else 0


sys.exit(main())
