#!/usr/bin/env python3
"""`prof record --locks` and `prof openmp` with each compiler: see README.md."""
import re
import sys
import tempfile

from bench import EVERY, HERE, Bench, programs


def build(bench, compiler, name="openmp", options=("-O1",)):
    """None: this compiler has no OpenMP library here."""
    output = bench.folder / f"{name}-{compiler}"
    flags = programs.plugin_flags(bench.prof, compiler)
    done = bench.run(compiler, "-g", "-fopenmp", *flags, *options, "-c", HERE / f"{name}.c", "-o", f"{output}.o")
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


def filtered(bench, compiler):
    """Of a summary: what the regions of one function are, and what isn't kept."""
    everything = bench.read("openmp")["regions"]
    for region in everything:
        rows = bench.read("openmp", "-F", region["function"]).get("regions", [])
        bench.equal(f"{compiler}: only {region['function']}", rows, [row for row in everything if row["function"] == region["function"]])
    threads = bench.read("openmp", "--by=thread")["threads"]
    for key in ("work_ns", "barrier_ns", "lock_ns", "end_ns"):
        sums = [sum(row[key] for row in rows) for rows in (everything, threads)]
        bench.equal(f"{compiler}: {key} of regions and of threads: {sums}", abs(sums[0] - sums[1]) <= len(threads), True)
    refusal = bench.run(bench.prof, "openmp", "--caller=main", "-i", "data")
    bench.equal(f"{compiler}: --caller", ("a summary keeps measures by call path" in refusal.stderr, refusal.returncode), (True, 1))


def tails(bench, compiler):
    """Calls at the ends of functions that a library or prof itself calls are those functions', and never a line of these."""
    text = (HERE / "tails.c").read_text().splitlines()
    for options in (("-O2",), ("-O2", "-fplugin-arg-prof-exclude=*omp*")):
        bench.record(build(bench, compiler, "tails", options), options=("--memory", "--locks", "--io"))
        sites = bench.read("memory")["sites"] + bench.read("io")["sites"]
        bench.equal(f"{compiler} {options}: functions", {"keeps", "writes"} <= {site["function"] for site in sites}, True)
        files = {site["file"].rsplit("/", 1)[-1] for site in sites if site["function"] in ("keeps", "writes", "run_part", "run_micro_part", "start_thread")}
        bench.equal(f"{compiler} {options}: files", files, {"tails.c"})
        naps = [row["name"].split(":") for row in bench.read("locks", "--all")["locks"] if row["kind"] == "sleep"]
        # GCC gives the call that begins a region the line of the statement before it
        bench.equal(f"{compiler} {options}: naps", [(file, "/* naps */" in text[int(line) - 1] + text[int(line)]) for file, line in naps], [("sleep at tails.c", True)])


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        tried = 0
        for compiler in programs.compilers(bench.prof):
            program = build(bench, compiler)
            if program:
                tried += 1
                check(bench, compiler, bench.record(program, options=("--locks",)))
                check(bench, f"{compiler}, a summary", bench.record(program, options=("--locks", "--mode=summary", "--every=20ms")))
                filtered(bench, compiler)
                bench.record(program, options=EVERY)
                tails(bench, compiler)
        if not tried:
            programs.skip("no OpenMP library here")
        return bench.end("regions have their lines, waits and threads")


sys.exit(main())
