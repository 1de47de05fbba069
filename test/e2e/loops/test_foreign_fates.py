#!/usr/bin/env python3
"""test_foreign_fates.py --plugin PLUGIN --family FAMILY

As test_fates.py, in each file of bzip2, zlib and zstd from Debian's source, at -O3, with every compiler that is here.
"""
import pathlib
import subprocess
import sys
import tempfile

import fates
import loops

FETCH = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "fetch-source.sh"
ZSTD = ("-DXXH_NAMESPACE=ZSTD_", "-DZSTD_LEGACY_SUPPORT=0", "-DBACKTRACE_ENABLE=0", "-Ilib", "-Ilib/common")
# source package -> files, arguments, least number of vectorised loops
PROGRAMS = {
    "bzip2": (("[!d]*.c", "decompress.c"), ("-D_FILE_OFFSET_BITS=64",), 10),  # without dlltest.c, for Windows
    "zlib": (("*.c",), ("-DHAVE_UNISTD_H", "-DHAVE_STDARG_H"), 5),
    "libzstd": (("lib/common/*.c", "lib/compress/*.c", "lib/decompress/*.c", "lib/dictBuilder/*.c", "programs/*.c"), ZSTD, 25),
}


def fetch(name):
    ended = subprocess.run(["sh", FETCH, name], stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        sys.exit(ended.returncode)
    return pathlib.Path(ended.stdout.strip())


def faults_of(compiler, options, name):
    patterns, arguments, least = PROGRAMS[name]
    source, count = fetch(name), 0
    words = [word.replace("-Ilib", f"-I{source}/lib") for word in arguments]
    with tempfile.TemporaryDirectory(prefix="prof-fates-") as folder:
        for file in sorted({file for pattern in patterns for file in source.glob(pattern)}):
            faults, vectorised = fates.compared([compiler.c, "-O3", *words, file], compiler.family, options.plugin, pathlib.Path(folder))
            yield from (f"{file.name} {fault}" for fault in faults)
            count += vectorised
    print(f"{compiler.name} {name}: {count} vectorised")
    if count < least:
        yield f"makes vectors of {count} loops only"


def cells(compiler, options):
    for name in PROGRAMS:
        yield name, faults_of, compiler, options, name


loops.each_compiler(__doc__, cells)
