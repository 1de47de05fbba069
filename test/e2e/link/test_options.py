#!/usr/bin/env python3
"""Options that change what a compiler makes of a function: each builds the program in silence, every row has its sled, the
program runs as without the option, and every call is recorded."""
import itertools

import calls
import forms
import toolbox

BOTH, GCC, CLANG = ("gcc", "clang"), ("gcc",), ("clang",)
# options of compilation, options of the link, for whom
OPTIONS = [
    (["-O2", "-fnon-call-exceptions"], [], GCC),
    (["-O2", "-fsanitize=address"], ["-fsanitize=address"], BOTH),
    (["-O1", "-fsanitize=undefined"], ["-fsanitize=undefined"], BOTH),
    (["-O2", "-fsanitize=thread"], ["-fsanitize=thread"], BOTH),
    (["-O2", "-fstack-clash-protection"], [], BOTH),
    (["-O2", "-fstack-protector-all"], [], BOTH),
    (["-O2", "-fpatchable-function-entry=5"], [], BOTH),
    (["-O2", "-fpatchable-function-entry=5,2"], [], BOTH),
    (["-O2", "-fomit-frame-pointer"], [], BOTH),
    (["-O0", "-fomit-frame-pointer"], [], BOTH),
    (["-O2", "-fno-asynchronous-unwind-tables"], [], BOTH),
    (["-O2", "-fno-dwarf2-cfi-asm"], [], GCC),
    (["-O2", "-mpreferred-stack-boundary=5"], [], GCC),
    (["-O2", "-mstack-alignment=32"], [], CLANG),
    (["-O2", "-mstackrealign"], [], BOTH),
    (["-O2", "--coverage"], ["--coverage"], BOTH),
    (["-O2", "-fprofile-generate"], ["-fprofile-generate"], BOTH),
    (["-O2", "-fprofile-arcs", "-fprofile-update=atomic"], ["--coverage"], GCC),
    (["-O2", "-fprofile-instr-generate", "-fcoverage-mapping"], ["-fprofile-instr-generate"], CLANG),
    (["-O2", "-mindirect-branch=thunk", "-mfunction-return=thunk"], [], GCC),
    (["-O2", "-mretpoline"], [], CLANG),
    (["-O2", "-mharden-sls=all"], [], GCC),
    (["-O2", "-fzero-call-used-regs=all"], [], GCC),
    (["-O2", "-pg", "-mfentry"], ["-pg"], BOTH),
    (["-O2", "-fopenmp"], [], BOTH),
    (["-O2", "-ftrapv"], [], BOTH),
    (["-O2", "-fverbose-asm"], [], GCC),
    (["-O2", "-fsplit-stack"], ["-fsplit-stack"], GCC),
    (["-O2", "-fno-toplevel-reorder"], [], GCC),
    (["-O2", "-freorder-blocks-and-partition", "-freorder-functions"], [], GCC),
    (["-O2", "-fno-reorder-functions"], [], GCC),
    (["-O3", "-fipa-pta", "-fgraphite-identity", "-floop-nest-optimize"], [], GCC),
    (["-O2", "-ftree-parallelize-loops=2"], ["-ftree-parallelize-loops=2"], GCC),
    (["-O2", "-fno-ipa-icf", "-fno-ipa-ra", "-fno-shrink-wrap"], [], GCC),
    (["-O2", "-flive-patching=inline-only-static"], [], GCC),
    (["-O2", "-fstack-usage", "-fcallgraph-info"], [], GCC),
    (["-O2", "-fexcess-precision=fast", "-ffast-math", "-march=x86-64-v3"], [], GCC),
    (["-O2", "-ffast-math", "-march=x86-64-v3"], [], CLANG),
    (["-O2", "-mavx512f", "-mvzeroupper"], [], GCC),
    (["-O2", "-fno-jump-tables", "-fno-semantic-interposition"], [], BOTH),
    (["-O2", "-fno-integrated-as"], [], CLANG),
    (["-O2", "-fbasic-block-sections=all"], [], CLANG),
    (["-O2", "-funique-internal-linkage-names"], [], CLANG),
    (["-O2", "-faddrsig"], ["-fuse-ld=lld", "-Wl,--icf=safe"], CLANG),
    (["-O2", "-fsanitize=safe-stack"], ["-fsanitize=safe-stack"], CLANG),
    (["-Og"], [], BOTH),
    (["-Oz"], [], CLANG),
    (["-Ofast", "-funroll-loops"], [], GCC),
    (["-O3", "-funroll-loops"], [], BOTH),
    (["-O2", "-gdwarf-4"], [], BOTH),
    (["-O2", "-gdwarf-5", "-g3"], [], BOTH),
    (["-O2", "-pipe"], [], BOTH),
]


def surroundings(folder):
    """Counts of coverage and profiles go there."""
    return {"GCOV_PREFIX": str(folder), "LLVM_PROFILE_FILE": str(folder / "profile")}


def one(box, folder, compiler, linker, compile_flags, link_flags):
    build = forms.Build(box, folder, [compiler], linker, compile_flags, link_flags)
    build.environment = surroundings(folder)
    try:
        forms.FORMS["pie"](build)
        problems = forms.row_problems(build) + calls.run_problems(build, calls.plain_output(box, "pie"))
        if "-fbasic-block-sections=all" in compile_flags: # parts of functions have no symbols of functions to look in
            problems = [problem for problem in problems if "lies in no probed function" not in problem]
        if problems:
            raise toolbox.Wrong("\n".join(problems[:12]))
    except toolbox.Wrong:
        if not calls.fails_without_plugin(build, "pie"):
            raise
        return f"{compiler.name} {' '.join(compile_flags)} makes no such program without the plugin either"
    return None


def profile_used(box, folder, compiler, fat):
    """A build that was trained on a run of the probed program, without and with LTO."""
    names = ["profile", "used"]
    for name, step in zip(names, ("-fprofile-generate", "-fprofile-use")):
        place = folder / name
        place.mkdir()
        flags = ["-O2", *fat, f"{step}={folder / 'counts'}", "-Wno-missing-profile"]
        build = forms.Build(box, place, [compiler], "bfd")
        plain = build.object("plain.c", "-fPIE")
        objects = []
        for unit in forms.UNITS: # the name of the object is that of the counts
            objects.append(folder / f"{unit}.o")
            toolbox.quietly([compiler.driver(unit), "-g", "-fPIE", "-fexceptions", *forms.UNPADDED[compiler.kind], *flags,
                             *box.plugin_flags(), "-c", toolbox.PROGRAMS / unit, "-o", objects[-1]], folder)
        build.link_flags = (*flags, *box.plugin_flags())
        build.link(build.program, objects, "-pie", also=[plain])
        problems = forms.row_problems(build, lto=bool(fat)) + calls.run_problems(build, calls.plain_output(box, "pie"))
        if problems:
            raise toolbox.Wrong(f"{step}: " + "\n".join(problems[:12]))


def main():
    box = toolbox.Toolbox(("--all", "every compiler with every option; else the newest of each kind with every fourth"))
    linker = "bfd" if "bfd" in box.linkers else box.linkers[0]
    for kind in ("gcc", "clang"):
        compilers = box.of_kind(kind)[0 if box.options.all else -1:]
        options = [option for option in OPTIONS if kind in option[2]][::1 if box.options.all else 4]
        for compiler, (compile_flags, link_flags, _) in itertools.product(compilers, options):
            box.case(f"{compiler.name} {' '.join(compile_flags)}", one, compiler, linker, compile_flags, link_flags)
        for compiler in compilers:
            if kind == "gcc":
                for fat in ([], ["-flto"]) if box.options.all else ([],):
                    box.case(f"{compiler.name} profile generated and used {' '.join(fat)}", profile_used, compiler, fat)
    box.finish()


if __name__ == "__main__":
    main()
