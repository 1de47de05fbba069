"""What the tests of build systems share: compilers with a backend, an installed prof, recordings and their calls."""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIP = 77
# What sources/ does when nothing is inlined.
CALLS = {"main": 1, "part_add": 10, "piece_twice": 10, "int twice<int>(int)": 10}


class Compiler:
    """One of GCC's or Clang's majors: the commands for each language, empty where there is none."""

    def __init__(self, family, major):
        names = {"gcc": ("gcc", "g++", "gfortran"), "clang": ("clang", "clang++", "gfortran")}[family]
        self.family, self.name = family, f"{family}-{major}"
        self.c, self.cxx = (f"{name}-{major}" for name in names[:2])
        fortran = f"gfortran-{major}"
        self.fortran = fortran if family == "gcc" and shutil.which(fortran) else ""

    def is_here(self):
        return bool(shutil.which(self.c) and shutil.which(self.cxx))


class Installed:
    """The prof of a prefix, and an environment in which it and its plugin are found by name."""

    def __init__(self, prefix, every, families):
        self.prefix, self.every, self.families = prefix, every, families
        self.library = next(prefix.rglob("libprof-plugin.so")).parent
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("PROF_", "CCACHE", "CFLAGS", "CXXFLAGS", "LDFLAGS", "CMAKE_"))}
        self.environment.update(PATH=f"{prefix}/bin:{os.environ['PATH']}", LD_LIBRARY_PATH=str(self.library),
                                PKG_CONFIG_PATH=f"{self.library}/pkgconfig", LC_ALL="C")

    def compilers(self):
        """Those with a backend; unless every one is wanted, the newest of some families, or of those that are here."""
        found = []
        for backend in self.library.glob("prof/prof-*-*.so"):
            _, family, major = backend.stem.split("-")
            compiler = Compiler(family, int(major))
            if compiler.is_here():
                found.append((family, -int(major), compiler))
        found = [entry[2] for entry in sorted(found, key=lambda entry: entry[:2])]
        if self.every:
            return found
        here = {c.family for c in found}
        return [next(c for c in found if c.family == family) for family in sorted(here & set(self.families) or here)]

    def run(self, command, folder, **more):
        """What a command wrote; it must end well."""
        environment = {**self.environment, **more}
        result = subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True,
                                text=True, errors="replace", check=False, stdin=subprocess.DEVNULL, timeout=900)
        if result.returncode:
            raise AssertionError(f"{shlex.join(map(str, command))} ended with {result.returncode}:\n"
                                 f"{result.stdout[-2500:]}{result.stderr[-1500:]}")
        return result.stdout

    def recorded(self, program, folder):
        """{function: calls} of a recorded run, which prints what it should."""
        shutil.rmtree(folder / "prof.data", ignore_errors=True)
        said = self.run(["prof", "record", "-o", "prof.data", program], folder)
        assert said.strip() in ("90", "15"), said
        report = json.loads(self.run(["prof", "report", "-n", "0", "--format", "json"], folder))
        return {row["name"]: row["calls"] for row in report["functions"]}


def calls_differ(what, got, expected):
    """Nothing, or a complaint; a template's name may be written with or without its result."""
    plain = {re.sub(r"^int (\w+<)", r"\1", name): calls for name, calls in got.items()}
    wanted = {re.sub(r"^int (\w+<)", r"\1", name): calls for name, calls in expected.items()}
    assert plain == wanted, f"{what}: expected {wanted}, recorded {plain}"


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed (make setup-all installs it)")
            sys.exit(SKIP)


def main(name, test, families=("clang", "gcc")):
    """Calls test(installed, compiler, an empty folder) for each compiler; the last line counts them.  `families`: of the short slice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--prefix", required=True, type=pathlib.Path)
    parser.add_argument("--every", action="store_true", help="every compiler, not the newest of each family")
    arguments = parser.parse_args()
    installed = Installed(arguments.prefix.resolve(), arguments.every, families)
    passed = failed = 0
    for compiler in installed.compilers():
        folder = arguments.prefix.resolve().parent / name / compiler.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            test(installed, compiler, folder)
            passed += 1
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"FAILED {compiler.name}: {error}")
    if not passed and not failed:
        print("skipped: no compiler with a backend is here")
        sys.exit(SKIP)
    print(f"{passed} compilers passed, {failed} failed")
    sys.exit(1 if failed else 0)
