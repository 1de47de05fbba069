"""Compilers and linkers that are here; cases that pass, fail or are skipped, counted; objects made once per flags."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
SKIP_STATUS = 77
EXPECTED_COMPILERS = ("gcc-11", "gcc-12", "clang-14", "clang-16", "clang-19")
LINKERS = {"bfd": "ld.bfd", "gold": "ld.gold", "lld": "ld.lld"}


def run(command, folder=None, environment=None, timeout=400):
    """(status, stdout, stderr); a status below 0 is a signal."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
    variables.update({"LC_ALL": "C", **(environment or {})})
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=False,
                            env=variables, cwd=folder, stdin=subprocess.DEVNULL, timeout=timeout)
    return result.returncode, result.stdout, result.stderr


class Wrong(Exception):
    """A case failed; the text says how."""


def quietly(command, folder=None):
    """Runs a compiler or linker that must end well and say nothing."""
    status, output, errors = run(command, folder)
    if status or output or errors:
        raise Wrong(f"{' '.join(map(str, command))}\nstatus {status}\n{output}{errors}")


class Compiler:
    """`name` is gcc-MAJOR or clang-MAJOR."""

    def __init__(self, name):
        self.name = name
        self.kind, major = name.split("-")
        self.major = int(major)
        self.cxx = f"g++-{major}" if self.kind == "gcc" else f"clang++-{major}"
        self.archiver = f"gcc-ar-{major}" if self.kind == "gcc" else shutil.which(f"llvm-ar-{major}") or "ar"
        self.own_lld = shutil.which(f"ld.lld-{major}") if self.kind == "clang" else None

    def driver(self, source):
        return self.cxx if str(source).endswith(".cc") else self.name

    def linker_plugin(self):
        """Clang's for bfd and gold, beside its libraries."""
        folder = pathlib.Path(run([self.name, "-print-resource-dir"])[1].strip()).parents[1]
        return (folder / "LLVMgold.so").exists() or (folder.parent / "lib" / "LLVMgold.so").exists()

    def is_here(self):
        return shutil.which(self.name) and shutil.which(self.cxx)


class Toolbox:
    def __init__(self, *more_options):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", required=True)
        parser.add_argument("--plugin", required=True, help="prof.so")
        parser.add_argument("--archive", required=True, help="libprof-runtime.a")
        parser.add_argument("--only", default="", help="cases whose name matches this regular expression")
        parser.add_argument("--compilers", help="use only these, as in gcc-12,clang-19")
        parser.add_argument("--keep", action="store_true", help="keep the scratch folder")
        for option, help_text in more_options:
            parser.add_argument(option, action="store_true", help=help_text)
        self.options = parser.parse_args()
        self.prof = pathlib.Path(self.options.prof).resolve()
        self.plugin = pathlib.Path(self.options.plugin).resolve()
        self.archive = pathlib.Path(self.options.archive).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-link-"))
        self.made, self.plain_output = {}, {}
        self.passed, self.failed, self.skipped = 0, 0, {}
        self.compilers = self._compilers()
        self.linkers = [name for name, program in LINKERS.items()
                        if shutil.which(program) or self.skip(f"{program} is missing")]

    def _compilers(self):
        """Those that have a backend in the plugin's folder and are installed, in EXPECTED_COMPILERS' order, then others."""
        backends = [match.group(1) for match in (re.fullmatch(r"prof-((?:gcc|clang)-\d+)\.so", path.name)
                                                 for path in sorted(self.plugin.parent.glob("prof-*-*.so"))) if match]
        found = []
        for name in (*EXPECTED_COMPILERS, *(name for name in backends if name not in EXPECTED_COMPILERS)):
            if name not in backends:
                self.skip(f"no backend for {name} was built")
            elif not Compiler(name).is_here():
                self.skip(f"{name} or its C++ compiler is missing")
            elif not self.options.compilers or name in self.options.compilers.split(","):
                found.append(Compiler(name))
        return found

    def of_kind(self, kind):
        return [compiler for compiler in self.compilers if compiler.kind == kind]

    def plugin_flags(self, *arguments):
        return [f"-fplugin={self.plugin}", *(f"-fplugin-arg-prof-{argument}" for argument in arguments)]

    def object(self, compiler, source, flags, probed=True):
        """Path of an object that is made when it is asked for first."""
        key = (compiler.name, source, tuple(flags), probed)
        if key not in self.made:
            path = self.folder / f"{len(self.made)}-{source}.o"
            plugin = self.plugin_flags() if probed else []
            quietly([compiler.driver(source), "-g", *flags, *plugin, "-c", PROGRAMS / source, "-o", path])
            self.made[key] = path
        return self.made[key]

    def skip(self, why):
        self.skipped[why] = self.skipped.get(why, 0) + 1

    def case(self, name, function, *arguments):
        """Runs `function(toolbox, scratch folder, *arguments)`: it raises Wrong, or passes; it may return why it was skipped."""
        if not re.search(self.options.only, name):
            return
        scratch = self.folder / "case"
        scratch.mkdir()
        try:
            why = function(self, scratch, *arguments)
            self.passed += 0 if why else 1
            if why:
                self.skip(why)
        except (Wrong, AssertionError, OSError, subprocess.SubprocessError, KeyError, ValueError) as problem:
            self.failed += 1
            print(f"FAILED {name}\n    " + f"{type(problem).__name__}: {problem}".replace("\n", "\n    ")[:3000], flush=True)
            if self.options.keep:
                shutil.copytree(scratch, self.folder / f"failed-{self.failed}", symlinks=True)
        shutil.rmtree(scratch)

    def finish(self):
        if self.options.keep:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        for why, count in self.skipped.items():
            print(f"skipped {count}: {why}")
        print(f"{self.passed} passed, {self.failed} failed, {sum(self.skipped.values())} skipped")
        sys.exit(1 if self.failed else 0 if self.passed else SKIP_STATUS)
