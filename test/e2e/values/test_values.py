#!/usr/bin/env python3
"""test_values.py --prof PROF --compiler COMPILER - arguments and returned values, see README.md."""
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import programs  # noqa: E402
import slices  # noqa: E402

STATUS = 3
VALUES = "-fplugin-arg-prof-values="
CHOSEN = "numbers,floats,words,texts,mixed,structure,changed,branches,octet,nothing,hidden,inlined,told"
FLAGS = ["-O0", "-O2", "-O3 -fPIC -masm=intel", "-O2 -flto", "-Os -ffunction-sections -Wl,--gc-sections"]
L60 = "l" * 60
ANY = object()  # an address: it differs from run to run
PLAIN = [
    ("numbers", [("a", -128), ("b", 65535), ("c", -5), ("d", 4000000000), ("e", -2 ** 62), ("f", 2 ** 64 - 1), ("g", -2), ("h", 8)], -5),
    ("floats", [("a", 0.1), ("b", -1e300), ("c", 3)], -5e299),
    ("floats", [("a", 0.333333343), ("b", 0.1), ("c", 0)], 0.05),
    ("words", [("a", True), ("b", "x"), ("c", 7), ("text", "text"), ("address", ANY), ("none", None)], False),
    ("words", [("a", False), ("b", "'"), ("c", -3), ("text", None), ("address", None), ("none", None)], True),
    ("texts", [("text", ""), ("again", "12345678")], ""),
    ("texts", [("text", "1234567"), ("again", 'a "quoted" \\ \x01 \u00e4 text')], "1234567"),
    ("texts", [("text", "l" * 63), ("again", None)], "l" * 63),
    ("texts", [("text", L60 + "\u2026"), ("again", "edge")], L60 + "\u2026"),
    ("texts", [("text", "l" * 58 + "\u00e4\u2026"), ("again", "last")], "l" * 58 + "\u00e4\u2026"),
    ("mixed", [("first", 1), ("middle", 2), ("last", 4)], 4),
    ("structure", [("n", 5)], ANY),
    ("changed", [("n", 10), ("times", 3)], 13),
    ("branches", [("n", -4)], -1), ("branches", [("n", 10)], 4), ("branches", [("n", 1000)], 100), ("branches", [("n", 1)], 1),
    ("octet", [("n", 255)], 0),
    ("nothing", [], ANY),
    ("hidden", [("n", 3), ("text", "buffer")], 6),
    ("inlined", [("n", 6)], 7),
]
CXX = [
    ("account::add", [("this", ANY), ("amount", 5), ("reason", "none")], 15),
    ("account::add", [("this", ANY), ("amount", -3), ("reason", "fee")], 12),
    ("account::total", [("first", 1), ("second", -2)], -1),
    ("account::operator<", [("this", ANY), ("other", ANY)], True),
    ("account::kind", [("this", ANY), ("letter", "a")], "first"),
    ("twice", [("value", 4)], 8),
    ("twice", [("value", 2.5)], 5),
    ("shop::label", [("name", ANY), ("count", 3)], ANY),
    ("shop::thrown", [("n", 1)], 1),
    ("shop::thrown", [("n", 2)], ANY),
]
faults = []


def equal(what, got, wanted):
    if got != wanted:
        faults.append(f"{what}:\n  {got!r}, not\n  {wanted!r}"[:3000])


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder, self.compiler = options.prof, folder, options.compiler
        self.plugin = programs.plugin_flags(options.prof, options.compiler)

    def run(self, *command):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        return subprocess.run([str(word) for word in command], capture_output=True, timeout=900, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C"})

    def build(self, flags, chosen, source="values.c"):
        compiler = self.compiler if source.endswith(".c") else self.compiler.replace("gcc", "g++").replace("clang", "clang++")
        lld = [f"-fuse-ld=lld-{self.compiler.split('-')[1]}"] if "clang" in self.compiler and "-flto" in flags else []
        output = self.folder / f"program{len(list(self.folder.iterdir()))}"
        done = self.run(compiler, "-g", *shlex.split(flags), *lld, *self.plugin, *([VALUES + chosen] if chosen else []), "-pthread", HERE / source,
                        "-o", output, "-lm")
        equal(f"{compiler} {flags}", (done.returncode, done.stderr.decode()), (0, ""))
        return output

    def record(self, program, *options, word="plain"):
        done = self.run(self.prof, "record", "-o", "data", *options, program, word)
        equal(f"{program} {word}: status", done.returncode, STATUS)
        return done.stderr.decode()

    def events(self, *options):
        done = self.run(self.prof, "replay", "-i", "data", "--format=json", *options)
        equal(f"replay {options}: status", done.returncode, 0)
        return json.loads(done.stdout)["events"] if done.returncode == 0 else []


def calls_of(events):
    """Calls with values, in the order of their begin: (function, [(name, value)], returned)."""
    stacks, found = collections.defaultdict(list), []
    for event in events:
        stack = stacks[event["tid"]]
        if event["event"] == "enter":
            call = [re.sub(r"[<([].*", "", event["name"]) if "operator" not in event["name"] else event["name"].split("(")[0], [], ANY]
            stack.append(call)
            found.append(call)
        elif event["event"] == "leave":
            stack.pop()
        elif event["event"] == "argument":
            stack[-1][1].append((event["name"], event["value"]))
        elif event["event"] == "returned":
            stack[-1][2] = event["value"]
    return [tuple(call) for call in found]


def fit(what, got, wanted):
    """ANY in `wanted` is an address, or nothing that is returned."""
    def same(one, other):
        return other is ANY or one == other
    for call, expected in zip(got, wanted):
        good = call[0] == expected[0] and same(call[2], expected[2]) and [name for name, _ in call[1]] == [name for name, _ in expected[1]] and \
            all(same(value, other) for (_, value), (_, other) in zip(call[1], expected[1]))
        if not good:
            faults.append(f"{what}: {call!r}, not {expected!r}"[:2000])
            return
    equal(f"{what}: calls", len(got), len(wanted))


def is_chosen(call):
    return call[0] not in ("main", "plain", "unchosen", "threads", "worker", "handler", "on_alarm", "many") and "~" not in call[0] and \
        call[0] != "account::account"


def shapes(bench):
    """Each type, in code of each form."""
    for flags in slices.turn(FLAGS, bench.compiler, 2):
        program = bench.build(f"{flags} -Wall -Wextra -Werror", CHOSEN)
        plain = bench.run(program)
        equal(f"{flags}: off", (plain.returncode, plain.stdout), (STATUS, b"plain done\n"))
        bench.record(program, "--args=*", "--ret=*")
        wanted = PLAIN
        if "clang" in bench.compiler:  # what lies between two structures can't be told
            wanted = [(name, [value for value in values if value[0] != "middle"], returned) for name, values, returned in PLAIN]
        if "-flto" in flags:  # a link may see that an argument is always the same
            wanted = [call for call in wanted if call[0] not in ("hidden", "inlined")]
        got = [call for call in calls_of(bench.events()) if is_chosen(call) and call[0] in {name for name, _, _ in wanted}]
        fit(flags, got, wanted)


def cxx(bench):
    for flags in ("-O0", "-O2"):
        program = bench.build(flags, "*", "values.cc")
        bench.record(program, "--args=*", "--ret=*")
        names = {name for name, _, _ in CXX}
        got = [call for call in calls_of(bench.events()) if call[0].split()[-1] in names or call[0] in names]
        fit(f"C++ {flags}", [(call[0].split()[-1], *call[1:]) for call in got], CXX)


def landings(bench):
    """Where an exception lands, and the first thing there is a call of an inlined function that was chosen."""
    for flags in ("-O1", "-O2"):
        bench.record(bench.build(flags, "*", "values.cc"), "--args=*")
        open_calls, callers = [], []
        for event in bench.events():
            if event["event"] == "enter":
                callers += [open_calls[-1]] if event["name"].startswith("throws") else []
                open_calls.append(event["name"].split("(")[0])
            elif event["event"] == "leave":
                open_calls.pop()
        equal(f"{flags}: callers of throws", callers, ["guarded"] * 6)


def chosen(bench):
    """What nobody asks for isn't recorded."""
    program = bench.build("-O2", CHOSEN)
    bench.record(program)
    equal("nothing asked", sum(event["event"] in ("argument", "returned") for event in bench.events()), 0)
    bench.record(program, "--args=floats", "--ret=octet", "--args=branches")
    found = collections.Counter((event["event"], event["name"]) for event in bench.events() if event["event"] in ("argument", "returned"))
    equal("some", found, {("argument", "a"): 2, ("argument", "b"): 2, ("argument", "c"): 2, ("argument", "n"): 4, ("returned", "returned"): 1})
    fit("with -F", [call for call in calls_of(bench.events("-F", "floats"))], [(name, values, ANY) for name, values, _ in PLAIN if name == "floats"])
    bench.record(program, "--args=*", "--ret=*", "-F", "branches")
    fit("record -F", calls_of(bench.events()), [call for call in PLAIN if call[0] == "branches"])


def texts_apart(bench):
    """Texts of threads, and of handlers, are whole, and of their call."""
    program = bench.build("-O2", CHOSEN)
    for word, least in (("threads", 8000), ("handler", 400)):
        bench.record(program, "--args=told", word=word)
        told = [dict(call[1]) for call in calls_of(bench.events()) if call[0] == "told"]
        equal(f"{word}: calls", len(told), least)
        wrong = [values for values in told if values.get("text") != f"thread {values.get('thread')} call {values.get('call')} of many"]
        equal(f"{word}: texts", wrong[:3], [])


def readers(bench):
    program = bench.build("-O2", CHOSEN)
    bench.record(program, "--args=*", "--ret=*", word="many")
    for by, key, wanted in (("arg", "branches", {f"branches(n={n})": 50000 // 7 + (n < 50000 % 7) for n in range(7)}),
                            ("ret", "numbers", {f"numbers() = {n}": 50000 // 3 + (n < 50000 % 3) for n in range(3)})):
        done = bench.run(bench.prof, "report", "-i", "data", f"--by={by}", "-F", key, "-n", "0", "--format=json")
        rows = json.loads(done.stdout)["calls"] if done.returncode == 0 else []
        equal(f"--by={by}", {row["name"]: row["count"] for row in rows}, wanted)
    bench.record(program, "--args=*", "--ret=*")
    shown = bench.run(bench.prof, "replay", "-i", "data").stdout.decode()
    for line in ('words(a=false, b=\'\\\'\', c=-3, text=NULL, address=NULL, none=NULL) = true;', "floats(a=0.1, b=-1e+300, c=3) = -5e+299;",
                 'again="a \\"quoted\\"', "again=?) = \"lll", "branches(n=10) = 4;"):
        equal(f"replay: {line}", line in shown, True)
    done = bench.run(bench.prof, "replay", "-i", "data", "--format=csv").stdout.decode()
    equal("CSV", ("argument," in done, ",edge," in done, ",true," in done), (True, True, True))
    for form in ("chrome", "perfetto"):
        equal(form, bench.run(bench.prof, "export", "-i", "data", f"--format={form}", "-o", f"data.{form}").returncode, 0)
    events = json.loads((bench.folder / "data.chrome").read_text())["traceEvents"]
    equal("chrome", [event["args"]["value"] for event in events if event.get("cat") == "argument" and event["name"] == "again"][:3],
          ["12345678", 'a "quoted" \\ \x01 \u00e4 text', "?"])


def refused(bench):
    program = bench.build("-O2", CHOSEN)
    for options, words in ((("--args=f", "--overhead=5%"), "with --overhead there are no --args and --ret"),
                           (("--ret=f", "--mode=summary"), "a summary has no single calls")):
        done = bench.run(bench.prof, "record", "-o", "data", *options, program)
        equal(f"{options}", (done.returncode, words in done.stderr.decode()), (2, True))
    equal("no such function", "--args flots: no function of the program has such a name" in bench.record(program, "--args=flots"), True)
    equal("no values", "--args unchosen: it was not compiled with -fplugin-arg-prof-values=unchosen, or has no argument" in bench.record(program, "--args=unchosen"), True)
    equal("nothing returned", "--ret told: it returns nothing that can be recorded" in bench.record(program, "--ret=told"), True)
    done = bench.run(bench.prof, "report", "-i", "data", "--by=arg")
    equal("no arguments", (done.returncode, b"record with --args=F" in done.stderr), (1, True))


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-values-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        cases = slices.of_code_and_readers((shapes, cxx, landings, chosen), (texts_apart, readers, refused), options.compiler, programs.compilers(options.prof))
        for case in cases:
            case(bench)
    print("\n".join(faults) or f"{len(cases)} cases")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
