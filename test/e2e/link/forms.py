"""How the units become a program: executables of each kind, shared and loaded libraries, archive, partial link.

A form is a function(Build) that leaves build.program, build.arguments and build.linked: [(file, objects it was made of)].
"""
import re

import rows
import toolbox

UNITS = ("main.cc", "shapes.cc", "numbers.c", "more.c")
WEAK = ("weak_and_strong",) # the weak copy loses; its text stays without a symbol


# No nops inside of functions but the sleds, so that these can be told by their bytes.
UNPADDED = {"gcc": ("-fno-align-loops", "-fno-align-jumps", "-fno-align-labels"), "clang": ("-falign-loops=1",)}


class Build:
    """One case: which compiler makes which unit, the linker, the flags."""

    def __init__(self, box, folder, compilers, linker, compile_flags=(), link_flags=(), probed=True):
        self.box, self.folder, self.compilers, self.linker = box, folder, compilers, linker
        self.compile_flags, self.link_flags, self.probed = tuple(compile_flags), tuple(link_flags), probed
        self.program, self.arguments, self.linked, self.environment = folder / "program", [], [], {}

    def object(self, source, *flags):
        place = (*UNITS, "plain.c", "library.cc", "data.c").index(source)
        compiler = self.compilers[place % len(self.compilers)]
        flags = [*self.compile_flags, *flags, *UNPADDED[compiler.kind], "-fexceptions"]
        if source == "plain.c": # not from intermediate code either: the link would give it probes
            return self.box.object(compiler, source, [flag for flag in flags if not re.search("lto|whole-program", flag)], False)
        return self.box.object(compiler, source, flags, self.probed)

    def objects(self, *flags):
        return [self.object(unit, *flags) for unit in UNITS]

    def link(self, output, objects, *flags, also=()):
        """`also`: inputs whose rows are counted elsewhere."""
        driver = self.compilers[0]
        own = ["-Wno-unused-command-line-argument"] if driver.kind == "clang" else []
        if driver.kind == "clang" and self.linker == "lld" and driver.own_lld: # which alone reads its intermediate code
            own.append(f"--ld-path={driver.own_lld}")
        toolbox.quietly([driver.cxx, f"-fuse-ld={self.linker}", *own, *flags, *self.link_flags, *objects, *also, "-o", output], self.folder)
        self.linked.append((output, list(objects)))

    def archive(self):
        """The runtime inside of the program."""
        return ["-Wl,--whole-archive", self.box.archive, "-Wl,--no-whole-archive"] if self.probed else []


def executable(compile_flag, link_flag):
    def make(build):
        build.link(build.program, build.objects(compile_flag), link_flag, also=[build.object("plain.c", compile_flag)])
    return make


def static(compile_flag, link_flag):
    def make(build):
        build.link(build.program, build.objects(compile_flag), link_flag,
                   also=[build.object("plain.c", compile_flag), *build.archive()])
    return make


def shared(build):
    main, shapes, numbers, more = build.objects("-fPIC")
    first, second = build.folder / "libshapes.so", build.folder / "libnumbers.so"
    build.link(first, [shapes], "-shared")
    build.link(second, [numbers, more], "-shared")
    build.link(build.program, [main], "-pie", "-Wl,-rpath,$ORIGIN", also=[build.object("plain.c", "-fPIC"), first, second])


def loaded(build):
    main, *others = build.objects("-fPIE", "-DLIBRARIES")
    build.link(build.program, [main, *others], "-pie", also=[build.object("plain.c", "-fPIE")])
    for number in (1, 2):
        library = build.folder / f"library{number}.so"
        build.link(library, [build.object("library.cc", "-fPIC", f"-DLIBRARY={number}")], "-shared")
        build.arguments.append(library)


def archived(build):
    main, *others = build.objects("-fPIE")
    archive = build.folder / "units.a"
    toolbox.quietly([build.compilers[0].archiver, "rcs", archive, *others])
    build.link(build.program, [main], "-pie", also=[build.object("plain.c", "-fPIE"), archive])
    build.linked[-1][1].extend(others)


def partial(build):
    main, *others = build.objects("-fPIE")
    joined = build.folder / "joined.o"
    toolbox.quietly([build.compilers[0].cxx, f"-fuse-ld={build.linker}", "-r", *others, "-o", joined])
    build.link(build.program, [main, joined], "-pie", also=[build.object("plain.c", "-fPIE")])


FORMS = {
    "pie": executable("-fPIE", "-pie"),
    "no-pie": executable("-fno-pie", "-no-pie"),
    "static": static("-fno-pie", "-static"),
    "static-pie": static("-fPIE", "-static-pie"),
    "shared": shared,
    "loaded": loaded,
    "archive": archived,
    "partial": partial,
}


def row_problems(build, folded=False, dropped=(), lto=False, renamed=False):
    """`dropped`: functions that the linker had to drop from the program; `lto`: the objects' own rows say nothing about the link's."""
    found = []
    for path, objects in build.linked:
        linked = rows.objects.Object(path)
        found += [f"{path.name}: {fault}" for fault in
                  rows.faults(linked, folded, WEAK, renamed, None if lto else rows.padding_of(objects))]
        least, most = (0, 0) if lto else rows.rows_expected(objects)
        if not dropped and not lto and not least <= len(linked.rows) <= most:
            found.append(f"{path.name}: {len(linked.rows)} rows, its objects have {least} to {most}")
        if (most or lto) and not linked.rows:
            found.append(f"{path.name}: no rows")
        if any(name.startswith(".rela.prof") for name in linked.sections):
            found.append(f"{path.name}: rows have relocations")
        found += [f"{path.name}: {function['name']} is still there" for function in linked.functions
                  if path == build.program and any(name in function["name"] for name in dropped)]
    return found
