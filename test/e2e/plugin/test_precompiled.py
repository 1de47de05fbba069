#!/usr/bin/env python3
"""Precompiled headers and C++20 modules: their functions have probes where they are used or compiled, and the places of their source."""
import objects
import setting

HEADER = """\
#ifndef HEADER_H
#define HEADER_H
__attribute__((noinline)) static int from_header(int x) { return x * 3 + 1; }
template <typename kind> __attribute__((noinline)) kind from_template(kind x) { return x + 2; }
#endif
"""
USER = """\
__attribute__((noinline)) int own(int x) { return from_header(x) + from_template(x); }
int main() { return own(1) - 7; }
"""
MODULE = """\
export module maths;
export __attribute__((noinline)) int tripled(int x) { return x * 3; }
export template <typename kind> __attribute__((noinline)) kind raised(kind x) { return x + 2; }
"""
IMPORTER = """\
import maths;
__attribute__((noinline)) int own(int x) { return tripled(x) + raised(x); }
int main() { return own(1) - 6; }
"""
HEADER_PLACES = {"from_header": ("header.h", 3), "from_template": ("header.h", 4), "own": ("user.cc", 1), "main": ("user.cc", 2)}
MODULE_PLACES = {"tripled": ("maths.cc", 2), "raised": ("maths.cc", 3), "own": ("importer.cc", 2), "main": ("importer.cc", 3)}
FLAGS = ["-g", "-O1"]


def simple(mangled, names):
    own = not mangled.startswith("_GLOBAL_")  # start-up code of a unit is named after its first function
    return next((name for name in names if own and (f"{len(name)}{name}" in mangled or name == mangled)), None)


def problems_of(program, expected):
    """`expected`: function -> (file, line).  What a compiler makes besides (start-up code of modules) is not looked at."""
    linked = objects.Object(program)
    places = {}
    for function in linked.functions:
        name = simple(function["name"], expected)
        if name:
            places[name] = (function["file"].rsplit("/", 1)[-1], function["line"])
    yield from objects.faults(linked)
    if places != expected:
        yield f"functions: {places}"
    status = setting.run([program])[0]
    if status:
        yield f"the program ends with {status}"


def header(tally, compiler, probed):
    """`probed`: the header is precompiled with the plugin too, as a build system does that gives all the same flags."""
    folder = tally.folder / f"header-{compiler}-{probed}"
    folder.mkdir()
    (folder / "header.h").write_text(HEADER)
    (folder / "user.cc").write_text(USER)
    precompiled = "header.h.pch" if setting.is_clang(compiler) else "header.h.gch"
    command = [setting.cxx(compiler), *FLAGS]
    problem = setting.compiled([*command, *(tally.flags() if probed else []), "-x", "c++-header", "header.h", "-o", precompiled], folder)
    if problem:
        return [problem]
    include = ["-include-pch", precompiled]
    if not setting.is_clang(compiler):
        include = ["-include", "header.h"]
        (folder / "header.h").unlink()  # GCC would read it instead, in silence; Clang wants to see that it hasn't changed
    problem = setting.compiled([*command, *tally.flags(), *include, "user.cc", "-o", "user"], folder)
    return [problem] if problem else [*problems_of(folder / "user", HEADER_PLACES)]


def module_commands(compiler, plugin):
    """Commands that compile maths.cc and its importer; Clang in one step and in two."""
    base = [setting.cxx(compiler), "-std=c++20", *FLAGS]
    if not setting.is_clang(compiler):
        base += ["-fmodules-ts", *plugin, "-c"]
        return {"one step": [[*base, "maths.cc"], [*base, "importer.cc"]]}
    # Until Clang 15 a file of a module has no name in front.
    file = "-fmodule-file=maths.pcm" if int(compiler.split("-")[1]) < 16 else "-fmodule-file=maths=maths.pcm"
    interface = [*base, "-x", "c++-module", "--precompile", "maths.cc", "-o", "maths.pcm"]
    importer = [*base, *plugin, file, "-c", "importer.cc"]
    return {
        "from the module's file": [[*interface, *plugin], [*base, *plugin, "-c", "maths.pcm"], importer],
        "module's file without the plugin": [interface, [*base, *plugin, "-c", "maths.pcm"], importer],
        "from the source": [interface, [*base, *plugin, "-x", "c++-module", "-c", "maths.cc"], importer],
    }


def modules(tally, compiler):
    for way, commands in module_commands(compiler, tally.flags()).items():
        folder = tally.folder / f"{compiler}-{way}"
        folder.mkdir()
        (folder / "maths.cc").write_text(MODULE)
        (folder / "importer.cc").write_text(IMPORTER)
        link = [setting.cxx(compiler), "importer.o", "maths.o", "-o", "importer"]
        problems = [problem for problem in (setting.compiled(command, folder) for command in [*commands, link]) if problem]
        tally.check(f"{compiler} C++20 module, {way}", problems or problems_of(folder / "importer", MODULE_PLACES))


def main():
    tally = setting.start()
    for compiler in tally.compilers():
        for probed in (False, True):
            tally.check(f"{compiler} header, {'with' if probed else 'without'} the plugin", header(tally, compiler, probed))
        modules(tally, compiler)
    tally.finish()


if __name__ == "__main__":
    main()
