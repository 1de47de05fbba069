"""test_big.py TOOL SPEED [MEGABYTES]: 5,000 addresses of programs over 40 MB (or so many), GCC and
Clang, DWARF 4 and 5, against llvm-symbolizer."""
import pathlib
import random
import subprocess
import sys
import tempfile

import forms
import oracle

SKIP, ADDRESSES, LEAST_BYTES, MOST_PARTS = 77, 5000, 40_000_000, 16


def build(compiler, version, folder, least):
    """A library over 40 MB, part by part."""
    objects, size = [], 0
    for part in range(MOST_PARTS):
        target = folder / f"{part}.o"
        forms.run(compiler.cxx, "-std=c++17", "-g", f"-gdwarf-{version}", "-O2", "-fPIC", f"-DPART={part}", "-c",
                  forms.PROGRAMS / "big.cc", "-o", target)
        objects.append(target)
        size += target.stat().st_size
        if size > 1.3 * least:
            module = folder / "big.so"
            forms.run(compiler.cxx, "-shared", *objects, "-o", module)
            if module.stat().st_size > least:
                return module
    raise RuntimeError(f"{compiler.name}: {MOST_PARTS} parts are less than {least} bytes")


def draw(module):
    sections = oracle.code_sections(module)
    random.seed(len(sections))
    total = sum(size for _, size in sections)
    addresses = []
    for place in random.sample(range(total), ADDRESSES):
        for address, size in sections:
            if place < size:
                addresses.append(address + place)
                break
            place -= size
    return addresses


def main():
    tool, speed = sys.argv[1:3]
    least = int(sys.argv[3]) * 1_000_000 if len(sys.argv) > 3 else LEAST_BYTES
    symbolizer, failed, tried = oracle.symbolizer(), 0, 0
    if symbolizer is None:
        print("no llvm-symbolizer")
        sys.exit(SKIP)
    for family in ("gcc", "clang"):
        name = forms.newest(family)
        for version in (4, 5) if name else ():
            with tempfile.TemporaryDirectory(prefix="prof-big-") as folder:
                module = build(forms.Compiler(name), version, pathlib.Path(folder), least)
                addresses = draw(module)
                ours, facts = oracle.ask_ours(tool, module, addresses)
                theirs = oracle.ask_llvm(symbolizer, module, addresses)
                counts, examples = oracle.compare(ours, theirs, addresses, oracle.Names(module))
                inlined = sum(len(chain) > 1 for chain in theirs)
                print(f"{name}, DWARF {version}, {module.stat().st_size / 1e6:.0f} MB: {dict(counts)}, "
                      f"{inlined} with inlined calls")
                for example in examples[:5]:
                    print("  ", *example)
                print("  ", subprocess.run([speed, module], capture_output=True, text=True).stdout.strip(), flush=True)
                tried += 1
                failed += counts["file"] > 0 or counts["equal"] < 0.995 * ADDRESSES or "damaged" in facts
    sys.exit(1 if failed else 0 if tried else SKIP)


main()
