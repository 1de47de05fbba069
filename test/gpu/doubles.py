"""Builds the programs of this folder, runs them under `prof record` with the doubles of CUDA's libraries, reads back."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = ("gcc-11", "gcc-12", "clang-14", "clang-16", "clang-19")


class Doubles:
    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", required=True)
        parser.add_argument("--plugin", required=True)
        parser.add_argument("--libraries", required=True, help="folder of the doubles")
        parser.add_argument("--only", default="", help="run cases whose name has this in it")
        self.options = parser.parse_args()
        self.prof = pathlib.Path(self.options.prof).resolve()
        self.plugin = pathlib.Path(self.options.plugin).resolve()
        self.libraries = pathlib.Path(self.options.libraries).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-gpu-"))
        self.compilers = [name for name in COMPILERS if shutil.which(name) and self.has_backend(name)]
        self.passed, self.failed, self.skipped, self.built = 0, 0, 0, {}

    def has_backend(self, name):
        return not self.run([self.prof, "config", "--cflags", f"--compiler={name}"]).returncode

    def run(self, command, environment=None, timeout=900):
        variables = {key: value for key, value in os.environ.items()
                     if not key.startswith(("PROF_", "CUDA", "GPU_DOUBLE", "LD_"))}
        variables.update({"LC_ALL": "C", "PROF_GPU_FLUSH_MS": "600000", **(environment or {})})
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              check=False, env=variables, cwd=self.folder, stdin=subprocess.DEVNULL, timeout=timeout)

    def build(self, name, compiler=None, flags=("-O2",), plugin=True):
        """The program, made once."""
        compiler = compiler or self.compilers[0]
        key = (name, compiler, tuple(flags), plugin)
        if key not in self.built:
            program = self.folder / f"{name}-{len(self.built)}"
            command = [compiler, "-g", *flags, *([f"-fplugin={self.plugin}"] if plugin else []),
                       HERE / "programs" / f"{name}.c", "-o", program, f"-L{self.libraries}", "-lcudart", "-lcuda", "-pthread", "-ldl",
                       "-Wl,--as-needed", "-lcublas"]
            result = self.run(command)
            if result.returncode:
                raise AssertionError(f"{' '.join(map(str, command))}: {result.stderr}")
            self.built[key] = program
        return self.built[key]

    def record(self, program, *arguments, options=(), environment=None, status=0, timeout=900, with_doubles=True):
        """What prof record says."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        result = self.run([self.prof, "record", "-o", "data", *options, program, *arguments],
                          {**({"LD_LIBRARY_PATH": str(self.libraries)} if with_doubles else {}), **(environment or {})},
                          timeout)
        equal("status of the recording", result.returncode, status)
        self.output = result.stdout
        return result.stderr

    def read(self, command="gpu", *options):
        result = self.run([self.prof, command, "-i", "data", "--format=json", *options])
        if result.returncode:
            raise AssertionError(f"prof {command}: {result.returncode} {result.stderr}")
        return json.loads(result.stdout)

    def main(self, cases):
        for name, case in cases:
            if self.options.only not in name:
                continue
            try:
                case()
                self.passed += 1
            except Skip as reason:
                self.skipped += 1
                print(f"skipped {name}: {reason}")
            except (AssertionError, OSError, subprocess.SubprocessError, KeyError, ValueError) as problem:
                self.failed += 1
                print(f"FAILED {name}: {type(problem).__name__} {problem}", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped; compilers: {' '.join(self.compilers)}")
        sys.exit(1 if self.failed or not self.passed else 0)


class Skip(Exception):
    """A case can't be tried here; the text says why."""


def equal(what, got, expected):
    if got != expected:
        raise AssertionError(f"{what}: {got!r}, expected {expected!r}")


def contains(what, text, part):
    if part not in text:
        raise AssertionError(f"{what}: {part!r} is not in {text!r}")


def launches(report):
    """{(kernel, host path): launches}"""
    return {(row["name"], row["host_path"]): row["launches"] for row in report["kernels"]}
