"""GCC's own execution tests: taken out of Debian's source package of GCC, and what each wants, read from its directives.

In: /usr/src/gcc-N/gcc-N*.tar.xz (package gcc-N-source).  Out: Test objects; those that can't be run here say why in `skip`.
Only the folders below are unpacked, once, into the cache folder.
"""
import os
import pathlib
import re
import subprocess
import types
import zlib

import selector

C_ROOT = "gcc.c-torture/execute"
NESTED = "torture/stackalign"  # comes with its parent
CXX_FOLDERS = ("eh", "torture", NESTED, "opt", "init", "inherit", "rtti", "tls", "ext", "cpp0x", "coroutines/torture")
OLD_ROOT = "g++.old-deja"
HEADERS = ("g++.dg/coroutines/*.h",)  # above the tests that include them
# For -fno-inline and the like see the suites' own execute.exp, ieee.exp and builtins.exp.
C_FLAGS = {"": [], "ieee": ["-fno-inline"], "builtins": ["-fno-tree-dse", "-fno-tree-loop-distribute-patterns", "-fno-tracer",
                                                         "-fno-ipa-ra", "-fno-inline-functions"]}
C_STANDARD = "-std=gnu17"
CXX_STANDARDS = ("-std=gnu++17", "-std=gnu++20", "-std=gnu++14", "-std=gnu++98")
OLD_STANDARDS = ("-std=gnu++98", "-std=gnu++17")
DIRECTIVE = re.compile(r"\{\s+dg-([a-z-]+)((?:[^{}\"]|\"[^\"]*\"|\{(?:[^{}\"]|\"[^\"]*\"|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}")
ARGUMENT = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}|(\S+)")
X_FLAGS = re.compile(r"^(?:set|lappend) additional_flags (.*)$", re.MULTILINE)
# Directives that ask for what x86-64 Linux has, or that are about messages, which nobody reads here.
FREE = {"do", "options", "additional-options", "require-effective-target", "skip-if", "add-options", "final", "require-alias",
        "require-weak", "require-stack-size", "require-ifunc", "require-cxa-atexit", "require-stack-check", "require-visibility",
        "prune-output", "xfail-if", "xfail-run-if", "warning", "bogus", "message", "error", "timeout-factor",
        "remove-options", "output", "timeout", "require-named-sections", "require-host-local", "require-dll", "excess-errors"}


def cache_folder():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", "/tmp"), ".cache")
    folder = pathlib.Path(os.environ.get("PROF_CACHE") or os.path.join(home, "prof")) / "torture"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def unpacked():
    """The folder testsuite/ of the newest GCC source package that is installed; None: there is none."""
    archives = sorted(pathlib.Path("/usr/src").glob("gcc-*/gcc-*.tar.xz"))
    if not archives:
        return None
    archive = archives[-1]
    version = archive.name.split(".tar")[0].replace("-dfsg", "")
    target = cache_folder() / version
    wanted = [f"{C_ROOT}/*", f"{OLD_ROOT}/*", *(f"g++.dg/{folder}/*" for folder in CXX_FOLDERS if folder != NESTED), *HEADERS]
    complete = target / f".complete-{zlib.crc32(' '.join(wanted).encode()):08x}"
    if not complete.exists():
        import fcntl
        with open(cache_folder() / "lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not complete.exists():
                target.mkdir(exist_ok=True)
                subprocess.run(["tar", "-C", target, "--strip-components=3", "--skip-old-files", "--wildcards", "-xf", archive,
                                *(f"*/gcc/testsuite/{pattern}" for pattern in wanted)], check=True)
                complete.touch()
    return target


def arguments(text):
    return [next(part for part in match.groups() if part is not None) for match in ARGUMENT.finditer(text)]


def selected(words, standard):
    """The last argument may be a selector: `{ target X }`, `{ xfail X }` (which says nothing about whether to run)."""
    for word in words:
        if word.split()[:1] == ["target"]:
            text = re.sub(r"\bxfail\b.*", "", word.split(None, 1)[1], flags=re.DOTALL)
            if not selector.holds(text, standard):
                return False
    return True


def directives_read(text, standard):
    """(flags, None) or (None, why this can't be run here)."""
    flags = []
    for match in DIRECTIVE.finditer(text):
        name, words = match[1], arguments(match[2])
        if name not in FREE:
            return None, f"needs dg-{name}"
        if name == "do" and (words[:1] != ["run"] or not selected(words[1:], standard)):
            return None, "not for this target" if words[:1] == ["run"] else "is not run"
        if name in ("options", "additional-options") and selected(words[1:], standard):
            flags += words[0].split() if words else []
        if name == "require-effective-target" and not selector.holds(words[0], standard) and selected(words[1:], standard):
            return None, "not for this target"
        if name == "skip-if" and len(words) == 2 and selector.holds(words[1], standard):
            return None, "skipped on this target"
    if any(flag.startswith(("-fplugin", "-save-temps", "-fdump", "-m32")) for flag in flags):
        return None, "options that we don't give"
    return [flag for flag in flags if not flag.startswith(("-Werror", "-pedantic"))], None


def test_new(root, path, language, sources=None, extra=(), standards=(C_STANDARD,)):
    """Reads one test.  `standards`: the first one that its selectors accept is taken."""
    test = types.SimpleNamespace(name=str(path.relative_to(root)), sources=sources or [path], language=language, flags=[],
                                 skip="is not run", checks_itself=True)
    text = path.read_text(encoding="latin-1")
    for standard in standards:
        try:
            flags, test.skip = directives_read(text, selector.standard_of(standard))
        except selector.Unknown as unknown:
            flags, test.skip = None, f"unknown target {unknown}"
        if flags is not None:
            own = [] if any(flag.startswith(("-std=", "-ansi")) for flag in flags) else [standard]
            test.flags = [*own, "-w", *extra, *flags]
            break
    return test


def c_tests(root):
    top = root / C_ROOT
    for folder, flags in C_FLAGS.items():
        for path in sorted((top / folder).glob("*.c")):
            if path.stem.endswith("-lib"):
                continue
            extra, sources = list(flags), None
            settings = path.with_suffix(".x")
            if settings.exists():
                for match in X_FLAGS.finditer(settings.read_text(encoding="latin-1")):
                    extra += match[1].replace('"', "").split()
            if folder == "builtins":
                sources = [path, path.with_name(path.stem + "-lib.c"), top / folder / "lib" / "main.c"]
            yield test_new(root, path, "c", sources, extra)


def cxx_tests(root):
    """The C++ tests that say `dg-do run`."""
    for folder in CXX_FOLDERS:
        for path in sorted((root / "g++.dg" / folder).glob("*.C")):
            if re.search(r"dg-do\s+run", path.read_text(encoding="latin-1")):
                standards = ("-std=gnu++20",) if "coroutines" in folder else CXX_STANDARDS
                yield test_new(root, path, "cxx", standards=standards)
    for path in sorted((root / OLD_ROOT).rglob("*.C")):
        if re.search(r"dg-do\s+run", path.read_text(encoding="latin-1")):
            yield test_new(root, path, "cxx", standards=OLD_STANDARDS)


def tests(root):
    return [*c_tests(root), *cxx_tests(root)]
