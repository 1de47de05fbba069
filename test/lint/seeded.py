#!/usr/bin/env python3
"""The lint tests themselves: each finds the fault that is planted for it in a small made-up tree."""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LAYERS = "prof_layer(base)\n", "prof_layer(trace NEEDS base)\n"
LONG = "int f(int x) {\n" + "  x++;\n" * 70 + "  return x;\n}\n"
# test (before a comma) -> files with a fault, and the text that its report must contain
PLANTED = {
    "layers": ({"tools/base/CMakeLists.txt": LAYERS[0], "tools/trace/CMakeLists.txt": LAYERS[1],
                "tools/trace/read.h": "", "tools/base/up.c": '#include "trace/read.h"\n'}, "tools/base/up.c:1:"),
    "layers, circle": ({"tools/base/CMakeLists.txt": LAYERS[0], "tools/base/a.h": '#include "base/room/b.h"\n',
                        "tools/base/room/b.c": '#include "base/a.h"\n', "tools/base/room/b.h": ""},
                       "tools/base/a: files in a circle: tools/base/a -> tools/base/room/b -> tools/base/a\n"),
    "lengths": ({"a/long.c": LONG}, "a/long.c:1: a function of 73 lines"),
    "folders": ({"a/b.c": "int b;\n"}, "a: no README.md"),
    "private": ({"a.md": "see /" + "home/me/x\n"}, "a.md:1:"),
    "layout": ({"a.c": "int  f( void ) {return 1 ;}\n"}, "a.c:1"),
    "majors": ({"plugin-gcc/CMakeLists.txt": "set(PROF_GCC_MAJORS 11 12 CACHE\n", "scripts/packages/gcc-majors.txt": "12\n",
                "plugin-clang/CMakeLists.txt": "set(PROF_CLANG_MAJORS 14 CACHE\n", "scripts/packages/clang-majors.txt": "14\n",
                "scripts/packages/compilers.txt": "gcc-12\ng++-12\ngcc-12-plugin-dev\nclang-14\nlibclang-14-dev\n"},
               "compilers.txt:1: llvm-14-dev is missing"),
    "named_tests": ({"a.md": "held by `unit.test_that_is_absent`\n"}, "a.md:1: there is no test unit.test_that_is_absent"),
    "links": ({"a.md": "[x](absent.md)\n"}, "a.md:1: leads nowhere"),
    "tags": ({"include/a.h": "struct prof_x {\n", "tools/a.h": "struct prof_x { /* another */\n"},
             "struct prof_x is defined twice: include/a.h:1, tools/a.h:1"),
    "prose": ({"docs/a.md": "Short.\n" + "word " * 31 + "end.\n", "tools/a.c": 'char *a = "%u light slices";\n'},
              'tools/a.c:1: say "sparse-clock interval", not "light slices"\n'),
}


def run(test, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, "-B", HERE / f"{test}.py"], capture_output=True, text=True, check=False,
                              env={**os.environ, "PROF_LINT_ROOT": folder})


def main():
    faults = []
    for test, (files, expected) in PLANTED.items():
        result = run(test.split(",")[0], files)
        if result.returncode != 77 and (result.returncode != 1 or expected not in result.stdout):
            faults.append(f"{test}: status {result.returncode}, printed:\n{result.stdout}{result.stderr}")
    print("\n".join([*faults, f"{len(PLANTED)} planted faults, {len(faults)} not found as they should be"]))
    return 1 if faults else 0


sys.exit(main())
