#!/usr/bin/env python3
"""`prof record --locks` and `prof openmp` with each compiler: see README.md."""
import re
import sys
import tempfile

from bench import HERE, Bench, programs


def build(bench, compiler):
    """None: this compiler has no OpenMP library here."""
    output = bench.folder / f"openmp-{compiler}"
    flags = programs.plugin_flags(bench.prof, compiler)
    done = bench.run(compiler, "-g", "-O1", "-fopenmp", *flags, "-c", HERE / "openmp.c", "-o", f"{output}.o")
    if done.returncode:
        bench.equal(f"{compiler}: compiler", done.stderr, "")
        return None
    library = "-lgomp" if compiler.startswith("gcc") else "-l:libomp.so.5"
    done = bench.run(compiler, f"{output}.o", "-o", output, *flags, library, "-pthread")
    return output if done.returncode == 0 else None


def check(bench, compiler, done):
    regions = {row["function"]: row for row in bench.read("openmp").get("regions", [])}
    wants = re.findall(r"^least (\w+) (\w+) (\d+)$", done.stdout, re.M)
    bench.equal(f"{compiler}: functions", sorted(regions), sorted(name for name, _, _ in wants))
    for name, key, least in wants:
        row = regions.get(name, {})
        bench.equal(f"{compiler}: {name}: {row}: {key} at least {least}", row.get(key, -1) >= int(least), True)
        bench.equal(f"{compiler}: {name}: file, line, threads", (row.get("file", "")[-8:], row.get("line", 0) > 0, row.get("threads")), ("openmp.c", True, 3))
        bench.equal(f"{compiler}: {name}: runs", row.get("runs"), 5 if name == "loop" else 1)
    bench.equal(f"{compiler}: unequal", regions.get("end", {}).get("imbalance", 0) > 1, True)
    threads = bench.read("openmp", "--by=thread").get("threads", [])
    bench.equal(f"{compiler}: rows by thread", len(threads) >= 9, True)
    critical = [row for row in bench.read("locks").get("locks", []) if row["kind"] == "critical section"]
    bench.equal(f"{compiler}: critical section", [(row["name"], row["acquisitions"]) for row in critical][:1], [("critical section adding", 3)])


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        tried = 0
        for compiler in programs.compilers(bench.prof):
            program = build(bench, compiler)
            if program:
                tried += 1
                check(bench, compiler, bench.record(program, options=("--locks",)))
                bench.record(program, options=("--memory", "--locks", "--io"))
        if not tried:
            programs.skip("no OpenMP library here")
        return bench.end("regions have their lines, waits and threads")


sys.exit(main())
