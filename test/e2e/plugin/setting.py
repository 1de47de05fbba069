"""The compilers that are here, and how tests run them and count what they did."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))  # for the tests
PROGRAMS = HERE / "programs"
SKIP_STATUS = 77
EXPECTED = ("gcc-11", "gcc-12", "clang-14", "clang-16", "clang-19")


class Tally:
    """Counts cases; the last line of a test says how many passed, failed and were skipped."""

    def __init__(self, plugin_folder):
        self.plugin = pathlib.Path(plugin_folder).resolve() / "prof.so"
        self.passed, self.failed, self.skipped = 0, 0, {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-plugin-"))

    def check(self, name, problems):
        """`problems`: texts; none: the case passed."""
        problems = [problem for problem in problems if problem]
        if problems:
            self.failed += 1
            print(f"FAILED {name}")
            for problem in problems[:8]:
                print("    " + str(problem).replace("\n", "\n    ")[:1500])
        else:
            self.passed += 1

    def skip(self, why):
        self.skipped[why] = self.skipped.get(why, 0) + 1

    def compilers(self, family=""):
        """Names of the C compilers that have a backend, as gcc-12 or clang-19, where the C++ compiler is here too."""
        found = []
        for backend in sorted(self.plugin.parent.glob(f"prof-{family}*-*.so"), key=lambda path: (path.stem[5] == "c", path.stem)):
            name = backend.stem.removeprefix("prof-")
            if shutil.which(name) and shutil.which(cxx(name)):
                found.append(name)
            else:
                self.skip(f"{name} or {cxx(name)} is missing")
        for name in EXPECTED:
            if name.startswith(family) and not (self.plugin.parent / f"prof-{name}.so").exists():
                self.skip(f"no backend for {name} was built")
        return found

    def flags(self, *arguments):
        return [f"-fplugin={self.plugin}", *(f"-fplugin-arg-prof-{argument}" for argument in arguments)]

    def finish(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        for why, count in self.skipped.items():
            print(f"skipped {count}: {why}")
        print(f"{self.passed} passed, {self.failed} failed, {sum(self.skipped.values())} skipped")
        if self.failed:
            sys.exit(1)
        sys.exit(0 if self.passed else SKIP_STATUS)


def start():
    """The tally of a test that is called with the plugin's folder as its first argument."""
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} PLUGIN_FOLDER")
    return Tally(sys.argv[1])


def is_clang(compiler):
    return compiler.startswith("clang")


def cxx(compiler):
    """The C++ compiler beside a C compiler."""
    return compiler.replace("clang-", "clang++-") if is_clang(compiler) else compiler.replace("gcc-", "g++-")


def archiver(compiler):
    return compiler.replace("clang-", "llvm-ar-") if is_clang(compiler) else compiler.replace("gcc-", "gcc-ar-")


def flags_of(compiler, flags):
    """GCC's flags as Clang has them; its intermediate code is linked by a linker of its own version."""
    if not is_clang(compiler):
        return flags
    flags = ["-flto" if flag.startswith("-flto=") else "-O1" if flag == "-Og" else flag for flag in flags]
    linker = f"ld.lld-{compiler.split('-')[1]}"
    return [*flags, f"--ld-path={shutil.which(linker)}"] if "-flto" in flags and shutil.which(linker) else flags


def compiler_of(compiler, source):
    return cxx(compiler) if str(source).endswith(".cc") else compiler


def run(command, environment=None, folder=None, stack_bytes=None, timeout=400):
    """(status, stdout, stderr); a status below 0 is a signal."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
    variables["LC_ALL"] = "C"
    variables.update(environment or {})
    before = None
    if stack_bytes:
        import resource
        before = (lambda: resource.setrlimit(resource.RLIMIT_STACK, (stack_bytes, stack_bytes)))
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace", check=False,
                            env=variables, cwd=folder, stdin=subprocess.DEVNULL, preexec_fn=before, timeout=timeout)
    return result.returncode, result.stdout, result.stderr


def compiled(command, folder=None):
    """None when a compiler or linker ended well and said nothing, else what it said."""
    status, output, errors = run(command, folder=folder)
    if status or output or errors:
        return f"{' '.join(map(str, command))}\nstatus {status}\n{output}{errors}"
    return None
