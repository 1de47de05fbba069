"""test_apart.py TOOL COMPILER: debug information that is missing, or belongs to something else: said, never used."""
import os
import pathlib
import subprocess
import sys
import tempfile

import forms
import oracle


def build(compiler, folder, name, *flags):
    forms.run(compiler, "-g", "-O2", *flags, forms.PROGRAMS / "parts.c", "-c", "-o", f"{name}.o", cwd=folder)
    forms.run(compiler, "-shared", "-Wl,--build-id", f"{name}.o", "-o", f"{name}.so", cwd=folder)
    return folder / f"{name}.so"


def function(module, name):
    line = next(line for line in forms.run("nm", module).splitlines() if line.split()[-1] == name)
    return int(line.split()[0], 16)


def strip(module, *more):
    forms.run("strip", "--strip-debug", *more, module)


def main():
    tool, compiler = sys.argv[1:3]
    faults = []

    def check(name, module, address, wanted, facts_wanted, roots=None):
        (chain, _), = oracle.ask_ours(tool, module, [address], roots)[0]
        facts = oracle.ask_ours(tool, module, [address], roots)[1]
        got = (chain[0].function, pathlib.PurePosixPath(chain[0].file).name) if chain else None
        if got != wanted or facts_wanted not in facts:
            faults.append(f"{name}: wanted {wanted} and '{facts_wanted}', got {got} and '{facts}'")

    with tempfile.TemporaryDirectory(prefix="prof-apart-") as folder:
        folder = pathlib.Path(folder).resolve()
        module = build(compiler, folder, "one", "-fPIC")
        address = function(module, "part_work")
        check("in the module", module, address, ("part_work", "parts.c"), "origin 1")

        linked = folder / "linked.so"
        linked.write_bytes(module.read_bytes())
        forms.run("objcopy", "--only-keep-debug", linked, folder / "linked.debug")
        strip(linked)
        forms.run("objcopy", "--add-gnu-debuglink=linked.debug", linked.name, cwd=folder)
        check("by its link", linked, address, ("part_work", "parts.c"), "origin 3")
        with open(folder / "linked.debug", "ab") as file:
            file.write(b"x")
        check("a link to a file with another checksum", linked, address, ("part_work", "-"), "origin 0, -, 0 of 0")

        digits = forms.run("readelf", "-n", module).split("Build ID: ")[1].split()[0]
        root = folder / "root"
        place = root / ".build-id" / digits[:2] / f"{digits[2:]}.debug"
        place.parent.mkdir(parents=True)
        strip(module)
        other = build(compiler, folder, "two", "-fPIC", "-DOTHER", "-O1")
        place.write_bytes(other.read_bytes())
        check("a debug file with another build id", module, address, ("part_work", "-"), "origin 0", root)
        check("no debug information", module, address, ("part_work", "-"), "origin 0, -, 0 of 0 units read, 0 split")

        split = build(compiler, folder, "three", "-fPIC", "-gsplit-dwarf")
        address = function(split, "part_work")
        check("split", split, address, ("part_work", "parts.c"), "0 split units missing")
        for part in folder.glob("*.dwo"):
            os.remove(part)
        check("its .dwo is gone: lines without inlined calls", split, address, ("part_work", "parts.c"),
              "1 split units missing")

        (folder / "not.so").write_text("#!/bin/sh\n")
        refused = subprocess.run([tool, folder / "not.so"], capture_output=True, text=True)
        if refused.returncode != 1 or "not" not in refused.stderr:
            faults.append(f"a script: {refused}")
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
