#!/usr/bin/env python3
"""Programs of one unit: attributes and kinds of functions, bodies that OpenMP makes, profiles, stacks that are split."""
import os
import pathlib

import calls
import forms
import rows
import toolbox

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -flto")


def single(box, folder, compiler, source, compile_flags, link_flags=(), linker="bfd"):
    """Builds, runs and records one source; the calls that it prints are those recorded."""
    path = toolbox.PROGRAMS / source
    command = [compiler.driver(source), f"-fuse-ld={linker}", "-g", *compile_flags, *link_flags, *forms.UNPADDED[compiler.kind], path]
    build = forms.Build(box, folder, [compiler], linker)
    status, _, errors = toolbox.run([*command, "-o", folder / "plain"])
    if status:
        return f"{compiler.name} {' '.join(compile_flags)} makes no {source}: {errors.splitlines()[-1][:90]}"
    plain = toolbox.run([folder / "plain"])
    toolbox.quietly([*command, *box.plugin_flags(), "-o", build.program], folder)
    problems = rows.faults(rows.objects.Object(build.program), renamed="-flto" in compile_flags)
    problems += calls.run_problems(build, plain[1])
    if problems or plain[0]:
        raise toolbox.Wrong("\n".join(problems[:12]))
    return None


def openmp(compiler):
    """Flags.  Only one version of LLVM's runtime can be installed; it serves the compilers of all."""
    found = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so"))
    own = toolbox.run([compiler.name, "-print-file-name=libomp.so"])[1].strip()
    borrowed = compiler.kind == "clang" and found and not os.path.isabs(own)
    return ["-fopenmp", *([f"-L{found[-1].parent}"] if borrowed else [])]


def attributes(box, folder, compiler, flags):
    stack = ["-Wl,-z,execstack"] if compiler.kind == "gcc" else [] # nested functions whose address is taken
    linker = "lld" if compiler.kind == "clang" and "-flto" in flags else "bfd"
    own = [f"--ld-path={compiler.own_lld}"] if linker == "lld" else []
    return single(box, folder, compiler, "attributes.c", [*flags, "-fcf-protection"], [*stack, *own], linker)


def main():
    box = toolbox.Toolbox(("--all", "every compiler at every level; else the newest of each kind at -O2"))
    for compiler in box.compilers:
        newest = compiler is box.of_kind(compiler.kind)[-1]
        if not newest and not box.options.all:
            continue
        for level in LEVELS if box.options.all else ("-O2",):
            box.case(f"{compiler.name} {level} attributes", attributes, compiler, level.split())
            if "-flto" not in level:
                box.case(f"{compiler.name} {level} OpenMP", single, compiler, "parallel.c", level.split(), openmp(compiler))
    box.finish()


if __name__ == "__main__":
    main()
