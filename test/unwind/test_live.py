"""test_live.py TOOL [STOPS STEPS]: stacks of shapes.cpp, by every compiler installed and all options, against libunwind's.

A program is stopped STOPS times at random and goes on by STEPS single instructions each time; all stacks but one in 200
have to be equal.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import slices  # noqa: E402

COMPILERS = [name for name in [*(f"g++-{major}" for major in range(9, 17)), *(f"clang++-{major}" for major in range(13, 24))]
             if shutil.which(name)]
OPTIONS = {
    "O0": "-O0",
    "O2": "-O2",
    "O3": "-O3 -march=x86-64-v2",
    "frame pointer": "-O2 -fno-omit-frame-pointer",
    "Os": "-Os",
    "realigned": "-O2 -mstackrealign",
    "static": "-O2 -static -Wl,--eh-frame-hdr",
    "no PIE, lazy": "-O2 -no-pie -fno-pie -Wl,-z,lazy",
    "O1": "-O1 -g",
    "LTO": "-O2 -flto",
}
THREAD = {"O2", "static"}


def main(tool, stops="20", steps="5"):
    failed = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "shapes"
        for compiler in COMPILERS:
            for name, options in slices.turn(OPTIONS.items(), compiler, 2):
                command = [compiler, *options.split(), HERE / "shapes.cpp", "-pthread", "-o", program]
                if subprocess.run(command, capture_output=True).returncode:
                    print(f"{compiler} {name}: not built")
                    continue
                for threaded in [False, True] if name in THREAD else [False]:
                    environment = {"UNWIND_TID": "last"} if threaded else {}
                    arguments = ["thread"] if threaded else []
                    done = subprocess.run([tool, stops, steps, program, *arguments], env=environment, capture_output=True, text=True,
                                          timeout=600)
                    print(f"{compiler} {name}{' thread' if threaded else ''}: {done.stdout.strip()}", flush=True)
                    tried += 1
                    failed += done.returncode != 0
    print(f"{tried} programs, {failed} differ")
    sys.exit(0 if tried and not failed else 1)


main(*sys.argv[1:])
