#!/usr/bin/env python3
"""Programs of one unit: attributes and kinds of functions, bodies that OpenMP makes, profiles, stacks that are split."""
import os
import pathlib

import calls
import forms
import rows
import toolbox

LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -flto")


def lost_row(box, folder, compiler):
    """A sled without its row is found, also where it ends as the padding of a loop does."""
    made, bare, program = folder / "unit.o", folder / "bare.o", folder / "program"
    flags = ["-O2", "-fcf-protection", *forms.UNPADDED[compiler.kind], *box.plugin_flags()]
    toolbox.quietly([compiler.name, *flags, "-c", toolbox.PROGRAMS / "attributes.c", "-o", made], folder)
    toolbox.quietly(["objcopy", f"--remove-section={rows.ROWS}", made, bare])
    toolbox.quietly([compiler.name, "-Wl,-z,execstack", bare, "-o", program])
    expected, _ = rows.rows_expected([made])
    found = sum(fault.startswith("scan: ") and fault.endswith("has no row") for fault in
                rows.faults(rows.objects.Object(program), padding=rows.padding_of([made])))
    if not expected or found != expected:
        raise toolbox.Wrong(f"{found} of {expected} sleds without rows were found")


def single(box, folder, compiler, source, compile_flags, link_flags=(), linker="bfd"):
    """Builds, runs and records one source; the calls that it prints are those recorded."""
    path = toolbox.PROGRAMS / source
    flags = ["-g", *compile_flags, *forms.UNPADDED[compiler.kind]]
    link = [compiler.driver(source), f"-fuse-ld={linker}", *flags, *link_flags]
    build = forms.Build(box, folder, [compiler], linker)
    status, _, errors = toolbox.run([*link, path, "-o", folder / "plain"])
    if status:
        return f"{compiler.name} {' '.join(compile_flags)} makes no {source}: {errors.splitlines()[-1][:90]}"
    plain = toolbox.run([folder / "plain"])
    made = folder / "unit.o"
    toolbox.quietly([compiler.driver(source), *flags, *box.plugin_flags(), "-c", path, "-o", made], folder)
    toolbox.quietly([*link, *box.plugin_flags(), made, "-o", build.program], folder)
    lto = "-flto" in compile_flags
    problems = rows.faults(rows.objects.Object(build.program), renamed=lto, padding=None if lto else rows.padding_of([made]))
    problems += calls.run_problems(build, plain[1])
    if problems or plain[0]:
        raise toolbox.Wrong("\n".join(problems[:12]))
    return None


def openmp(compiler):
    """Flags of compilation, of the link.  Only one version of LLVM's runtime can be installed; it serves the compilers of all."""
    found = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so"))
    own = toolbox.run([compiler.name, "-print-file-name=libomp.so"])[1].strip()
    borrowed = compiler.kind == "clang" and found and not os.path.isabs(own)
    return ["-fopenmp"], [f"-L{found[-1].parent}"] if borrowed else []


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
        box.case(f"{compiler.name} lost rows", lost_row, compiler)
        for level in LEVELS if box.options.all else ("-O2",):
            box.case(f"{compiler.name} {level} attributes", attributes, compiler, level.split())
            if "-flto" not in level:
                flags, link_flags = openmp(compiler)
                box.case(f"{compiler.name} {level} OpenMP", single, compiler, "parallel.c", [*level.split(), *flags], link_flags)
    box.finish()


if __name__ == "__main__":
    main()
