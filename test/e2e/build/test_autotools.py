#!/usr/bin/env python3
"""test_autotools.py --prefix PREFIX [--every] - ./configure with the flag, libtool's libraries, and -flto with GCC."""
import shutil

import building

FLAG = "-fplugin=prof.so"


def configured(installed, source, folder, *variables):
    folder.mkdir()
    installed.run([source / "configure", "--disable-static", f"--prefix={folder}/installed", *variables], folder)
    installed.run(["make", "install"], folder)
    return folder / "installed" / "bin"


def test(installed, compiler, folder):
    source = folder / "source"
    shutil.copytree(building.HERE / "autotools", source)
    shutil.copytree(building.HERE / "sources", source / "sources")
    installed.run(["autoreconf", "-i"], source)
    here = configured(installed, source, folder / "plain", f"CC={compiler.c}", f"CXX={compiler.cxx}",
                      f"CFLAGS=-g -O0 {FLAG}", f"CXXFLAGS=-g -O0 {FLAG}")
    building.calls_differ("app", installed.recorded("./app", here), building.CALLS)

    if not installed.every or compiler.family != "gcc":
        return
    # GCC makes functions at the link, where libtool leaves such a flag out: as part of the compiler's name it stays.
    here = configured(installed, source, folder / "lto", f"CC={compiler.c} {FLAG}", f"CXX={compiler.cxx} {FLAG}",
                      "CFLAGS=-g -O2 -flto", "CXXFLAGS=-g -O2 -flto")
    calls = installed.recorded("./app", here)
    assert calls.get("main") == 1 and calls.get("piece_twice") == 10, calls


building.need("autoreconf", "automake", "libtoolize", "make")
building.main("autotools", test, families=("gcc",))  # a configure script starts hundreds of processes
