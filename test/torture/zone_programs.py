#!/usr/bin/env python3
"""zone_programs.py --prof PROF --plugin PLUGIN --count N - random programs whose zones begin and end in any function.

Program k is made of seed k, as C or C++.  Its functions call each other, also as tail calls, and begin and end zones
between; longjmp or exceptions leave some of them.  The program writes down what it does; `Stack` makes the calls of each
path of that, by the rules of prof-zone(3), and `prof tree` must have the same.  Exit status: 0 all do, 1 not, 77 no compiler.
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import trial

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-O2 -flto")
FUNCTIONS, ZONES, LOCALS = 9, 4, 3

HEAD = r"""
#include <prof.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
#include <exception>
#endif
#ifdef __clang__
#define F PROF_PROBE __attribute__((noinline)) static
#else
#define F PROF_PROBE __attribute__((noinline, noclone)) static
#endif
#define CFA ((unsigned long)__builtin_dwarf_cfa())
static __thread char *notes;
static __thread size_t noted;
static __thread int fuel;
static __thread jmp_buf *jump;
static volatile int sink;
PROF_NO_PROBE __attribute__((noinline)) static void note(char what, int number, unsigned long cfa) {
  noted += (size_t)snprintf(notes + noted, 64, "%c %d %lu\n", what, number, cfa);
}
PROF_NO_PROBE __attribute__((noinline)) static void work(int turns) {
  for (int i = 0; i < turns; i++)
    sink = sink + i;
}
#ifdef __cplusplus
struct block { /* says where a zone ends, also on an exception's way */
  int number, function, flying;
  unsigned long cfa;
  PROF_NO_PROBE block(int number, int function, unsigned long cfa) : number(number), function(function), flying(std::uncaught_exceptions()), cfa(cfa) {
    note('B', number, 0);
  }
  PROF_NO_PROBE ~block() {
    if (std::uncaught_exceptions() > flying)
      note('C', function, cfa);
    note('N', number, 0);
  }
};
#endif
"""
TAIL = r"""
/* So that each zone has functions with only a begin, and with only an end. */
F void begin_all(void) {
  BEGINS
}
F void end_all(void) {
  ENDS
}
F void *run(void *number) {
  notes = (char *)malloc(1 << 22);
  fuel = 400;
  note('E', 50, CFA);
  if (sink == -1) {
    begin_all();
    end_all();
  }
  for (volatile int i = 0; i < 4; i++) {
    jmp_buf here;
    jump = &here;
#ifdef __cplusplus
    try {
      sink = sink + f0((int)(long)number + i, 0);
      note('R', 50, CFA);
    } catch (int) {
      note('L', 50, CFA);
    }
#else
    if (setjmp(here) == 0) {
      sink = sink + f0((int)(long)number + i, 0);
      note('R', 50, CFA);
    } else
      note('L', 50, CFA);
#endif
  }
  return notes;
}
PROF_NO_PROBE int main(void) {
  pthread_t other;
  void *text;
  pthread_create(&other, 0, run, (void *)3);
  pthread_join(other, &text);
  printf("%s=\n%s", (char *)text, (char *)run((void *)1));
  return 0;
}
"""


class Maker:
    """The text of a program.  Zone numbers: z below 100 begin and end anywhere, b from 100 on are blocks, l from 1000 on lie in one
    function, n from 2000 on are named at run time."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.cplusplus = seed % 2 == 1
        self.blocks = 100
        self.locals = 1000
        # A function has only the begin or only the end of such a zone: else it ends with the function.
        self.roles = [[self.dice.choice("BEE-") for _ in range(ZONES)] for _ in range(FUNCTIONS)]

    def other(self, function):
        """For a tail call: of itself it would become a loop."""
        return (function + 1 + self.dice.randrange(FUNCTIONS - 1)) % FUNCTIONS

    def call(self, function):
        other = self.dice.randrange(FUNCTIONS)
        return f"x += f{other}(x + 1, depth + 1) & 255; note('R', {function}, CFA);"

    def statement(self, function, level, block):
        kind = self.dice.randrange(15)
        zone = self.dice.randrange(ZONES)
        pad = "  " * level
        if kind < 4:
            role = self.roles[function][zone]
            if role == "B":
                return f"{pad}PROF_ZONE_BEGIN(\"z{zone}\"); note('B', {zone}, 0);\n"
            if role == "E":
                return f"{pad}PROF_ZONE_END(\"z{zone}\"); note('N', {zone}, 0);\n"
            return f"{pad}work(x & 63);\n"
        if kind < 7:
            return f"{pad}{self.call(function)}\n"
        if kind == 7 and level < 4:
            return f"{pad}if (x & {self.dice.choice((1, 2, 4))}) {{\n{self.body(function, level + 1, 2, block)}{pad}}}\n"
        if kind == 8 and level < 4:
            self.blocks += 1
            number = self.blocks
            begin = f"block b{number}({number}, {function}, CFA);" if self.cplusplus else f"note('B', {number}, 0);"
            end = "" if self.cplusplus else f"{pad}  note('N', {number}, 0);\n"
            return f"{pad}{{\n{pad}  PROF_ZONE(\"b{number}\"); {begin}\n{self.body(function, level + 1, 3, True)}{end}{pad}}}\n"
        if kind == 9 and level < 4:
            self.locals += 2
            number = self.locals
            one, two = number, number + self.dice.randrange(2)
            parts = [f"{pad}PROF_ZONE_BEGIN(\"l{one}\"); note('B', {one}, 0);\n", self.body(function, level + 1, 2, block)]
            if two != one:  # they overlap
                parts += [f"{pad}PROF_ZONE_BEGIN(\"l{two}\"); note('B', {two}, 0);\n", self.body(function, level + 1, 1, block)]
            parts += [f"{pad}PROF_ZONE_END(\"l{one}\"); note('N', {one}, 0);\n"]
            if two != one:
                parts += [self.body(function, level + 1, 1, block), f"{pad}PROF_ZONE_END(\"l{two}\"); note('N', {two}, 0);\n"]
            return "".join(parts)
        if kind == 10 and level < 4:
            if self.cplusplus:
                return f"{pad}try {{\n{pad}  {self.call(function)}\n{pad}}} catch (int thrown) {{\n{pad}  note('L', {function}, CFA);\n{pad}  x += thrown;\n{pad}}}\n"
            return (f"{pad}{{\n{pad}  jmp_buf here, *old = jump;\n{pad}  jump = &here;\n{pad}  if (setjmp(here) == 0) {{\n{pad}    {self.call(function)}\n"
                    f"{pad}  }} else\n{pad}    note('L', {function}, CFA);\n{pad}  jump = old;\n{pad}}}\n")
        if kind == 11:
            leave = "throw x & 7;" if self.cplusplus else "longjmp(*jump, 1);"
            return f"{pad}if (x % {self.dice.choice((3, 5, 7))} == 1)\n{pad}  {leave}\n"
        if kind == 12 and not block:
            return f"{pad}if (x & {self.dice.choice((1, 2, 4, 8))})\n{pad}  return {self.dice.choice(('x', f'f{self.other(function)}(x + 3, depth + 1)'))};\n"
        if kind == 13:
            name = 2000 + self.dice.randrange(2)
            if self.dice.randrange(2):
                return f"{pad}PROF_ZONE_NAMED_BEGIN(\"n{name}\"); note('B', {name}, 0);\n"
            return f"{pad}PROF_ZONE_NAMED_END(); note('N', 2000, 0);\n"
        return f"{pad}work(x & 31);\n"

    def body(self, function, level, most, block):
        return "".join(self.statement(function, level, block) for _ in range(self.dice.randint(1, most)))

    def program(self):
        heads = [f"F int f{i}(int given, int depth)" for i in range(FUNCTIONS)]
        text = HEAD + "".join(head + ";\n" for head in heads)
        for i, head in enumerate(heads):
            tail = f"return f{self.other(i)}(x + 1, depth + 1);" if self.dice.randrange(3) == 0 else "return x;"
            text += (f"{head} {{\n  volatile int x = given;\n  note('E', {i}, CFA);\n  if (fuel-- < 0 || depth > 9)\n    return x;\n"
                     f"{self.body(i, 1, 8, False)}  {tail}\n}}\n")
        begins, ends_all = ("".join(f"PROF_ZONE_{word}(\"z{zone}\"); " for zone in range(ZONES)) for word in ("BEGIN", "END"))
        return text + TAIL.replace("BEGINS", begins).replace("ENDS", ends_all)


def is_apart(zone):
    return zone < 100 or zone >= 2000


def ends(zone, end):
    return zone == end or (zone >= 2000 and end == 2000)


class Stack:
    """A thread's calls, as prof-zone(3) has them.  Frames: (is a zone, number, address of the function's frame)."""

    def __init__(self, calls):
        self.frames, self.calls, self.unmatched = [], calls, 0
        self.begin, self.end = None, None  # wait for the next event
        self.cleaning = 0  # the function in which a destructor runs, as an exception flies

    def count(self, at):
        path = "/".join(name_of(frame) for frame in self.frames[:at + 1])
        self.calls[path] = self.calls.get(path, 0) + 1

    def leave(self, at, stays):
        """Frame `at` and, from the innermost one on, what doesn't stay."""
        for i in range(len(self.frames) - 1, at - 1, -1):
            if i == at or not stays(self.frames[i]):
                self.count(i)
                del self.frames[i]

    def piled(self, at, zone):
        """Are 64 of the zone open right around frame `at`?"""
        outer = at
        while outer > 0 and self.frames[outer - 1][0]:
            outer -= 1
        return sum(frame[1] == zone for frame in self.frames[outer:at]) >= 64

    def top_is_function(self):
        return bool(self.frames) and not self.frames[-1][0]

    def settle(self):
        if self.begin is not None:
            self.frames.append((True, self.begin, 0))
        if self.end is not None:
            self.leave(self.end, lambda frame: True)
        self.begin = self.end = None

    def exit(self):
        """The innermost function returns."""
        if not self.top_is_function():
            self.settle()
        at = max(i for i, frame in enumerate(self.frames) if not frame[0])
        self.leave(at, lambda frame: is_apart(frame[1]) and not self.piled(at, frame[1]))
        if self.end is not None and self.end == len(self.frames) - 1:
            self.settle()

    def inside(self, cfa):
        functions = [frame for frame in self.frames if not frame[0]]
        return bool(functions) and functions[-1][2] < cfa

    def take(self, what, number, cfa):
        if what in "ER":
            while self.inside(cfa + (what == "E")):
                self.exit()
        if what in "LC" and self.cleaning and self.cleaning < cfa:
            self.exit()  # before the unwinder goes on
        self.cleaning = cfa if what == "C" else self.cleaning if what in "BN" else 0
        if what != "R":  # a return is no event of its own: the caller may return right after too
            self.settle()
        if what == "E":
            self.frames.append((False, number, cfa))
        elif what == "B" and self.top_is_function():
            self.begin = number
        elif what == "B":
            self.frames.append((True, number, 0))
        elif what == "N":
            self.end_zone(number)
        elif what in "LC":
            self.land(cfa)

    def end_zone(self, number):
        found = [i for i, frame in enumerate(self.frames) if frame[0] and ends(frame[1], number)]
        if not found:
            self.unmatched += 1
        elif found[-1] < len(self.frames) - 1 and self.top_is_function():
            self.end = found[-1]
        elif is_apart(self.frames[found[-1]][1]):
            self.leave(found[-1], lambda frame: True)
        else:
            self.leave(found[-1], lambda frame: is_apart(frame[1]) or frame[1] >= 1000)

    def land(self, cfa):
        at = max((i for i, frame in enumerate(self.frames) if not frame[0] and frame[2] == cfa), default=-1)
        while at + 1 < len(self.frames) and self.frames[at + 1][0] and at >= 0:
            at += 1
        while len(self.frames) > at + 1:
            self.count(len(self.frames) - 1)
            self.frames.pop()

    def over(self):
        while self.inside(1 << 64):
            self.exit()
        self.settle()
        while self.frames:
            self.count(len(self.frames) - 1)
            self.frames.pop()


def name_of(frame):
    is_zone, number, _ = frame
    if not is_zone:
        return "run" if number == 50 else f"f{number}"
    return "znlb"[0 if number < 100 else 3 if number < 1000 else 2 if number < 2000 else 1] + f"{number} [zone]"


def calls_expected(output):
    calls, unmatched = {}, 0
    for thread in output.split("=\n"):
        stack = Stack(calls)
        for line in thread.splitlines():
            what, number, cfa = line.split()
            stack.take(what, int(number), int(cfa))
        stack.over()
        unmatched += stack.unmatched
    return calls, unmatched


def calls_shown(nodes, path, calls):
    for node in nodes:
        name = node["name"].split("(")[0] + (" [zone]" if node.get("kind") == "zone" else "")
        if node["calls"]:
            calls[path + name] = calls.get(path + name, 0) + node["calls"]
        calls_shown(node["children"], path + name + "/", calls)
    return calls


def shown(prof, folder, *command):
    done = subprocess.run([prof, *command, "-i", "data"], cwd=folder, capture_output=True, check=False, env=trial.ENVIRONMENT)
    return done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1")


def check(options, compiler, seed, level):
    """None, or what is wrong."""
    maker = Maker(seed)
    with tempfile.TemporaryDirectory(prefix="prof-zones-") as folder:
        source = pathlib.Path(folder, "program.cc" if maker.cplusplus else "program.c")
        source.write_text(maker.program(), encoding="ascii")
        linker = [f"-fuse-ld=lld-{compiler.name.split('-')[1]}"] if compiler.family == "clang" and "-flto" in level else []
        flags = ["-g", "-w", "-pthread", f"-I{INCLUDE}", f"-fplugin={options.plugin}", "-fplugin-arg-prof-loops=none", *level.split(), *linker]
        said = trial.build(compiler, "cxx" if maker.cplusplus else "c", flags, [source], "program", False, folder)
        if said:
            return said
        status, output, errors = trial.run([options.prof, "record", "-o", "data", "./program"], folder)
        wanted, unmatched = calls_expected(output.decode("ascii"))
        fault = compare(options.prof, folder, wanted, unmatched) if status == 0 else f"status {status}: {errors[-500:]!r}"
        if fault and options.keep:
            shutil.copytree(folder, options.keep, dirs_exist_ok=True)
        return fault


def compare(prof, folder, wanted, unmatched):
    status, text, errors = shown(prof, folder, "tree", "--min-share=0", "--format=json")
    if status:
        return f"prof tree: status {status}: {errors}"
    tree = json.loads(text)
    got = calls_shown(tree["roots"], "", {})
    different = [f"{path}: {got.get(path, 0)} calls, not {wanted.get(path, 0)}" for path in sorted(wanted | got) if got.get(path, 0) != wanted.get(path, 0)]
    if tree["cover"]["unmatched"] != unmatched:
        different.append(f"{tree['cover']['unmatched']} unmatched exits, not {unmatched}")
    status, text, errors = shown(prof, folder, "export", "--format=csv", "--timeline")
    rows = len(text.splitlines()) - 1
    if status or rows != sum(wanted.values()):
        different.append(f"prof export --timeline: status {status}, {rows} calls, not {sum(wanted.values())}")
    return "\n  ".join(different[:12])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prof", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--plugin", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--compilers", help="names with commas (default: all that have a backend)")
    parser.add_argument("--count", type=int, default=10, help="programs")
    parser.add_argument("--first", type=int, default=1, help="seed of the first")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="leave the files of the last bad one here")
    options = parser.parse_args()
    names = options.compilers.split(",") if options.compilers else [file.stem[5:] for file in sorted(options.plugin.parent.glob("prof-*-*.so"))]
    compilers = [found for found, _ in (trial.compiler_new(name, options.plugin, options.prof) for name in names) if found]
    if not compilers:
        print("skipped: no compiler has a backend")
        return 77
    trials = [(compilers[seed // 2 % len(compilers)], seed, LEVELS[seed // 3 % len(LEVELS)]) for seed in range(options.first, options.first + options.count)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        faults = list(pool.map(lambda one: check(options, *one), trials))
    for (compiler, seed, level), fault in zip(trials, faults):
        if fault:
            print(f"seed {seed}, {compiler.name} {level}:\n  {fault}")
    print(f"{len(trials)} programs, {sum(fault is not None and fault != '' for fault in faults)} differ")
    return int(any(faults))


if __name__ == "__main__":
    sys.exit(main())
