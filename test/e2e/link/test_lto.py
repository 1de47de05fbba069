#!/usr/bin/env python3
"""Link-time optimisation: GCC's in one step and two, slim and fat, in every partitioning; Clang's full and thin; mixed with
ordinary objects.  A link that lacks the plugin is said: by GNU ld, and by `prof record` whatever the linker."""
import calls
import forms
import rows
import toolbox

LINK_SAYS = "give it -fplugin=prof.so"
RECORD_SAYS = "-flto, linked without the plugin"
# Clang's; nothing about the plugin at the link
CLANG_WAYS = [
    (["-flto"], ["-flto"]),
    (["-flto=thin"], ["-flto=thin"]),
    (["-flto", "-O0"], ["-flto", "-O0"]),
    (["-flto=thin", "-O3", "-ffunction-sections"], ["-flto=thin", "-O3", "-Wl,--gc-sections"]),
    (["-flto", "-O3", "-fvisibility=hidden", "-fwhole-program-vtables"], ["-flto", "-O3", "-fwhole-program-vtables"]),
    (["-flto=thin", "-fsplit-lto-unit"], ["-flto=thin"]),
]
PARTS = ("none", "one", "1to1", "balanced", "max")
# flags of compilation and of link
WAYS = [
    (["-flto"], ["-flto"]),
    (["-flto", "-ffat-lto-objects"], ["-flto"]),
    (["-flto=auto"], ["-flto=auto"]),
    *((["-flto"], ["-flto=2", f"-flto-partition={parts}"]) for parts in PARTS),
    (["-flto", "-O0"], ["-flto", "-O0"]),
    (["-flto", "-O3", "-g3"], ["-flto", "-O3"]),
    (["-flto", "-fno-fat-lto-objects", "-fvisibility=hidden", "-ffunction-sections"], ["-flto", "-Wl,--gc-sections"]),
]


def checked(build, form="pie", **how):
    problems = forms.row_problems(build, **how) + calls.run_problems(build, calls.plain_output(build.box, form))
    if problems:
        raise toolbox.Wrong("\n".join(problems[:12]))


def marks(path):
    """Units that the file says were compiled with -flto and have no probes."""
    found = rows.objects.Object(path).sections.get(".prof_lto_v1", [])
    return sum(content.count(b".c") for *_, content, _, _ in found)


def two_steps(box, folder, compiler, linker, form, compile_flags, link_flags):
    build = forms.Build(box, folder, [compiler], linker, ["-O2", *compile_flags], ["-O2", *link_flags, *box.plugin_flags()])
    forms.FORMS[form](build)
    checked(build, form, lto=True)
    left = [path.name for path, _ in build.linked if marks(path)]
    if left:
        raise toolbox.Wrong(f"linked with the plugin, and yet marked as if not: {left}")


def one_step(box, folder, compiler, linker, flags):
    program = folder / "program"
    build = forms.Build(box, folder, [compiler], linker)
    units = [toolbox.PROGRAMS / unit for unit in forms.UNITS if unit.endswith(".cc")]
    others = [build.object(unit, "-fPIE", *flags) for unit in forms.UNITS if unit.endswith(".c")]
    toolbox.quietly([compiler.cxx, f"-fuse-ld={linker}", "-O2", *flags, *forms.UNPADDED["gcc"], *box.plugin_flags(), *units, *others,
                     build.object("plain.c", "-fPIE"), "-o", program], folder)
    build.linked.append((program, others))
    checked(build, lto=True)


def fat_without_lto(box, folder, compiler, linker):
    """The code that fat objects hold has probes, and nothing is missing."""
    build = forms.Build(box, folder, [compiler], linker, ["-O2", "-flto", "-ffat-lto-objects"], ["-fno-lto"])
    forms.FORMS["pie"](build)
    checked(build)
    if marks(build.program):
        raise toolbox.Wrong("marked as if probes were missing")


def linked(build, objects):
    """Links with what a linker may say about the plugin: GNU ld must, the others can't."""
    program = build.folder / "program"
    status, output, errors = toolbox.run([build.compilers[0].cxx, f"-fuse-ld={build.linker}", "-O2", "-flto", *objects, "-o",
                                          program], build.folder)
    if status or output or (LINK_SAYS in errors) != (build.linker == "bfd") or (errors and LINK_SAYS not in errors):
        raise toolbox.Wrong(f"linked to status {status}:\n{output}{errors}")
    if build.linker == "bfd" and errors.count(LINK_SAYS) != 1:
        raise toolbox.Wrong(f"said more than once:\n{errors}")
    build.linked.append((program, []))


def recorded_says(build, units, record_status=0):
    """`prof record` says how many units have no probes, and the program is as it was."""
    plain = calls.plain_output(build.box, "pie")
    if marks(build.program) != units:
        raise toolbox.Wrong(f"{marks(build.program)} units are marked, not {units}")
    status, output, errors = toolbox.run([build.box.prof, "record", build.program], build.folder)
    if (status, output) != (record_status, plain):
        raise toolbox.Wrong(f"recorded to status {status}:\n{output}{errors}")
    return errors


def without_plugin(box, folder, compiler, linker, flags):
    build = forms.Build(box, folder, [compiler], linker, ["-O2", "-flto", *flags])
    linked(build, [*build.objects("-fPIE"), build.object("plain.c", "-fPIE")])
    errors = recorded_says(build, 4)
    if "linked without the plugin" not in errors or "-fplugin=prof.so" not in errors:
        raise toolbox.Wrong(errors)


def partly_without_plugin(box, folder, compiler, linker):
    """Ordinary objects keep their probes and are recorded; the LTO units beside them are said to be missing."""
    lto = forms.Build(box, folder, [compiler], linker, ["-O2", "-flto"])
    ordinary = forms.Build(box, folder, [compiler], linker, ["-O2"])
    objects = [*(lto.object(unit, "-fPIE") for unit in ("main.cc", "shapes.cc", "data.c")),
               *(ordinary.object(unit, "-fPIE") for unit in ("numbers.c", "more.c", "plain.c"))]
    linked(lto, objects)
    errors = recorded_says(lto, 2)
    if f"prof: 2 units of {lto.program} have no probes: {RECORD_SAYS} (first: {toolbox.PROGRAMS}" not in errors:
        raise toolbox.Wrong(errors)
    notes = toolbox.run([box.prof, "info"], folder)[1]
    if "-fplugin=prof.so is missing in the link command" not in notes:
        raise toolbox.Wrong(f"prof info does not say it:\n{notes}")
    if calls.recorded(box, folder)["factorial"] != 9:
        raise toolbox.Wrong("the ordinary objects were not recorded")


def library_without_plugin(box, folder, compiler):
    """A library that lacks probes partly, in a program that has them."""
    build = forms.Build(box, folder, [compiler], "bfd", ["-O2"])
    lto = forms.Build(box, folder, [compiler], "bfd", ["-O2", "-flto"])
    library, program = folder / "libnumbers.so", folder / "program"
    toolbox.run([compiler.cxx, "-fuse-ld=bfd", "-O2", "-flto", "-shared", lto.object("numbers.c", "-fPIC"),
                 build.object("more.c", "-fPIC"), "-o", library])
    toolbox.quietly([compiler.cxx, *(build.object(unit, "-fPIE") for unit in ("main.cc", "shapes.cc", "plain.c")), library,
                     "-Wl,-rpath,$ORIGIN", "-o", program])
    status, output, errors = toolbox.run([box.prof, "record", program], folder)
    if status or output != calls.plain_output(box, "pie") or f"prof: 1 unit of {library} has no probes: {RECORD_SAYS}" not in errors:
        raise toolbox.Wrong(f"{status}\n{output}{errors}")


def mixed(box, folder, compiler, others, linker):
    """LTO units of one compiler, ordinary ones of the others, the plugin at the link."""
    lto = forms.Build(box, folder, [compiler], linker, ["-O2", "-flto"], ["-O2", "-flto", *box.plugin_flags()])
    ordinary = forms.Build(box, folder, others, linker, ["-O2"])
    objects = [*(lto.object(unit, "-fPIE") for unit in ("main.cc", "numbers.c")),
               *(ordinary.object(unit, "-fPIE") for unit in ("shapes.cc", "more.c"))]
    lto.link(lto.program, objects, also=[ordinary.object("plain.c", "-fPIE")])
    checked(lto, lto=True)


def slim_through_lld(box, folder, compiler):
    """lld can't read GCC's intermediate code: the link fails, with the plugin as without."""
    for probed in (True, False):
        build = forms.Build(box, folder, [compiler], "lld", ["-O2", "-flto"], probed=probed)
        try:
            build.link(build.program, [*build.objects("-fPIE"), build.object("plain.c", "-fPIE")])
        except toolbox.Wrong as what:
            if "undefined symbol: main" not in str(what):
                raise
            continue
        raise toolbox.Wrong("lld linked slim objects")


def gcc_slice(box, compiler):
    """A case of each kind."""
    box.case("two steps", two_steps, compiler, "bfd", "pie", *WAYS[0])
    box.case("two steps, partitions", two_steps, compiler, "gold", "shared", ["-flto"], ["-flto=2", "-flto-partition=max"])
    box.case("two steps, partial link", two_steps, compiler, "bfd", "partial", *WAYS[0])
    box.case("one step", one_step, compiler, "bfd", ["-flto"])
    box.case("fat without LTO", fat_without_lto, compiler, "lld")
    for linker in ("bfd", "gold"):
        box.case(f"{linker} without the plugin", without_plugin, compiler, linker, [])
        box.case(f"{linker} partly without the plugin", partly_without_plugin, compiler, linker)
    box.case("a library without the plugin", library_without_plugin, compiler)
    box.case("mixed", mixed, compiler, box.compilers, "bfd")
    box.case("lld: slim", slim_through_lld, compiler)


def gcc_cases(box, compiler, linkers):
    for linker in linkers:
        for way in WAYS:
            box.case(f"{compiler.name} {linker} two steps {' '.join(way[0])} / {' '.join(way[1])}", two_steps, compiler, linker,
                     "pie", *way)
        for form in ("no-pie", "static", "shared", "loaded", "archive", "partial"):
            box.case(f"{compiler.name} {linker} two steps {form}", two_steps, compiler, linker, form, ["-flto"], ["-flto"])
        for flags in (["-flto"], ["-flto", "-fwhole-program"], ["-flto", "-flto-partition=none"]):
            box.case(f"{compiler.name} {linker} one step {' '.join(flags)}", one_step, compiler, linker, flags)
        box.case(f"{compiler.name} {linker} fat without LTO", fat_without_lto, compiler, linker)
        for flags in ([], ["-ffat-lto-objects"]):
            box.case(f"{compiler.name} {linker} without the plugin {' '.join(flags)}", without_plugin, compiler, linker, flags)
        box.case(f"{compiler.name} {linker} partly without the plugin", partly_without_plugin, compiler, linker)
        for others in [[other] for other in box.compilers]:
            box.case(f"{compiler.name} {linker} mixed with {others[0].name}", mixed, compiler, others, linker)
    if "bfd" in linkers:
        box.case(f"{compiler.name} a library without the plugin", library_without_plugin, compiler)
    if "lld" in box.linkers:
        box.case(f"{compiler.name} lld: fat without LTO", fat_without_lto, compiler, "lld")
        box.case(f"{compiler.name} lld: slim", slim_through_lld, compiler)


def clang(box, folder, compiler, linker, form, compile_flags, link_flags):
    """Probes are put in before the link; whole functions may be merged or dropped there, with their rows."""
    build = forms.Build(box, folder, [compiler], linker, ["-O2", *compile_flags], ["-O2", *link_flags])
    forms.FORMS[form](build)
    checked(build, form, lto=True, renamed=True)


def clang_slice(box, compiler):
    for linker, form, kind in (("lld", "pie", "-flto"), ("lld", "shared", "-flto=thin"), ("bfd", "static", "-flto=thin")):
        box.case(f"{compiler.name} {linker} {kind} {form}", clang, compiler, linker, form, [kind], [kind])


def clang_cases(box, compiler, linkers):
    for linker in linkers:
        if linker == "lld" and not compiler.own_lld or linker != "lld" and not compiler.linker_plugin():
            box.skip(f"{linker} can't read {compiler.name}'s LTO objects: ld.lld or LLVMgold.so of that version is missing")
            continue
        for way in CLANG_WAYS:
            if "vtables" in way[1][-1] and linker != "lld":
                continue
            box.case(f"{compiler.name} {linker} {' '.join(way[0])} / {' '.join(way[1])}", clang, compiler, linker, "pie", *way)
        for form in ("no-pie", "static", "shared", "loaded", "archive"):
            for kind in ("-flto", "-flto=thin"):
                box.case(f"{compiler.name} {linker} {kind} {form}", clang, compiler, linker, form, [kind], [kind])


def main():
    box = toolbox.Toolbox(("--all", "each compiler in every way"))
    if not box.options.all and set(box.linkers) == set(toolbox.LINKERS):
        for compiler in box.of_kind("gcc")[-1:]:
            gcc_slice(box, compiler)
        for compiler in box.of_kind("clang")[-1:]:
            if compiler.own_lld and compiler.linker_plugin():
                clang_slice(box, compiler)
            else:
                box.skip(f"no linker reads {compiler.name}'s LTO objects")
        box.finish()
    for compiler in box.of_kind("gcc"):
        gcc_cases(box, compiler, [linker for linker in box.linkers if linker != "lld"])
    for compiler in box.of_kind("clang"):
        clang_cases(box, compiler, box.linkers)
    box.finish()


if __name__ == "__main__":
    main()
