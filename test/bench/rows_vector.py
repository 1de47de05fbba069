"""Rows: loops that the compiler vectorised, with and without the plugin."""
import pathlib
import re
import subprocess

import programs
from measuring import Row, progress

SOURCES = {"lua": ("lua5.4", "src/*.c"), "SQLite": ("sqlite3", "prof-made/sqlite3.c"), "zstd": ("libzstd", "lib/*compress/*.c")}
# How a compiler is asked to tell, and what it says: FILE:LINE:COLUMN and the rest.
ASK = {"gcc": ["-fopt-info-vec-optimized"], "clang": ["-Rpass=loop-vectorize"]}
TOLD = re.compile(r"^(.*:\d+:\d+): .*(?:loop vectorized|vectorized loop)", re.MULTILINE)


def vectorised(command):
    """The places told, as often as they are told, sorted."""
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr[-400:]}")
    return sorted(TOLD.findall(result.stderr))


def vector_rows(builds):
    multiarch = f"{builds.program('lua', 'plain')}.objects"  # holds a header that Debian's build makes
    family = builds.compiler.split("-")[0]
    for name, (source, pattern) in SOURCES.items():
        progress(f"vectorised loops: {name}")
        folder = next((programs.cache_folder() / "sources").glob(source))
        found = {"plain": [], "plugin": []}
        for file in sorted(folder.glob(pattern)):
            command = [builds.compiler, "-g", "-O3", "-march=x86-64-v3", *ASK[family], "-c", file, "-o", "/dev/null",
                       f"-I{folder}/src", f"-I{folder}/lib", f"-I{folder}/lib/common", f"-I{multiarch}"]
            for variant, places in found.items():
                places += vectorised([*command, *builds.flags(variant)])
        plain, probed = found["plain"], found["plugin"]
        lost = [place for place in set(plain) if plain.count(place) > probed.count(place)]
        yield Row(f"vectorised loops kept: {name}, -O3", f"{len(probed)} of {len(plain)}", "all", "", not lost,
                  f"at {len(set(plain))} places in the source; {len(lost)} lost"
                  + "".join(f"; {pathlib.Path(place).name}" for place in sorted(lost)[:3]))
