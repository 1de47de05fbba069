#!/usr/bin/env python3
"""random_programs.py --prof PROF --plugin PLUGIN --count N - programs that Csmith makes: the same plain, off and on?

Program k is what Csmith makes of seed k, so a run can be repeated, resumed and gone on with.  One that runs longer than a
second of CPU plain is left out for all compilers and counted (Csmith's programs may run for ever).  Exit status: driver.py.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

import driver
import suite
import trial

# Small programs with many functions: what a probe can break is a function, not an expression.
OPTIONS = ["--quiet", "--concise", "--max-funcs", "8", "--max-block-depth", "3", "--max-block-size", "4",
           "--max-expr-complexity", "5"]
INCLUDE = "/usr/include/csmith"
PLAIN_CPU_S = 1


def generator():
    """Where the programs of this Csmith and these options are kept, or None: there is no Csmith."""
    if not shutil.which("csmith") or not pathlib.Path(INCLUDE, "csmith.h").exists():
        return None
    with tempfile.TemporaryDirectory() as own:  # Csmith leaves a file where it runs
        version = subprocess.run(["csmith", "--version"], capture_output=True, text=True, check=True, cwd=own).stdout
    folder = suite.cache_folder() / "csmith" / hashlib.sha256("\0".join([version, *OPTIONS]).encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def source_make(folder, seed):
    path = folder / f"{seed}.c"
    if not path.exists():
        partial = path.with_suffix(f".{os.getpid()}")  # another run may make the same one
        result = subprocess.run(["csmith", *OPTIONS, "--seed", str(seed), "--output", partial], capture_output=True, check=False,
                                cwd=folder, timeout=600)
        if result.returncode:
            partial.write_text("#error csmith failed\n", encoding="ascii")
        partial.rename(path)
    return path


def test_make(folder, seed, compiler, options):
    """`skip` is set for a program that ran too long once, whatever the compiler."""
    path = source_make(folder, seed)
    mark = path.with_suffix(".endless")
    flags = ["-std=gnu17", "-w", "-I", INCLUDE]
    if not mark.exists() and not path.with_suffix(".ends").exists() and not options.show:
        ended = trial.runs_shortly(compiler, "c", [*flags, "-O0"], [path], PLAIN_CPU_S)
        (path.with_suffix(".ends") if ended else mark).touch()
    return types.SimpleNamespace(name=f"{folder.name}-{seed}", language="c", flags=flags, sources=[path],
                                 skip="time-out" if mark.exists() else None, checks_itself=False)


def main():
    parser = driver.parser_new(__doc__.splitlines()[0], "-O0,-O3")
    parser.add_argument("--count", type=int, default=300, help="programs")
    parser.add_argument("--first", type=int, default=1, help="seed of the first")
    options = parser.parse_args()
    folder = generator()
    compilers = list(driver.compilers_chosen(options))
    if folder is None or not compilers:
        print("skipped: no csmith (make setup-all)" if folder is None else "skipped: no compiler has a backend")
        return driver.SKIP
    seeds = range(options.first, options.first + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        chosen = list(pool.map(lambda seed: test_make(folder, seed, compilers[0], options), seeds))
    print(f"seeds {seeds[0]} to {seeds[-1]}: {sum(test.skip is not None for test in chosen)} left out, run longer than "
          f"{PLAIN_CPU_S} s at -O0 by {compilers[0].name}")
    return driver.run(options, "csmith-results", chosen)


if __name__ == "__main__":
    sys.exit(main())
