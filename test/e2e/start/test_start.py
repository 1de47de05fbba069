#!/usr/bin/env python3
"""`prof PROGRAM` alone, and `prof config` as flags, in a shell and in a CMake project."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
APP = """
#include <stdio.h>
__attribute__((noinline)) static int step(int n) { return n * 3 % 7; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += step(i);
  printf("sum %d\\n", sum);
  fprintf(stderr, "words of the program\\n");
  return 5;
}
"""


class Start:
    def __init__(self, folder):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", type=pathlib.Path, required=True)
        parser.add_argument("--compiler", required=True)
        parser.add_argument("--cmake", required=True)
        self.options = parser.parse_args()
        self.folder = pathlib.Path(folder)
        (self.folder / "app.c").write_text(APP)

    def run(self, *words, expect=0, **more):
        result = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, timeout=400, **more)
        assert result.returncode == expect, f"{words}: status {result.returncode}\n{result.stdout}{result.stderr}"
        return result

    def prof(self, *words, **more):
        return self.run(self.options.prof, *words, **more)


def program_alone(start):
    flags = start.prof("config", "--cflags").stdout.split()
    start.run(start.options.compiler, "-g", "-O1", *flags, "app.c", "-o", "app")
    result = start.prof("./app", expect=5)
    assert result.stdout.startswith("sum 297\n"), result.stdout
    rows = {line.split()[-1]: line.split()[0] for line in result.stdout.splitlines() if line.strip()[:1].isdigit()}
    assert rows["step"] == "100" and rows["main"] == "1", result.stdout
    assert "words of the program\n" in result.stderr and "prof: 204 events" in result.stderr, result.stderr  # two of main's loop
    return rows


def nothing_new_is_not_reported(start):
    """prof.data is still there from the run before."""
    result = start.prof("./no-such-program", expect=127)
    assert "step" not in result.stdout and "no-such-program" in result.stderr
    start.run(start.options.compiler, "app.c", "-o", "plain")
    result = start.prof("./plain", expect=5)
    assert result.stdout == "sum 297\n", result.stdout
    assert "not compiled with the plugin" in result.stderr


def in_a_shell(start):
    script = (f'eval "$({start.options.prof} config --env)" && {start.options.compiler} -O1 -fplugin=prof.so app.c -o by-name'
              " && prof record -o shell.data ./by-name; prof report -i shell.data -F step --format=csv")
    rows = start.run("sh", "-c", script).stdout.splitlines()
    assert rows[1].startswith("name,") and rows[2].split(",")[4] == "100", rows


def linked_statically(start):
    """As the line says that stands where such a program was linked without the runtime."""
    build = (f"{start.options.compiler} -static -O1 $({start.options.prof} config --cflags) app.c", "-o static")
    start.run("sh", "-c", " ".join(build))
    assert "`prof config --static`" in start.prof("record", "-o", "none.data", "./static", expect=5).stderr
    start.run("sh", "-c", f"{build[0]} $({start.options.prof} config --static) {build[1]}")
    assert "prof: 204 events" in start.prof("record", "-o", "static.data", "./static", expect=5).stderr


def places_are_told(start):
    told = dict(line.split(maxsplit=1) for line in start.prof("config").stdout.splitlines())
    assert start.prof("config", "--cflags").stdout.strip() == f"-fplugin={told['plugin']}", told
    assert told["backends"] != "none" and "/" in told["runtime"] and "/" in told["prof"], told


def in_cmake(start):
    lines = start.prof("config", "--cmake").stdout
    project = start.folder / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.16)\nproject(app C)\n" + lines +
                                            "add_executable(app ../app.c)\n")
    environment = {**os.environ, "CC": start.options.compiler}
    start.run(start.options.cmake, "-S", "project", "-B", "made", env=environment)
    start.run(start.options.cmake, "--build", "made")
    assert "prof: 204 events" in start.prof("record", "-o", "cmake.data", "made/app", expect=5).stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        start = Start(folder)
        known = subprocess.run([start.options.prof, "config", "--cflags", f"--compiler={start.options.compiler}"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if known.returncode:
            print("skipped: " + known.stderr.strip())
            return SKIPPED
        program_alone(start)
        nothing_new_is_not_reported(start)
        in_a_shell(start)
        linked_statically(start)
        places_are_told(start)
        in_cmake(start)
    return 0


sys.exit(main())
