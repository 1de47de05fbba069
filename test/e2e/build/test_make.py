#!/usr/bin/env python3
"""test_make.py --prefix PREFIX [--every] - a makefile's CFLAGS: the bare flag, pkg-config's words, and a static program."""
import shutil

import building


def made(installed, compiler, folder, flags):
    installed.run(["make", f"CC={compiler.c}", f"CXX={compiler.cxx}", f"CFLAGS=-g -O0 {flags}", f"CXXFLAGS=-g -O0 {flags}"],
                  folder)
    return installed.recorded("./app", folder)


def pkg_config(installed, folder, *arguments):
    return installed.run(["pkg-config", *arguments, "prof"], folder).split()


def test(installed, compiler, folder):
    shutil.copytree(building.HERE / "sources", folder / "sources")
    for name, flags in (("bare", "-fplugin=prof.so"), ("pkgconf", " ".join(pkg_config(installed, folder, "--cflags")))):
        shutil.copytree(building.HERE / "make", folder / name)
        building.calls_differ(name, made(installed, compiler, folder / name, flags), building.CALLS)

    # An argument after pkg-config's flag, and all in one static program.
    sources = [folder / "sources" / name for name in ("main.c", "part.c")]
    installed.run([compiler.c, "-g", "-O0", *pkg_config(installed, folder, "--cflags"), "-fplugin-arg-prof-exclude=part_*",
                   "-c", *sources], folder)
    installed.run([compiler.cxx, "-g", "-O0", *pkg_config(installed, folder, "--cflags"), "-c", folder / "sources" / "piece.cc"],
                  folder)
    installed.run([compiler.cxx, "-static", "main.o", "part.o", "piece.o", *pkg_config(installed, folder, "--static", "--libs"),
                   "-o", "alone"], folder)
    expected = {name: calls for name, calls in building.CALLS.items() if name != "part_add"}
    building.calls_differ("alone", installed.recorded("./alone", folder), expected)


building.need("make", "pkg-config")
building.main("make", test)
