#!/usr/bin/env python3
"""prof.h: links and does nothing without the plugin, whatever the compiler and linker; does its work with it."""
import itertools
import shutil

import run

options = run.arguments()
faults = run.Faults()
program = faults.folder / "api"
compilers = [name for name in ("gcc-11", "gcc-12", "gcc", "clang-14", "clang") if shutil.which(name)]
linkers = [name for name, found in (("bfd", "ld.bfd"), ("gold", "ld.gold"), ("lld", "ld.lld")) if shutil.which(found)]
kinds = (("-fno-pie", "-no-pie"), ("-fPIE", "-pie"), ("-O0",), ("-static",), ("-xc++",))

for compiler, linker, kind in itertools.product(compilers, linkers, kinds):
    what = f"without plugin: {compiler} {linker} {' '.join(kind)}"
    built = run.build(options, "api.c", program, f"-fuse-ld={linker}", "-Wall", "-Wextra", "-Werror", *kind,
                      compiler=compiler, plugin=False)
    if built.returncode != 0:
        faults.check(what, False, built.stderr)
        continue
    result = run.run([program])
    faults.check(what, result.stdout == "recorded 0\n" and result.returncode == 0, result.stdout + str(result.returncode))

for kind in (("-O0",), ("-O2",), ("-O2", "-fno-pie", "-no-pie"), ("-O2", "-flto")):
    what = f"with plugin: {' '.join(kind)}"
    built = run.build(options, "api.c", program, "-Wall", "-Werror", *kind)
    faults.check(f"{what}: compiles", built.returncode == 0, built.stderr)
    off = run.run([program])
    faults.check(f"{what}: off", off.stdout == "recorded 0\n", off.stdout)
    data = faults.folder / "data"
    on = run.run([options.prof, "record", "-o", data, program])
    faults.check(f"{what}: on", on.stdout == "recorded 500\n", on.stdout + on.stderr)
    calls = run.report(options, data)
    faults.check(f"{what}: counts", calls.get("counted") == 500, calls)
    faults.check(f"{what}: leaves out", "uncounted" not in calls, calls)
faults.finish()
