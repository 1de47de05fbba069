#!/usr/bin/env python3
"""test_links.py --prof PROF --compiler COMPILER [--whole] - timed lines in every kind of program.  See README.md."""
import argparse
import pathlib
import shutil
import sys
import tempfile

import test_times as times
from test_times import HERE, TIME, compare_run, compare_visits, faults, must, programs, read_lines, run

COUNT = "-fplugin-arg-prof-lines=count"
ALL = "-fplugin-arg-prof-time-functions=*"
ARCHIVE = ["-Wl,--whole-archive", "ARCHIVE", "-Wl,--no-whole-archive"]
LTO = ["-O2", "-flto"]
# name: (flags of compiling and linking, flags of linking, of recording, of the plugin)
CASES = {
    "LTO at -O3": (["-O3", "-flto"], [], [], [TIME]),
    "the system's clock": (["-O2"], [], ["--clock=os"], [TIME]),
    "static": (["-O2"], ["-static", *ARCHIVE], [], [TIME]),
    "static, any address": (["-O2", "-fPIE"], ["-static-pie", *ARCHIVE], [], [TIME]),
    "fixed address": (["-O2", "-fno-pie"], ["-no-pie"], [], [TIME]),
    "gold": (["-O2"], ["-fuse-ld=gold"], [], [TIME]),
    "lld": (["-O2"], ["-fuse-ld=lld"], [], [TIME]),
    "mold": (["-O2"], ["-fuse-ld=mold"], [], [TIME]),
    "unused sections dropped": (["-O2", "-ffunction-sections"], ["-Wl,--gc-sections"], [], [TIME]),
    "LTO at -O0": (["-O0", "-flto"], [], [], [TIME]),
    "LTO at -O2": (LTO, [], [], [TIME]),
    "LTO by lld": (LTO, ["-fuse-ld=lld"], [], [TIME]),
    "thin LTO by lld": (["-O2", "-flto=thin"], ["-fuse-ld=lld"], [], [TIME]),
    "thin LTO by gold": (["-O2", "-flto=thin"], ["-fuse-ld=gold"], [], [TIME]),
    "-O1": (["-O1"], [], [], [TIME]),
    "-O3": (["-O3"], [], [], [TIME]),
    "-Os": (["-Os"], [], [], [TIME]),
    "no loops": (["-O2"], [], [], [TIME, "-fplugin-arg-prof-loops=none"]),
    "outer loops": (["-O2"], [], [], [TIME, "-fplugin-arg-prof-loops=outer"]),
    "all loops": (["-O2"], [], [], [TIME, "-fplugin-arg-prof-loops=all"]),
    "all loops at -O0": (["-O0"], [], [], [TIME, "-fplugin-arg-prof-loops=all"]),
    "timed by name": (["-O2"], [], [], [ALL]),
}
FEW = ("LTO at -O3", "outer loops")


def does_not_apply(name, compiler):
    """Why a case can't be; None: it can."""
    is_clang = "clang" in compiler
    if "mold" in name and not shutil.which("mold"):
        return "no mold"
    if ("gold" in name and not shutil.which("ld.gold")) or (not is_clang and name == "lld" and not shutil.which("ld.lld")):
        return "no such linker"
    if "LTO by" in name and not is_clang:
        return "GCC's intermediate code is GCC's own"
    return None


def linker_of(flags, compiler):
    """Clang's intermediate code is read by the lld of the same version only."""
    own = shutil.which(f"ld.lld-{compiler.rpartition('-')[2]}")
    return [f"--ld-path={own}" if flag == "-fuse-ld=lld" and "clang" in compiler and own else flag for flag in flags]


def build(options, source, output, flags, links, plugin, folder):
    must(options.compiler, "-g", *flags, *plugin, source, "-o", output, "-pthread", *linker_of(links, options.compiler), cwd=folder)


def record(options, folder, *more):
    shutil.rmtree(pathlib.Path(folder) / "trace", ignore_errors=True)
    return run(options.prof, "record", *more, "-o", "trace", "./timed", cwd=folder)


def case(options, name, folder):
    flags, links, recording, arguments = CASES[name]
    links = [str(options.prof.parent.parent / "runtime" / "libprof-runtime.a") if flag == "ARCHIVE" else flag for flag in links]
    shutil.copy(HERE / "ways.c", folder)
    build(options, "ways.c", "plain", flags, [flag for flag in links if "archive" not in flag and "runtime" not in flag], [], folder)
    build(options, "ways.c", "timed", flags, links, [*programs.plugin_flags(options.prof, options.compiler), *arguments], folder)
    plain = run("./plain", cwd=folder)
    compare_run(name, plain, run("./timed", cwd=folder), "alone")
    compare_run(name, plain, record(options, folder, *recording), "recorded")
    compare_visits(name, "ways.c", read_lines(options.prof, folder))


def counted(options, folder):
    """Lines are counted and timed in one program, and neither changes the other."""
    plugin = programs.plugin_flags(options.prof, options.compiler)
    shutil.copy(HERE / "ways.c", folder)
    for flags in (["-O0"], ["-O2"]):
        found = []
        for arguments in ([COUNT], [COUNT, ALL]):
            build(options, "ways.c", "timed", flags, [], [*plugin, *arguments], folder)
            record(options, folder)
            rows = read_lines(options.prof, folder)
            found.append({line: row["count"] for line, row in rows.items() if row["count"]})
        compare_visits(f"counted too, {flags}", "ways.c", rows)
        if found[0] != found[1] or len(found[0]) < 100:
            faults.append(f"counts differ where lines are timed too, {flags}: {sorted(set(found[0].items()) ^ set(found[1].items()))[:10]}")
    clash = run(options.compiler, "-c", *plugin, COUNT, TIME, "ways.c", "-o", "none.o", cwd=folder)
    if clash.returncode == 0 or "time-functions" not in clash.stderr:
        faults.append(f"lines=count and lines=time together: {clash.returncode}, {clash.stderr[:300]}")


def loaded(options, folder):
    """A library that comes and goes three times, and one that stays."""
    plugin = [*programs.plugin_flags(options.prof, options.compiler), TIME]
    for source in ("loads.c", "loaded.c"):
        shutil.copy(HERE / source, folder)
    build(options, "loaded.c", "library.so", ["-O2", "-fPIC"], ["-shared"], plugin, folder)
    build(options, "loaded.c", "libstays.so", ["-O2", "-fPIC"], ["-shared", "-Wl,-soname,libstays.so"], plugin, folder)
    build(options, "loads.c", "timed", ["-O2"], ["-L.", "-Wl,-rpath,$ORIGIN", "-lstays", "-ldl"], plugin, folder)
    done = record(options, folder)
    if done.returncode != 0:
        faults.append(f"libraries: ends with {done.returncode}\n{done.stderr[-500:]}")
    for source in ("loads.c", "loaded.c"):
        compare_visits("libraries", source, read_lines(options.prof, folder, source=source))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--whole", action="store_true", help="every case, not the few of every day")
    options = parser.parse_args()
    programs.compiler_or_skip(options.compiler, options.prof)
    for name in CASES if options.whole else FEW:
        reason = does_not_apply(name, options.compiler)
        if reason:
            print(f"{name}: {reason}")
            continue
        with tempfile.TemporaryDirectory(prefix="prof-times-") as folder:
            case(options, name, folder)
    for part in (counted, loaded):
        with tempfile.TemporaryDirectory(prefix="prof-times-") as folder:
            part(options, folder)
    return times.report()


if __name__ == "__main__":
    sys.exit(main())
