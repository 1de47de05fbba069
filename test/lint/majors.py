#!/usr/bin/env python3
"""The compilers that have a backend are said alike: in the build, in scripts/packages/*-majors.txt and in compilers.txt."""
import re
import tree

FAMILIES = {  # family: where the build says its majors, the packages that each needs
    "gcc": ("plugin-gcc/CMakeLists.txt", ("gcc-{}", "g++-{}", "gcc-{}-plugin-dev")),
    "clang": ("plugin-clang/CMakeLists.txt", ("clang-{}", "llvm-{}-dev", "libclang-{}-dev")),
}


def entries(name):
    return [line for line in tree.lines(f"scripts/packages/{name}.txt") if line and not line.startswith("#")]


def main():
    faults, looked_at = [], 0
    # "#?clang-15": known, and left out on purpose
    listed = {line.lstrip("#?") for line in tree.lines("scripts/packages/compilers.txt")}
    for family, (build, packages) in FAMILIES.items():
        text = "\n".join(tree.lines(build))
        built = set(re.search(rf"set\(PROF_{family.upper()}_MAJORS ([0-9 ]+) CACHE", text)[1].split())
        majors = set(entries(f"{family}-majors"))
        if built != majors:
            faults.append(f"{build}:1: builds for {sorted(built)}; scripts/packages/{family}-majors.txt says {sorted(majors)}")
        for major in sorted(majors):
            looked_at += 1
            faults += [f"scripts/packages/compilers.txt:1: {package} is missing"
                       for package in (name.format(major) for name in packages) if package not in listed]
    tree.finish(faults, looked_at)


main()
