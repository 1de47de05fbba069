#!/usr/bin/env python3
"""Programs do the same with the plugin as without, at every level; their rows agree with the listing.

With --short as second argument: one compiler, some levels.
"""
import sys

import objects
import setting

SHORT = (["-O0"], ["-O2"], ["-Os"], ["-O2", "-flto=2"])
LEVELS = (*SHORT, ["-O1"], ["-O3"], ["-Og"], ["-O3", "-g", "-fno-pie", "-no-pie"],
          ["-O2", "-g", "-fPIC", "-fstack-protector-all", "-masm=intel"])
PROGRAMS = {  # name: flags that the source needs
    "arguments.c": ["-Wno-psabi"], "dispatch.c": [], "frames.c": ["-Wl,-z,execstack"], "jumps.c": [], "signals.c": [],
    "special_functions.c": [], "tail_calls.c": [], "coroutines.cc": ["-std=c++20"], "exceptions.cc": [],
    "threads.cc": ["-pthread"],
}
FLAT = {"-O2", "-O3", "-Os"}
SMALL_STACK_BYTES, DEEP, SHALLOW = 1 << 20, 100_000_000, 1000


def listed(path):
    """Names that the listing says were probed; and what is wrong with its lines."""
    probed, problems = set(), []
    for line in path.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) != 4 or fields[2] not in ("probed", "skipped") or ":" not in fields[1]:
            problems.append(f"listing: {line!r}")
        elif fields[2] == "probed":
            probed.add(fields[0])
    return probed, problems


def run(program, name, flags):
    if name != "tail_calls.c":
        return setting.run([program])
    flat = FLAT.intersection(flags)
    return setting.run([program, DEEP if flat else SHALLOW], stack_bytes=SMALL_STACK_BYTES)


def one(tally, major, name, flags):
    compiler, source = setting.compiler_of(major, name), setting.PROGRAMS / name
    common = [compiler, *flags, *PROGRAMS[name], source]
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
        problems += objects.faults(linked)
        names, bad_lines = listed(listing)
        problems += bad_lines
        found = {function["name"] for function in linked.functions}
        if names != found:
            problems.append(f"only in the listing: {sorted(names - found)}; only in the file: {sorted(found - names)}")
    tally.check(f"gcc {major}, {name}, {' '.join(flags)}", problems)


def main():
    short = sys.argv[2:] == ["--short"]
    tally = setting.start()
    for major in tally.majors()[-1:] if short else tally.majors():
        for name in PROGRAMS:
            for flags in SHORT if short else LEVELS:
                one(tally, major, name, flags)
    tally.finish()


if __name__ == "__main__":
    main()
