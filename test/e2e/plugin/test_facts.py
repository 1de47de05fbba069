#!/usr/bin/env python3
"""What the facts say about functions and probes: names, lines, kinds, flags, languages, compiler."""
import os

import objects
import setting

STATIC, ARTIFICIAL, TAIL_CALLS, LANDS, LEAF = 1, 2, 4, 8, 16
C, CXX, FORTRAN = 1, 2, 3

SOURCE = """\
#include <setjmp.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline, noclone))
static jmp_buf buffer;
NOINLINE static int leaf(int x) {
  if (x > 7)
    return x * 2;
  return x + 1;
}
NOINLINE int calls(int x) {
  return leaf(x) + 1;
}
NOINLINE int jumps(int x) {
  return leaf(x);
}
NOINLINE int lands(int x) {
  if (setjmp(buffer))
    return 1;
  return calls(x);
}
NOINLINE void leaves(int x) {
  exit(x);
}
int main(void) {
  leaves(lands(3) + jumps(2) - 8);
}
"""
# name: (line, flags without TAIL_CALLS, entries, landings or more, least exits; 0 none; None any, kind of its entry)
EXPECTED = {
    "leaf": (5, STATIC | LEAF, 1, 0, 1, objects.ENTRY), "calls": (10, 0, 1, 0, 1, objects.ENTRY),
    "jumps": (13, 0, 1, 0, 1, objects.ENTRY), "lands": (16, LANDS, 1, 1, 1, objects.ENTRY | objects.WANTS_FRAME),
    "leaves": (21, 0, 1, 0, 0, objects.ENTRY), "main": (24, 0, 1, 0, None, objects.ENTRY), # GCC may find out that leaves() never returns
}


def problems_of(linked, source, compiler, level):
    found = {function["name"]: function for function in linked.functions}
    if set(found) != set(EXPECTED):
        yield f"functions: {sorted(found)}"
        return
    ignored = TAIL_CALLS | (STATIC if "-flto" in level else 0)  # a whole program's functions are all local
    for name, (line, flags, entries, landings, exits, kind) in EXPECTED.items():
        function = found[name]
        probes = [probe for probe in linked.probes if probe[1] == function["key"]]
        of_kind = {one: [probe for probe in probes if probe[2] & 15 == one] for one in (1, 2, 3)}
        if (function["line"], function["flags"] & ~ignored, function["language"], function["file"]) != (
                line, flags & ~ignored, C, str(source)):
            yield f"{name}: {function}"
        if not 0 < function["statements"] < 20:
            yield f"{name}: {function['statements']} statements"
        if len(of_kind[1]) != entries or len(of_kind[3]) < landings or bool(of_kind[3]) != bool(landings):
            yield f"{name}: {len(of_kind[1])} entries, {len(of_kind[3])} landings"
        if exits is not None and (len(of_kind[2]) < exits or not exits and of_kind[2]):
            yield f"{name}: {len(of_kind[2])} exits"
        if of_kind[1] and (of_kind[1][0][2], of_kind[1][0][3]) != (kind, line):
            yield f"{name}: entry {of_kind[1][0]}"
        last = min([other[0] for other in EXPECTED.values() if other[0] > line], default=30)
        yield from (f"{name}: a probe of line {probe[3]}" for probe in probes if not line <= probe[3] < last)
    jumps = found["jumps"]["flags"] & TAIL_CALLS
    if not (setting.is_clang(compiler) and level == "-O1") and bool(jumps) != (level not in ("-O0", "-O1")):
        yield f"jumps has a tail call: {bool(jumps)}"
    family, major = compiler.split("-")
    for version, words, unit in linked.units:
        if version != 1 or not words.startswith({"gcc": "GNU ", "clang": "Clang "}[family]) or f" {major}." not in words \
                or unit != str(source):
            yield f"unit: {version} {words} {unit}"


def c_program(tally, compiler):
    source, made = tally.folder / "facts.c", tally.folder / "facts"
    source.write_text(SOURCE)
    for level in ("-O0", "-O1", "-O2", "-O2 -flto"):
        problems = [setting.compiled([compiler, "-g", "-Wno-unknown-attributes", *setting.flags_of(compiler, level.split()), *tally.flags(), source, "-o", made])]
        if not any(problems):
            linked = objects.Object(made)
            problems += [*objects.faults(linked), *problems_of(linked, source, compiler, level)]
        tally.check(f"{compiler} {level}: facts of a C program", problems)


def languages(tally, compiler):
    fortran = "program p\n print *, double_it(2)\ncontains\n integer function double_it(x)\n integer :: x\n double_it = x * 2\n end\nend\n"
    for name, text, language in (("a.c", "int f(void) { return 1; }\n", C), ("a.cc", "int f() { return 1; }\n", CXX),
                                 ("a.f90", fortran, FORTRAN)):
        source, made = tally.folder / name, tally.folder / "language.o"
        source.write_text(text)
        if name.endswith("f90") and not os.path.isabs(setting.run([compiler, "-print-prog-name=f951"])[1].strip()):
            tally.skip(f"{compiler} has no Fortran compiler here")
            continue
        problem = setting.compiled([compiler, "-O1", *tally.flags(), "-c", source, "-o", made])
        found = set() if problem else {function["language"] for function in linked_relocatable(tally, compiler, made).functions}
        tally.check(f"{compiler}: {name}", [problem or (None if found == {language} else f"languages {found}")])


def linked_relocatable(tally, compiler, made):
    """An object has a facts section per text section; -r makes one of them."""
    joined = tally.folder / "joined.o"
    setting.run([compiler, "-r", made, "-o", joined])
    return objects.Object(joined)


def main():
    tally = setting.start()
    for compiler in tally.compilers():
        c_program(tally, compiler)
        languages(tally, compiler)
    tally.finish()


if __name__ == "__main__":
    main()
