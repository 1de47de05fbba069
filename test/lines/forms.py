"""Ways to compile, link and take apart a program that change where its debug information is, and how it is written."""
import dataclasses
import pathlib
import re
import shutil
import subprocess
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"


class Missing(Exception):
    """Something that this form needs isn't here."""


def run(*command, cwd=None):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def need(name):
    path = shutil.which(name)
    if path is None:
        raise Missing(f"no {name}")
    return path


def newest(family):
    """The newest compiler of a family that is here by name, or None."""
    names = [f"{family}-{major}" for major in range(30, 8, -1)] + [family]
    return next((name for name in names if shutil.which(name)), None)


class Compiler:
    """A C compiler by name (gcc-12, clang-19), its C++ companion and its own linker and packager."""

    def __init__(self, name):
        self.name, self.c = name, need(name)
        self.gcc = "Free Software Foundation" in run(self.c, "--version")
        self.cxx = need(re.sub(r"gcc", "g++", name) if self.gcc else re.sub(r"clang", "clang++", name))
        self.major = int(run(self.c, "-dumpversion").split(".")[0])

    def accepts(self, *flags):
        with tempfile.TemporaryDirectory(prefix="prof-lines-") as folder:
            return subprocess.run([self.c, *flags, "-g", "-x", "c", "-S", "-o", "empty.s", "/dev/null"], cwd=folder,
                                  capture_output=True).returncode == 0

    def linker(self, which):
        """The flag that picks a linker; for clang, lld of the same version, which alone reads its LTO objects."""
        own = pathlib.Path(f"/usr/lib/llvm-{self.major}/bin/ld.lld")
        if which == "lld" and not self.gcc and own.exists():
            return f"-fuse-ld={own}" if self.major < 13 else f"--ld-path={own}"
        if which == "lld" and not self.gcc:
            raise Missing(f"no ld.lld of version {self.major}")
        need(f"ld.{which}")
        return f"-fuse-ld={which}"

    def packager(self, version):
        """GNU dwp (2.40) knows nothing of version 5, and llvm-dwp (14, 19) loops for ever on what GCC writes then."""
        if self.gcc and version >= 5:
            raise Missing("no packager for GCC's objects of version 5")
        return need("dwp") if self.gcc else need(f"llvm-dwp-{self.major}")


@dataclasses.dataclass
class Form:
    name: str
    compile: list = dataclasses.field(default_factory=list)
    link: list = dataclasses.field(default_factory=list)
    linker: str = ""
    only: str = ""        # gcc or clang
    # Does something to the program; returns the module to ask us about and a debug root or None.  The oracle is asked
    # about the program as it was.
    after: object = None
    asm: bool = True
    sources: tuple = ("main.c", "parts.c", "objects.cc")


def build(compiler, form, folder):
    """Compiles and links; the program's path."""
    flags = form.compile
    for flag in flags:
        if flag.startswith("-g") and not compiler.accepts(flag):
            raise Missing(f"{compiler.name} has no {flag}")
    link = list(form.link)
    if form.linker:
        link.append(compiler.linker(form.linker))
    objects = []
    define = ["-DWITH_ASM"] if form.asm else []
    for source in [*form.sources] + (["text.s"] if form.asm else []):
        driver = compiler.cxx if source.endswith(".cc") else compiler.c
        target = f"{pathlib.Path(source).name}.o"
        extra = [f for f in flags if not f.startswith(("-flto", "-gsplit"))] if source.endswith(".s") else flags + define
        run(driver, "-g", *extra, "-c", PROGRAMS / source, "-o", target, cwd=folder)
        objects.append(target)
    run(compiler.cxx, *flags, "-g", *objects, *link, "-o", "program", cwd=folder)
    return folder / "program"


def separate(program, debug):
    run("objcopy", "--only-keep-debug", program, debug)
    run("strip", "--strip-all", program)


def by_link(compiler, program):
    separate(program, program.with_name("program.debug"))
    run("objcopy", "--add-gnu-debuglink=program.debug", "program", cwd=program.parent)
    return program, None


def by_link_below(compiler, program):
    by_link(compiler, program)
    (program.parent / ".debug").mkdir()
    program.with_name("program.debug").rename(program.parent / ".debug" / "program.debug")
    return program, None


def by_build_id(compiler, program):
    notes = run("readelf", "-n", program)
    digits = re.search(r"Build ID: (\w+)", notes)[1]
    root = program.parent / "root"
    (root / ".build-id" / digits[:2]).mkdir(parents=True)
    separate(program, root / ".build-id" / digits[:2] / f"{digits[2:]}.debug")
    return program, root


def shared_by_dwz(compiler, program):
    need("dwz")
    second = program.with_name("second")
    shutil.copy(program, second)
    run("dwz", "-m", "shared.debug", "program", "second", cwd=program.parent)
    return program, None


def dwz_alone(compiler, program):
    need("dwz")
    run("dwz", program)
    return program, None


def compressed(kind):
    def after(compiler, program):
        if kind not in run("objcopy", "--help"):
            raise Missing(f"objcopy has no {kind}")
        run("objcopy", f"--compress-debug-sections={kind}", program)
        return program, None
    return after


def packaged(version):
    def after(compiler, program):
        run(compiler.packager(version), "-e", program, "-o", f"{program}.dwp", cwd=program.parent)
        for part in program.parent.glob("*.dwo"):
            part.unlink()
        return program, None
    return after


def moved(compiler, program):
    """With its .dwo files, to where the compiler didn't see them."""
    folder = program.parent / "elsewhere"
    folder.mkdir()
    for part in [program, *program.parent.glob("*.dwo")]:
        part.rename(folder / part.name)
    return folder / "program", None


V4, V5, O2 = ["-gdwarf-4"], ["-gdwarf-5"], ["-O2"]
GC = ["-ffunction-sections", "-fdata-sections"]
FORMS = [
    Form("4", V4 + O2),
    Form("5", V5 + O2),
    Form("2", ["-gdwarf-2"] + O2),
    Form("3", ["-gdwarf-3"] + O2),
    Form("4-O0", V4 + ["-O0"]),
    Form("5-O0", V5 + ["-O0"]),
    Form("5-O3-march", V5 + ["-O3", "-mavx2"]),
    Form("5-Os", V5 + ["-Os"]),
    Form("no-pie", V5 + O2 + ["-fno-pie"], ["-no-pie"]),
    Form("static", V4 + O2, ["-static"]),
    Form("shared", V5 + O2 + ["-fPIC"], ["-shared"]),
    Form("gz-4", V4 + O2 + ["-gz"], ["-gz"]),
    Form("gz-5", V5 + O2 + ["-gz"], ["-gz"]),
    Form("gz-gnu", V4 + O2, after=compressed("zlib-gnu")),
    Form("gz-zstd", V5 + O2, after=compressed("zstd")),
    Form("64-4", V4 + O2 + ["-gdwarf64"]),
    Form("64-5", V5 + O2 + ["-gdwarf64"]),
    Form("g1", ["-g1"] + O2),
    Form("tables-only", ["-gline-tables-only"] + O2, only="clang"),
    Form("types-4", V4 + O2 + ["-fdebug-types-section"]),
    Form("types-5", V5 + O2 + ["-fdebug-types-section"]),
    Form("map", V5 + O2 + [f"-fdebug-prefix-map={PROGRAMS}=/there/source"]),
    Form("map-relative-4", V4 + O2 + [f"-ffile-prefix-map={PROGRAMS}=./source", "-fdebug-prefix-map=/=./"]),
    Form("map-relative-5", V5 + O2 + [f"-ffile-prefix-map={PROGRAMS}=./source", "-fdebug-prefix-map=/=./"]),
    Form("lto-4", V4 + O2 + ["-flto"], linker="", only="gcc"),
    Form("lto-5", V5 + O2 + ["-flto"], linker="", only="gcc"),
    Form("lto-parts", V5 + O2 + ["-flto", "-flto-partition=max"], only="gcc"),
    Form("lto-lld-4", V4 + O2 + ["-flto"], linker="lld", only="clang"),
    Form("lto-lld-5", V5 + O2 + ["-flto"], linker="lld", only="clang"),
    Form("lto-thin", V5 + O2 + ["-flto=thin"], linker="lld", only="clang"),
    Form("split-4", V4 + O2 + ["-gsplit-dwarf"]),
    Form("split-5", V5 + O2 + ["-gsplit-dwarf"]),
    Form("split-moved", V5 + O2 + ["-gsplit-dwarf"], after=moved),
    Form("split-inlining", V5 + O2 + ["-gsplit-dwarf", "-fsplit-dwarf-inlining"], only="clang"),
    Form("split-types", V5 + O2 + ["-gsplit-dwarf", "-fdebug-types-section"]),
    Form("dwp-4", V4 + O2 + ["-gsplit-dwarf"], after=packaged(4)),
    Form("dwp-5", V5 + O2 + ["-gsplit-dwarf"], after=packaged(5)),
    Form("link", V5 + O2, after=by_link),
    Form("link-below", V4 + O2, after=by_link_below),
    Form("build-id", V5 + O2, ["-Wl,--build-id"], after=by_build_id),
    Form("dwz-4", V4 + O2, after=dwz_alone),
    Form("dwz-5", V5 + O2, only="gcc", after=dwz_alone),
    Form("dwz-shared-4", V4 + O2, ["-Wl,--build-id"], after=shared_by_dwz),
    Form("dwz-shared-5", V5 + O2, ["-Wl,--build-id"], only="gcc", after=shared_by_dwz),
] + [
    Form(f"gc-{linker}-{version[0][-1]}", version + O2 + GC, ["-Wl,--gc-sections"], linker)
    for linker in ("bfd", "gold", "lld") for version in (V4, V5)
] + [
    Form("icf-gold", V5 + O2 + GC, ["-Wl,--icf=all"], "gold"),
    Form("icf-lld", V4 + O2 + GC, ["-Wl,--icf=all"], "lld"),
]
