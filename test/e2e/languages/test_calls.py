#!/usr/bin/env python3
"""test_calls.py --prof PROF --plugin PLUGIN --runtime-folder DIR --library-folder DIR [--level -O0] [--program NAME]

The programs of the matrix, compiled with -finstrument-functions and linked with -lprof instead of with the plugin: the
same call trees, output, status and counts.  OTHERWISE says what a compiler without our landings can't tell.
"""
import argparse
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "matrix"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import axes  # noqa: E402
import cells  # noqa: E402
import slices  # noqa: E402
import trees  # noqa: E402

# program -> compiler families left out, and why.
OTHERWISE = {
    "ifunc": (("gcc", "clang"), "a resolver that calls a hook runs before the hook's address is known"),
    "tail_calls": (("gcc", "clang"), "the exit hook is called after the call: nothing is a tail call"),
    "tail_deep": (("gcc", "clang"), "the same, 100 million deep"),
    "coroutines": (("gcc", "clang"), "the compiler's own parts of a coroutine have hooks too"),
    "weak": (("gcc", "clang"), "functions are known by the symbol table, which has several names for one address"),
    "signals": (("gcc", "clang"), "a handler that was left by siglongjmp on a stack of its own isn't seen to be gone at once"),
    "unprobed_frame": (("gcc", "clang"), "the hooks tell more: a frame that was unwound is gone when a destructor of an outer one runs"),
    "forced": (("clang",), "clang calls no exit hook while a stack is unwound by force"),
}

FEW = ("recursion", "jumps", "exceptions", "threads", "fork", "libraries")


class Called(cells.Cell):
    """As a cell of the matrix, with hooks where that has probes."""
    library_folder = None

    def check_axes(self):
        families, why = OTHERWISE.get(self.cell.program, ((), ""))
        if self.cell.compiler.family in families:
            raise cells.Skip(f"{self.cell.program} with {self.cell.compiler.family}: {why}")
        super().check_axes()

    def flags(self, probed):
        flags = [flag for flag in super().flags(probed) if not flag.startswith("-fplugin")]
        return flags + (["-finstrument-functions"] if probed else [])

    def compile(self, sources, output, flags, probed):
        library = ["-L", self.library_folder, "-Wl,-rpath," + str(self.library_folder), "-lprof"] # behind what needs it
        super().compile([*sources, *(library if probed and "-shared" not in flags else [])], output, flags, probed)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--prof", "--plugin", "--runtime-folder", "--library-folder"):
        parser.add_argument(name, required=True)
    parser.add_argument("--level", default="-O0")
    parser.add_argument("--program", help="only this one, and its folder is kept")
    parser.add_argument("--few", action="store_true", help="the programs of FEW, with the newest compiler of each family")
    return parser.parse_args()


def main():
    options = arguments()
    setting = cells.Setting(options.prof, options.plugin, options.runtime_folder)
    Called.library_folder = pathlib.Path(options.library_folder).resolve()
    compilers, missing = axes.compilers(setting.plugin.parent)
    if options.few:
        compilers = [each for each in compilers if each.name in slices.newest([one.name for one in compilers])]
    counts, work = {}, pathlib.Path(tempfile.mkdtemp(prefix="prof-calls-"))
    for program in [options.program] if options.program else FEW if options.few else axes.programs():
        for compiler in compilers:
            folder = work / f"{program}-{compiler.name}"
            folder.mkdir()
            outcome = Called(setting, axes.Cell(program, compiler, options.level, "no", "exe"), folder).outcome()
            counts.setdefault(outcome.kind, []).append(program)
            for text in outcome.texts:
                print(f"{outcome.kind} {program} {compiler.name}: {text}")
    if options.program:
        print(work)
    else:
        shutil.rmtree(work, ignore_errors=True)
    for why in missing:
        print(f"skipped: {why}")
    print(", ".join(f"{len(counts.get(kind, []))} {kind}" for kind in (cells.PASSED, cells.FAILED, cells.SKIPPED)))
    if not counts.get(cells.PASSED):
        sys.exit(77 if not counts.get(cells.FAILED) else 1)
    sys.exit(1 if counts.get(cells.FAILED) else 0)


main()
