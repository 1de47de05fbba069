#!/usr/bin/env python3
"""Links of every kind: quiet, with rows, facts and text that agree.  Linkers x forms x flags x compilers."""
import shutil

import objects
import setting
import slices

LINKERS = {"bfd": "ld.bfd", "gold": "ld.gold", "lld": "ld.lld"}
FORMS = {
    "pie": (["-fPIE"], ["-pie"]),
    "no-pie": (["-fno-pie"], ["-no-pie"]),
    "shared": (["-fPIC"], ["-shared"]),
    "static": (["-fno-pie"], ["-static"]),
    "static-pie": (["-fPIE"], ["-static-pie"]),
}
COMPILES = {
    "plain": [],
    "sections": ["-ffunction-sections", "-fdata-sections"],
    "lto": ["-flto"],
    "fat lto": ["-flto", "-ffat-lto-objects"],
}
UNITS = ["links_main.cc", "links_other.cc"]


def link_problems(linked_path, expect_main):
    linked = objects.Object(linked_path)
    problems = objects.faults(linked)
    names = [function["name"] for function in linked.functions]
    shared_inline = [name for name in names if "shared_inline" in name]
    entries = [sled for sled, kind in linked.rows if kind & 15 == objects.ENTRY]
    if len(entries) != len(linked.functions):
        problems.append(f"{len(entries)} entries, {len(linked.functions)} functions")
    if len(shared_inline) != 1:
        problems.append(f"the inline function of two units is there {len(shared_inline)} times")
    if len([name for name in names if name.startswith("_ZL9same_name")]) != 2:
        problems.append("the two static functions of one name are not both there")
    if expect_main and "main" not in names:
        problems.append("main has no probes")
    if not linked.units:
        problems.append("no UNIT fact")
    if linked.type != 1 and any(name.startswith(".rela.prof") for name in linked.sections):
        problems.append("rows have relocations")
    return problems


def one_link(tally, compiler, linker, form, kind, extra=(), through=None):
    name = f"{compiler}, {linker}, {form}, {kind}{', ' + ' '.join(extra) if extra else ''}{', ' + through if through else ''}"
    folder = tally.folder / "link"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    archiver = setting.archiver(compiler)
    compiler, (compile_flags, link_flags) = setting.cxx(compiler), FORMS[form]
    flags = ["-g", "-O2", *compile_flags, *COMPILES[kind], *tally.flags()]
    problems = []
    made = []
    for unit in UNITS:
        made.append(folder / f"{unit}.o")
        problems.append(setting.compiled([compiler, *flags, "-c", setting.PROGRAMS / unit, "-o", made[-1]]))
    if through == "archive":
        problems.append(setting.compiled([archiver, "rcs", folder / "other.a", made[1]]))
        made[1] = folder / "other.a"
    elif through == "relocatable":
        problems.append(setting.compiled([compiler, f"-fuse-ld={linker}", "-r", *made, "-o", folder / "both.o"]))
        made = [folder / "both.o"]
    program = folder / "program"
    problems.append(setting.compiled([compiler, f"-fuse-ld={linker}", *flags, *link_flags, *extra, *made, "-o", program]))
    if not any(problems):
        problems += link_problems(program, form != "shared")
        if form != "shared":
            status, output, errors = setting.run([program])
            if (status, output, errors) != (0, "7 12 caught 9\n", ""):
                problems.append(f"ran to status {status}: {output}{errors}")
    tally.check(name, problems)


def matrix(tally, compiler, linkers):
    newest = compiler == tally.compilers("gcc")[-1]
    for linker in linkers:
        for form in FORMS:
            if linker == "gold" and form == "static-pie":
                tally.skip("gold makes no static-pie")
                continue
            for kind in COMPILES if newest else ["plain", "lto"]:
                if linker == "lld" and kind == "lto":
                    tally.skip("lld can't read GCC's LTO objects")
                    continue
                one_link(tally, compiler, linker, form, kind)
            one_link(tally, compiler, linker, form, "sections", ["-Wl,--gc-sections"])
            one_link(tally, compiler, linker, form, "plain", ["-Wl,--gc-sections"])
        one_link(tally, compiler, linker, "pie", "plain", through="archive")
        if linker != "lld":
            one_link(tally, compiler, linker, "pie", "lto", through="archive")
        one_link(tally, compiler, linker, "pie", "plain", through="relocatable")
        one_link(tally, compiler, linker, "pie", "sections", ["-Wl,--gc-sections"], through="relocatable")
        if linker != "bfd":
            one_link(tally, compiler, linker, "pie", "sections", ["-Wl,--icf=all"])


def dropped_with_their_function(tally, compiler):
    """Where the linker may drop unused functions, their rows go too; bfd needs a flag, gold keeps them."""
    for linker, flags in (("lld", []), ("bfd", ["-Wl,-z,start-stop-gc"])):
        if not shutil.which(LINKERS[linker]):
            continue
        program = tally.folder / "dropped"
        problem = setting.compiled([setting.cxx(compiler), "-O2", "-ffunction-sections", f"-fuse-ld={linker}", "-Wl,--gc-sections",
                                    *flags, *tally.flags(), *(setting.PROGRAMS / unit for unit in UNITS), "-o", program])
        problems = [problem]
        if not problem:
            linked = objects.Object(program)
            problems += objects.faults(linked)
            if any("unused" in function["name"] for function in linked.functions):
                problems.append("an unused function is still there")
        tally.check(f"{compiler}, {linker}: unused functions go with their rows", problems)


def without_plugin_at_link(tally, compiler):
    """Fat LTO objects need no plugin at a link without LTO (with it: e2e.link.lto)."""
    folder = tally.folder
    for name, flags, link in (("fat LTO objects, no LTO at the link", ["-flto", "-ffat-lto-objects"], ["-fno-lto"]),):
        problems = [setting.compiled([setting.cxx(compiler), "-O2", *flags, *tally.flags(), "-c", setting.PROGRAMS / unit, "-o",
                                      folder / f"{unit}.o"]) for unit in UNITS]
        problems.append(setting.compiled([setting.cxx(compiler), "-O2", *flags, *link, *(folder / f"{unit}.o" for unit in UNITS), "-o",
                                          folder / "program"]))
        if not any(problems):
            linked = objects.Object(folder / "program")
            problems += objects.faults(linked)
            if not linked.rows:
                problems.append("no rows")
            if setting.run([folder / "program"])[:2] != (0, "7 12 caught 9\n"):
                problems.append("the program doesn't run")
        tally.check(f"{compiler}: {name}", problems)


def main():
    tally = setting.start()
    linkers = [name for name, program in LINKERS.items() if shutil.which(program) or tally.skip(f"{program} is missing")]
    for compiler in tally.compilers("gcc") if slices.WHOLE else tally.compilers("gcc")[-1:]:  # all others: e2e.link
        matrix(tally, compiler, linkers)
        dropped_with_their_function(tally, compiler)
        without_plugin_at_link(tally, compiler)
    tally.finish()


if __name__ == "__main__":
    main()
