#!/usr/bin/env python3
"""Programs do the same with the plugin as without, at every level; their rows agree with the listing.

The slice: the newest GCC and Clang, each program with one at one of two levels, with the other at the other; test_events.py
tries two other levels.
"""
import objects
import setting
import slices

SHORT = (["-O0"], ["-O2", "-flto=2"])
LEVELS = (*SHORT, ["-O2"], ["-Os"], ["-O1"], ["-O3"], ["-Og"], ["-O3", "-g", "-fno-pie", "-no-pie"],
          ["-O2", "-g", "-fPIC", "-fstack-protector-all", "-masm=intel"])
PROGRAMS = {  # name: flags that the source needs
    "arguments.c": ["-Wno-psabi"], "dispatch.c": [], "frames.c": ["-Wl,-z,execstack"], "jumps.c": [], "jumps_by_name.c": ["-fno-builtin"], "signals.c": [],
    "special_functions.c": [], "tail_calls.c": [], "coroutines.cc": ["-std=c++20"], "exceptions.cc": [],
    "threads.cc": ["-pthread"],
}
GCC_ONLY = {"frames.c"}  # nested functions
FLAT = {"-O2", "-O3", "-Os"}
SMALL_STACK_BYTES, DEEP, SHALLOW = 1 << 20, 100_000_000, 1000


def listed(path):
    """Names that the listing says were probed; and what is wrong with its lines."""
    probed, problems = set(), []
    for line in path.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) != 4 or fields[2] not in ("probed", "counted", "skipped") or ":" not in fields[1]:
            problems.append(f"listing: {line!r}")
        elif fields[2] == "probed" and not fields[3].startswith("loop: "):
            probed.add(fields[0])
    return probed, problems


def run(program, name, flags):
    if name != "tail_calls.c":
        return setting.run([program])
    flat = FLAT.intersection(flags)
    return setting.run([program, DEEP if flat else SHALLOW], stack_bytes=SMALL_STACK_BYTES)


def one(tally, compiler, name, flags):
    source = setting.PROGRAMS / name
    common = [setting.compiler_of(compiler, name), *flags, *PROGRAMS[name], source]
    inlined_later = setting.is_clang(compiler) and any(flag.startswith("-flto") for flag in flags)
    if "-flto=2" in flags:
        common.append(f"-flto-partition={'max' if name.endswith('.cc') else 'balanced'}")
    plain, probed, listing = (tally.folder / file for file in ("plain", "probed", "listing"))
    listing.unlink(missing_ok=True)
    problems = [setting.compiled([*common, "-w", "-o", plain]),
                setting.compiled([*common, "-w", "-o", probed, *tally.flags(f"list={listing}")])]
    if not any(problems):
        expected, got = run(plain, name, flags), run(probed, name, flags)
        if expected != got:
            problems.append(f"plain {expected}\nprobed {got}")
        if expected[0] < 0:
            problems.append(f"the plain program itself ends with {expected[0]}")
        linked = objects.Object(probed)
        problems += objects.faults(linked, inlined_later)
        names, bad_lines = listed(listing)
        problems += bad_lines
        found = {function["name"] for function in linked.functions}
        if not found <= names or names != found and not inlined_later:  # what is inlined everywhere is gone
            problems.append(f"only in the listing: {sorted(names - found)}; only in the file: {sorted(found - names)}")
    tally.check(f"{compiler}, {name}, {' '.join(flags)}", problems)


def levels_of(number, short):
    """Those of program and compiler, whose numbers come to `number`."""
    return LEVELS if slices.WHOLE else (short[number % len(short)],)


def main():
    tally = setting.start()
    for i, compiler in enumerate(slices.newest(tally.compilers())):
        for j, name in enumerate(PROGRAMS):
            if setting.is_clang(compiler) and name in GCC_ONLY:
                tally.skip(f"{name} is in GCC's own C")
                continue
            for flags in levels_of(i + j, SHORT):
                one(tally, compiler, name, setting.flags_of(compiler, flags))
    tally.finish()


if __name__ == "__main__":
    main()
