#!/usr/bin/env python3
"""What becomes of unused and of equal functions: dropped or folded with their rows, or kept; said for each linker."""
import calls
import forms
import rows
import toolbox

SECTIONS = ["-O2", "-ffunction-sections", "-fdata-sections"]
ALL_UNUSED = 2
# linker, link flags, how many of the unused functions stay; bfd keeps what the link's first row stands for
DROPS = [
    ("bfd", ["-Wl,--gc-sections"], [ALL_UNUSED]),
    ("bfd", ["-Wl,--gc-sections", "-Wl,-z,start-stop-gc"], [0, 1]),
    ("gold", ["-Wl,--gc-sections"], [ALL_UNUSED]),
    ("lld", ["-Wl,--gc-sections"], [0]),
]
# linker, link flags
FOLDS = [(linker, [f"-Wl,--icf={which}", *more]) for linker in ("gold", "lld") for which in ("safe", "all")
         for more in ([], ["-Wl,--gc-sections"])]


def checked(build, form="pie", **how):
    problems = forms.row_problems(build, **how) + calls.run_problems(build, calls.plain_output(build.box, form))
    if problems:
        raise toolbox.Wrong("\n".join(problems[:12]))


def unused(box, folder, compilers, linker, flags, staying):
    build = forms.Build(box, folder, compilers, linker, SECTIONS, flags)
    forms.FORMS["pie"](build)
    checked(build, dropped=() if ALL_UNUSED in staying else ("unused_in_more",))
    names = {function["name"] for function in rows.objects.Object(build.program).functions}
    kept = sorted(name for name in names if "unused_in" in name)
    if len(kept) not in staying:
        raise toolbox.Wrong(f"unused functions that are there: {kept}; the documents say {staying}")


def folded(box, folder, compilers, linker, flags):
    """Two equal functions may become one: their rows are one function's, or point at one sled; no call is lost."""
    for form in ("pie", "shared"):
        build = forms.Build(box, folder, compilers, linker, SECTIONS, flags)
        forms.FORMS[form](build)
        checked(build, form, folded=True, dropped=("nothing",))


def folded_at_all(box, folder, compilers, linker):
    """The case above would prove nothing if no linker folded."""
    build = forms.Build(box, folder, compilers, linker, SECTIONS, ["-Wl,--icf=all", "-Wl,--print-icf-sections"])
    try:
        forms.FORMS["pie"](build)
        said = ""
    except toolbox.Wrong as what:
        said = str(what)
    if ".text.same_" not in said:
        raise toolbox.Wrong(f"the linker did not fold same_one and same_two:\n{said}")


def main():
    box = toolbox.Toolbox(("--all", "each compiler, and all mixed; else all mixed, and what folds by the newest of each kind"))
    alone = [[compiler] for compiler in box.compilers]
    if not box.options.all:
        alone = [box.of_kind(kind)[-1:] for kind in ("gcc", "clang") if box.of_kind(kind)]
    groups = alone + ([box.compilers] if len(box.compilers) > 1 else [])
    for compilers in groups:
        names = "+".join(compiler.name for compiler in compilers)
        whole = box.options.all or len(compilers) == len(box.compilers)
        for linker, flags, staying in DROPS if whole else []:
            if linker in box.linkers:
                box.case(f"unused: {linker} {' '.join(flags)} {names}", unused, compilers, linker, flags, staying)
        for linker, flags in FOLDS if whole else []:
            if linker in box.linkers:
                box.case(f"folded: {linker} {' '.join(flags)} {names}", folded, compilers, linker, flags)
        if len(compilers) == 1:
            for linker in ("gold", "lld"):
                if linker in box.linkers:
                    box.case(f"folds: {linker} {names}", folded_at_all, compilers, linker)
    box.finish()


if __name__ == "__main__":
    main()
