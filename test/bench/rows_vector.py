"""Rows: loops that the compiler vectorised, with and without the plugin."""
import collections
import pathlib
import re
import shutil
import subprocess

import programs
from measuring import Row, progress

FAST = ("-ffast-math",)  # without it no sum of reals is made in vectors
Program = collections.namedtuple("Program", "name source patterns compiler flags")
PROGRAMS = [
    Program("lua", "lua5.4", ("src/*.c",), None, ()),
    Program("SQLite", "sqlite3", ("prof-made/sqlite3.c",), None, ()),
    Program("zstd", "libzstd", ("lib/*compress/*.c",), None, ()),
    Program("Bullet", "bullet", ("src/btLinearMathAll.cpp", "src/btBulletDynamicsAll.cpp"), None, ("-w", "-DBT_USE_DOUBLE_PRECISION", *FAST)),
    Program("BLAS", "lapack", ("BLAS/SRC/*.f",), "gfortran", FAST),
]
# The plugin's argument, over none in the plain build.
VARIANTS = {"plain": None, "loops=outer": "-fplugin-arg-prof-loops=outer", "loops=all": "-fplugin-arg-prof-loops=all"}
# How a compiler is asked to tell, and what it says: FILE:LINE:COLUMN and the rest.
ASK = {"gcc": ["-fopt-info-vec-optimized"], "clang": ["-Rpass=loop-vectorize"]}
TOLD = re.compile(r"^(.*:\d+:\d+): .*(?:loop vectorized|vectorized loop)", re.MULTILINE)


def vectorised(command):
    """The places told, as often as they are told."""
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr[-400:]}")
    return collections.Counter(TOLD.findall(result.stderr))


def compiler_of(program, compiler):
    """Its name; None: there is none for the program's language."""
    if not program.compiler:
        return compiler
    family, version = compiler.split("-")
    name = f"{program.compiler}-{version}"
    return name if family == "gcc" and shutil.which(name) else None


def places_found(builds, program, compiler, multiarch):
    """variant -> Counter of places"""
    fetched = subprocess.run([programs.ROOT / "scripts" / "fetch-source.sh", program.source], check=True, capture_output=True, text=True)
    folder = pathlib.Path(fetched.stdout.strip())
    files = sorted(file for pattern in program.patterns for file in folder.glob(pattern))
    if not files:
        raise RuntimeError(f"no {' '.join(program.patterns)} in {folder}: run the rows of off first")
    found = {variant: collections.Counter() for variant in VARIANTS}
    for file in files:
        command = [compiler, "-g", "-O3", "-march=x86-64-v3", *program.flags, *ASK[builds.compiler.split("-")[0]], "-c", file, "-o",
                   "/dev/null", *(f"-I{path}" for path in (folder / "src", folder / "lib", folder / "lib/common", multiarch))]
        for variant, argument in VARIANTS.items():
            found[variant] += vectorised([*command, *([*builds.flags("plugin"), argument] if argument else [])])
    return found


def vector_rows(builds):
    multiarch = f"{builds.program('lua', 'plain')}.objects"  # holds a header that Debian's build makes
    for program in PROGRAMS:
        compiler = compiler_of(program, builds.compiler)
        if not compiler or (builds.names and program.name not in builds.names):
            continue
        progress(f"vectorised loops: {program.name}")
        found = places_found(builds, program, compiler, multiarch)
        plain = found.pop("plain")
        for variant, probed in found.items():
            lost = plain - probed
            yield Row(f"vectorised loops kept: {program.name}, -O3, {variant}", f"{sum(probed.values())} of {sum(plain.values())}", "all", "", not lost,
                      f"at {len(plain)} places in the source; {sum(lost.values())} lost"
                      + "".join(f"; {pathlib.Path(place).name}" for place in sorted(lost)[:3]))
