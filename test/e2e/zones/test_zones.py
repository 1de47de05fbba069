#!/usr/bin/env python3
"""test_zones.py --prof PROF --compiler COMPILER - zones of prof.h, see README.md."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import programs  # noqa: E402
import slices  # noqa: E402

STATUS = 3
LONG = "n" * 65536
BURN = 'burn %s %% {att|intel} "quoted" \\ \t$0'
FLAGS = ["-O0", "-O1", "-O2", "-O3", "-O2 -flto", "-O0 -flto", "-O2 -fPIC -masm=intel", "-O0 -fPIC", "-Os -ffunction-sections -Wl,--gc-sections"]
STRICT = "-Wall -Wextra -Wshadow -Wpedantic -Werror"
# (zone, the zone around it) -> calls
CLEAN = {("clean", None): 1, ("step", "clean"): 3, (BURN, "step"): 3, ("inlined", "step"): 3, (BURN, "inlined"): 3,
         ("leave", "clean"): 1 + 1 + 4 + 3, ("rest", "clean"): 3, (BURN, "rest"): 1, ("span", "clean"): 1, (BURN, "span"): 1,
         ("recursive", "clean"): 1, ("recursive", "recursive"): 3, ("library", "clean"): 1, ("step", "library"): 2,
         (LONG, "clean"): 1, ("(empty)", LONG): 1, ("of a thread", None): 1, (BURN, "of a thread"): 1}
ODD = {("odd", None): 1, ("outer", "odd"): 1, ("left open", "outer"): 1, (BURN, "left open"): 1, ("twice", "odd"): 1, ("elsewhere", "odd"): 1}
# What began while nothing was recorded is not known; "stops" ends with the recording.
PAUSED = {("around the pause", None): 1, (BURN, "around the pause"): 2, ("stops", "around the pause"): 1}
SCOPES = {("main zone", None): 1, ("template", "main zone"): 2, ("member", "main zone"): 1, ("lambda", "member"): 2,
          ("constructor", None): 1, ("destructor", None): 1, ("throws", "main zone"): 1, ("catches", "main zone"): 1,
          ("throws", "catches"): 1, ("constructor", "throws"): 2, ("destructor", "throws"): 2, ("after", "catches"): 1}
faults = []


def equal(what, got, wanted):
    if got == wanted:
        return
    if isinstance(got, dict):  # what differs
        got, wanted = ({key: value for key, value in one.items() if other.get(key) != value} for one, other in ((got, wanted), (wanted, got)))
    faults.append(f"{what}: {got!r}, not {wanted!r}".replace(LONG, "LONG")[:2000])


class Bench:
    def __init__(self, options, folder):
        self.prof, self.folder, self.compiler = options.prof, folder, options.compiler
        self.plugin = programs.plugin_flags(options.prof, options.compiler)
        (folder / "long_name.h").write_text(f'#define LONG_NAME "{LONG}"\n')

    def run(self, *command, environment=None):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        return subprocess.run([str(word) for word in command], capture_output=True, timeout=300, check=False, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**variables, "LC_ALL": "C", **(environment or {})})

    def build(self, source, flags, plugin, language, output):
        """In C++ by the compiler's own name for it."""
        compiler = self.compiler if language == "c" else self.compiler.replace("gcc", "g++").replace("clang", "clang++")
        shared = ["-shared", "-fPIC"] if output.suffix == ".so" else ["-pthread"]
        libraries = [self.folder / "libzones.so", f"-Wl,-rpath,{self.folder}"] if source == "zones.c" else []
        files = ["-x", language, HERE / source, *(["-x", "none", *libraries] if libraries else [])]
        lld = [f"-fuse-ld=lld-{self.compiler.split('-')[1]}"] if "clang" in self.compiler and "-flto" in flags else []
        command = [compiler, "-g", *shlex.split(flags), *lld, *(self.plugin if plugin else []), *shared,
                   f"-I{programs.ROOT / 'include'}", f"-I{self.folder}", "-o", output, *files]
        done = self.run(*command)
        if done.returncode or done.stderr:
            equal(" ".join(map(str, command)), done.stderr.decode(), "")
        return output

    def read(self, command, *options):
        done = self.run(self.prof, command, "-i", "data", "--format=json", *options)
        equal(f"{command} {options}: status", done.returncode, 0)
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def record(self, program, word, *options):
        done = self.run(self.prof, "record", "-o", "data", *options, program, word)
        equal(f"{word}: status", done.returncode, STATUS)
        return done


def zones_of(tree):
    """(zone, the zone around it) -> calls"""
    found = {}

    def walk(nodes, around):
        for node in nodes:
            inner = around
            if node.get("kind") == "zone":
                inner = node["name"]
                found[inner, around] = found.get((inner, around), 0) + node["calls"]
            walk(node["children"], inner)

    walk(tree.get("roots", []), None)
    return found


def outside(nodes, name):
    """Where a function stands that is not beneath a zone, or has one beneath."""
    for node in nodes:
        zone = node.get("kind") == "zone"
        if node["name"] == name and json.dumps(node["children"]).count('"kind"'):
            yield "around a zone"
        elif node["name"] == name:
            yield "outside"
        elif not zone:
            yield from outside(node["children"], name)


def check(bench, what, wanted, unmatched=0, skipped=0):
    tree = bench.read("tree")
    equal(what, zones_of(tree), wanted)
    cover = tree.get("cover", {})
    equal(f"{what}: unmatched, skipped", (cover.get("unmatched"), cover.get("skipped")), (unmatched, skipped))
    rows = bench.read("report", "--by=zone").get("zones", [])
    sums = {}
    for (name, _), calls in wanted.items():
        sums[name] = sums.get(name, 0) + calls
    by_name = {}
    for row in rows:
        by_name[row["name"]] = by_name.get(row["name"], 0) + row["calls"]
        equal(f"{what}: {row['name'][:40]} has its line", row["line"] > 0 and row["file"] != "", True)
    equal(f"{what}: rows", by_name, sums)


def shapes(bench):
    for flags in slices.turn(FLAGS, bench.compiler, 3):
        for plugin in (False, True):
            bench.build("zones_library.c", flags, plugin, "c", bench.folder / "libzones.so")
            for language in ("c", "c++"):
                what = f"{flags} {language} {'with' if plugin else 'without'} the plugin"
                program = bench.build("zones.c", flags, plugin, language, bench.folder / "zones")
                equal(f"{what}: record", bench.record(program, "clean").stdout, b"recording 1\n")
                check(bench, what, CLEAN)
                equal(f"{what}: off", bench.run(program, "clean").stdout, b"recording 0\n")
            what = f"{flags} scopes {'with' if plugin else 'without'} the plugin"
            bench.record(bench.build("scopes.cc", flags, plugin, "c++", bench.folder / "scopes"), "")
            check(bench, what, SCOPES)


def plain_programs(bench):
    bench.build("zones_library.c", "-O2", False, "c", bench.folder / "libzones.so")
    return bench.build("zones.c", "-O2", False, "c", bench.folder / "zones")


def ends(bench):
    bench.record(plain_programs(bench), "odd")
    check(bench, "odd", ODD, unmatched=2, skipped=1)


def pauses(bench):
    bench.record(plain_programs(bench), "paused")
    tree = bench.read("tree")
    equal("paused", zones_of(tree), PAUSED)


def strict(bench):
    """No warning, in old and new languages."""
    for language, standards in (("c", ("gnu89", "c99", "c11", "gnu17")), ("c++", ("c++11", "c++14", "c++17", "c++20"))):
        source = "zones_library.c"
        for standard in standards:
            pedantic = STRICT.replace("-Wpedantic", "-Wdeclaration-after-statement") if standard == "c99" else STRICT
            if standard == "gnu89":
                (bench.folder / "old.c").write_text('#include <prof.h>\nint old(int x);\nint old(int x) {\n  PROF_ZONE("old");\n  return x;\n}\n')
                source = bench.folder / "old.c"
            bench.build(source, f"-O2 -std={standard} {pedantic}", False, language, bench.folder / "strict.so")
            source = "zones_library.c"


def budget(bench):
    """Zones are recorded always, their calls exactly."""
    program = bench.build("zones.c", "-O2", True, "c", bench.folder / "zones")
    bench.record(program, "dense", "--overhead=5%")
    rows = {row["name"]: row for row in bench.read("report", "--by=zone").get("zones", [])}
    equal("budget: calls", {name: row["calls"] for name, row in rows.items()}, {"dense": 1, "part": 1000})
    tree = bench.read("tree", "--min-share=0")
    equal("budget: tree", zones_of(tree), {("dense", None): 1, ("part", "dense"): 1000})
    equal("budget: functions in zones", sorted(outside(tree.get("roots", []), "tiny")), [])
    equal("budget: estimated", [row.get("calls_low") == row["calls"] == row.get("calls_high") for row in rows.values()], [True, True])


def absent(bench):
    """Elsewhere than on x86-64 and ELF, or by wish, the macros do nothing, and still refuse what is no literal."""
    program = bench.build("zones_library.c", "-O2 -DPROF_NO_ZONES", False, "c", bench.folder / "none.so")
    equal("absent: rows", b"prof_rows" in program.read_bytes(), False)
    (bench.folder / "wrong.c").write_text('#include <prof.h>\nvoid f(const char *name);\nvoid f(const char *name) { PROF_ZONE(name); }\n')
    done = bench.run(bench.compiler, f"-I{programs.ROOT / 'include'}", "-c", "wrong.c")
    equal("a name that is no literal", done.returncode != 0, True)


def inlined(bench):
    """A zone doesn't keep a small function from being inlined."""
    (bench.folder / "small.c").write_text('#include <prof.h>\nstatic int small(int x) {\n  PROF_ZONE("small");\n  return x * 3 + (x >> 2);\n}\n'
                                          + "".join(f"int f{i}(int x);\nint f{i}(int x) {{ return small(x) + {i}; }}\n" for i in range(4)))
    library = bench.build(bench.folder / "small.c", "-O2", False, "c", bench.folder / "small.so")
    equal("inlined", b" t small" in bench.run("nm", library).stdout, False)


def under(bench):
    bench.record(plain_programs(bench), "clean")
    equal("under", zones_of(bench.read("tree", "--under=inlined")), {("inlined", None): 3, (BURN, "inlined"): 3})


def shown_names(bench):
    """A zone's name as tables show it is a pattern of it; the next command that a table suggests works."""
    bench.record(plain_programs(bench), "clean")
    for command in (("report", "-F"), ("tree", "--under"), ("tree", "--callers"), ("slowest", "-F"), ("annotate",)):
        option = (f"{command[1]}=inlined [zone]",) if command[1:] and command[1][1] == "-" else (*command[1:], "inlined [zone]")
        done = bench.run(bench.prof, command[0], "-i", "data", *option)
        equal(f"{command}: status", (done.returncode, done.stderr), (0, b""))
    equal("alone", bench.run(bench.prof, "report", "-i", "data", "-F", "no such [zone]").returncode, 2)
    for line in bench.run(bench.prof, "report", "-i", "data").stdout.decode().splitlines():
        if line.startswith("next: prof "):
            done = bench.run(bench.prof, *shlex.split(line.partition(" (")[0].split(", prof ")[0])[2:])
            equal(line, done.returncode, 0)


def main():
    options = programs.compiler_options()
    with tempfile.TemporaryDirectory(prefix="prof-zones-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        cases = (shapes, ends, pauses, under, shown_names, strict, budget, inlined, absent)
        for case in cases:
            case(bench)
    print("\n".join(faults) or f"{len(cases)} cases")
    sys.exit(bool(faults))


main()
