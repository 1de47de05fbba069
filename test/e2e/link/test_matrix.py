#!/usr/bin/env python3
"""Linkers x forms x flags x mixtures of compilers.  --all: the whole product; else a slice that still has each linker with
each form, each flag with one linker, and each compiler alone."""
import itertools

import calls
import forms
import toolbox
from forms import FORMS

SECTIONS = ["-ffunction-sections", "-fdata-sections"]
# name: (compile flags, link flags)
FLAGS = {
    "O2": (["-O2"], []),
    "O0": (["-O0"], []),
    "O3": (["-O3"], []),
    "sections": (["-O2", *SECTIONS], []),
    "hidden": (["-O2", "-fvisibility=hidden"], []),
    "no-plt": (["-O2", "-fno-plt"], []),
    "large": (["-O2", "-mcmodel=large"], []),
    "medium": (["-O2", "-mcmodel=medium"], []),
    "intel": (["-O2", "-masm=intel"], []),
    "pg": (["-O2", "-pg"], ["-pg"]),
    "cf-protection": (["-O2", "-fcf-protection=full"], []),
    "no-red-zone": (["-O2", "-mno-red-zone"], []),
    "split-dwarf": (["-O2", "-gsplit-dwarf"], []),
    "frame-pointer": (["-O1", "-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"], []),
    "now": (["-O2"], ["-Wl,-z,now", "-Wl,-z,relro"]),
    "stripped": (["-O2"], ["-s"]),
    "compressed": (["-O2", "-gz"], ["-gz"]),
}
GC = {"": [], "gc": ["-Wl,--gc-sections"]}


def mixtures(compilers):
    """Lists of compilers for the units in turn: each alone, then mixed, each beginning once."""
    alone = [[compiler] for compiler in compilers]
    mixed = [compilers[i:] + compilers[:i] for i in range(len(compilers))] if len(compilers) > 1 else []
    return alone, mixed or alone


def why_not(linker, form):
    """What no compiler or linker here can do, as it is without probes too."""
    if linker == "gold" and form == "static-pie":
        return "gold makes no static-pie"
    return None


def one(box, folder, mixture, linker, form, flags, gc):
    compile_flags, link_flags = FLAGS[flags]
    build = forms.Build(box, folder, mixture, linker, compile_flags, [*link_flags, *GC[gc]])
    dropped = ("unused_in",) if linker == "lld" and gc and flags == "sections" else ()
    try:
        FORMS[form](build)
        problems = forms.row_problems(build, dropped=dropped) + calls.run_problems(build, calls.plain_output(box, form))
        if problems:
            raise toolbox.Wrong("\n".join(problems[:12]))
    except toolbox.Wrong:
        if not calls.fails_without_plugin(build, form):
            raise
        return f"{linker} {form} {flags}: no such program of {mixture[0].name} and others without the plugin either"
    return None


def chosen(whole, compilers, linkers):
    """(mixture, linker, form, flags, gc) of each case."""
    alone, mixed = mixtures(compilers)
    turn = itertools.cycle(mixed)
    if whole:
        for mixture in (*alone, mixed[0]):
            yield from itertools.product([mixture], linkers, FORMS, ["O2"], [""])
        yield from ((next(turn), *rest) for rest in itertools.product(linkers, FORMS, FLAGS, GC))
        return
    yield from ((mixture, linkers[0], "pie", "O2", "") for mixture in alone)
    yield from ((next(turn), linker, form, "sections", "gc") for linker in linkers for form in FORMS)
    places = itertools.cycle(("pie", "no-pie", "shared", "static", "partial"))
    linker_turn = itertools.cycle(linkers)
    yield from ((next(turn), next(linker_turn), next(places), flags, "") for flags in FLAGS)


def main():
    box = toolbox.Toolbox(("--all", "the whole product"))
    if not box.compilers or not box.linkers:
        box.finish()
    for mixture, linker, form, flags, gc in chosen(box.options.all, box.compilers, box.linkers):
        reason = why_not(linker, form)
        if reason:
            box.skip(reason)
            continue
        names = "+".join(compiler.name for compiler in mixture)
        box.case(f"{linker} {form} {flags}{' gc' if gc else ''} {names}", one, mixture, linker, form, flags, gc)
    box.finish()


if __name__ == "__main__":
    main()
