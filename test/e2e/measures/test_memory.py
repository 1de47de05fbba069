#!/usr/bin/env python3
"""`prof record --memory` and `prof memory`: see README.md."""
import collections
import re
import shlex
import shutil
import sys
import tempfile

from bench import HERE, Bench


def check(bench, program, done):
    """Compares the rows, by function, with the lines "want FUNCTION CALLS BYTES LEFT" that the program prints."""
    memory = bench.read("memory")
    got = collections.Counter()
    for site in memory.get("sites", []):
        name = re.sub(r"\(.*", "", site["function"])
        name += "/plugin_make" if site["via"] == "plugin_make" else ""
        got[name, "calls"] += site["calls"]
        got[name, "bytes"] += site["bytes"]
        got[name, "left"] += site["live_bytes"]
    wanted = re.findall(r"^want (\S+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
    bench.equal(f"{program}: wants", bool(wanted), True)
    for name, *numbers in wanted:
        bench.equal(f"{program}: {name}", [got[name, key] for key in ("calls", "bytes", "left")], [int(number) for number in numbers])
    for kind, before in (("heap", ""), ("mapped", "mapped_")):
        for key in ("bytes", "live_bytes", "peak_bytes"):
            bench.equal(f"{program}: sum of {kind} {key}", sum(site[key] for site in memory.get("sites", []) if site["kind"] == kind), memory.get(before + key))
    return memory


def lines(bench, source, memory):
    """Sites of the program's own code name a line that allocates."""
    text = (bench.folder / source).read_text().splitlines()
    for site in memory.get("sites", []):
        if site["line"] and site["file"].endswith(source):
            line = text[site["line"] - 1]
            bench.equal(f"{source}:{site['line']}", bool(re.search(r"alloc|memalign|mmap|new|reserve|text\(|push_back", line)), True)


def static(bench):
    """Its calls are recorded; one line says that its allocations aren't.  No linker warns."""
    libraries = shlex.split(bench.run(bench.prof, "config", "--static").stdout)
    program = bench.build("static.c", "static", "-static", *libraries)
    done = bench.record(program)
    bench.equal("static: says why", "prof: a static program: no measures" in done.stderr, True)
    missing = bench.run(bench.prof, "memory", "-i", "data")
    bench.equal("static: memory", (missing.returncode, "a static program" in missing.stderr), (1, True))


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        for name in ("memory.c", "memory.cc"):
            shutil.copy(HERE / name, folder)
        library = bench.build("plugin.c", "libplugin.so", "-shared", "-fPIC", plugin=False)
        for flags in ([], ["-no-pie", "-fno-plt"], ["-Wl,-z,now,-z,relro"], ["-Wl,-z,lazy"]):
            program = bench.build("memory.c", "memory", *flags, "-ldl")
            done = bench.record(program, library)
            lines(bench, "memory.c", check(bench, f"memory.c {flags}", done))
        program = bench.build("memory.cc", "memory_cc")
        lines(bench, "memory.cc", check(bench, "memory.cc", bench.record(program)))
        done = bench.record(bench.build("allocator.c", "allocator"))
        bench.equal("next", "prof: next: prof memory -i data, prof report -i data," in done.stderr, True)
        static(bench)
        bench.equal("nothing without the option", "libprof-measures" in bench.run("env", "LD_DEBUG=files", bench.prof, "record", "-o", "off", program).stderr, False)
        bench.equal("no allocations", bench.run(bench.prof, "memory", "-i", "off").returncode, 1)
        return bench.end("allocations are as the programs count them")


sys.exit(main())
