#!/usr/bin/env python3
"""test_counts.py --prof PROF --compiler COMPILER [--whole [--oracle COMPILER]] - counts of lines against gcov's.  See README.md."""
import argparse
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "support")]
import judge  # noqa: E402
import oracle  # noqa: E402
import slices  # noqa: E402
from oracle import programs  # noqa: E402

COUNTS = "-fplugin-arg-prof-lines=count"
SMALL = (("shapes.c", ["-O0"]), ("shapes.c", ["-O2"]), ("shapes.c", ["-O3", "-flto"]), ("shapes.cc", ["-O0"]), ("shapes.cc", ["-O2"]),
         ("spread.c", ["-O0"]), ("spread.c", ["-O2"]))
# Nothing that goes by time, chance or addresses: SQLite with one seed (of the names of its files), zstd without its benchmark and without threads of its own, lua with one seed and a
# small cache; and no function that is inlined always, whose copies gcov leaves out.
WHOLE = {
    "lua": ([HERE.parent / "programs" / "work.lua"], ["-Dluai_makeseed=sizeof", "-DSTRCACHE_N=1", "-DSTRCACHE_M=2"]),
    "zstd": (["-9", "-q", "-f", "--no-asyncio", programs.text_file(10), "-o", "out.zst"], ["-Dalways_inline=unused"]),
    "sqlite": (["--size", "5", "--testset", "main"], ["-DSQLITE_OMIT_RANDOMNESS"]),
}
JUMP = re.compile(r"^\s*(?:case [^:]+:|default:)?\s*(?:\w+\(\w+\);)?\s*[{}]?\s*(?:\w*break|continue|return|goto \w+)?\s*;?\s*(?:/\*.*)?$")
# Texts of lines that have no code once Clang optimises: what is returned is in its place already.
KNOWN = {"zstd": ("return r;",)}
faults = []


def run(*command, cwd, **more):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=900, check=False, **more)
    return done


def must(*command, cwd, **more):
    done = run(*command, cwd=cwd, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def compiler_of(compiler, source):
    if not source.endswith(".cc"):
        return compiler
    cxx = compiler.replace("gcc", "g++").replace("clang", "clang++")
    return cxx if shutil.which(cxx) else None


def read_prof(prof, folder, recording):
    rows = json.loads(must(prof, "lines", "-i", recording, "--format=json", "-n", "0", cwd=folder).stdout)["lines"]
    return {(os.path.realpath(row["file"]), row["line"]): row["count"] for row in rows if row["count"]}


def differences(expected, got):
    """Lines whose counts differ.  The library's headers are left out: what is inlined and what is in the library differs."""
    files = {file for file, _ in expected if not file.startswith("/usr/include/")}
    wanted = {place: count for place, count in expected.items() if count}
    return [(place, wanted.get(place, 0), got.get(place, 0)) for place in sorted(wanted.keys() | got.keys())
            if place[0] in files and wanted.get(place, 0) != got.get(place, 0)]


@functools.lru_cache
def texts_of(path):
    return pathlib.Path(path).read_text(errors="replace").splitlines()


def text_of(place):
    return texts_of(place[0])[place[1] - 1]


def is_merged_jump(place, got):
    return got == 0 and JUMP.match(text_of(place)) is not None


def returns_twice(place):
    """gcov leaves the second return out."""
    return re.search(r"\b_?setjmp *\(|LUAI_TRY\(|longjmp leads", text_of(place)) is not None


def is_endless(place):
    """GCC has code there for the jumps back only, Clang also for the way in."""
    return re.search(r"\bfor *\(;;\)", text_of(place)) is not None


def compare(name, flags, expected, got, second=None, judged=None, known=(), allowed=0, may_merge=False):
    """Lines that differ are faults, but for those that another oracle has prof's count of, or that are known.

    `second`: (lines that gcov can't know, their counts by another gcov).  `judged`: counts by the source.  `known`: texts.
    `may_merge`: optimised, a jump may have no code, as Clang's.
    """
    found = differences(expected, got)
    jumps = [row for row in found if "-O0" not in flags and may_merge and is_merged_jump(row[0], row[2])]
    others = [row for row in found if row not in jumps and not returns_twice(row[0])]
    said = {"merged jumps": len(jumps)}
    if others and second:
        unknown, counts = second()
        told = [row for row in others if row[0] in unknown and counts.get(row[0]) == row[2]]
        codeless = [row for row in others if row[0] in unknown and (row[0] not in counts or is_endless(row[0]))]
        others = [row for row in others if row not in told and row not in codeless]
        said.update({"left by longjmp, with GCC's count": len(told), "left by longjmp, without code in GCC": len(codeless)})
    if others and judged:
        counts = judged()
        right = [row for row in others if counts.get(row[0]) == row[2]]
        print(*(f"  prof is right by the source: {place[0]}:{place[1]}: gcov {want}, prof {count}, {text_of(place).strip()}" for place, want, count in right), sep="\n")
        others = [row for row in others if row not in right]
        said["prof's by the source"] = len(right)
    listed = [row for row in others if row[2] == 0 and text_of(row[0]).strip() in known]
    others = [row for row in others if row not in listed]
    said["known"] = len(listed)
    print(f"{name} {' '.join(flags)}: {len(expected)} lines, {len(others)} differ;", ", ".join(f"{count} {what}" for what, count in said.items()))
    faults.extend(f"{name} {' '.join(flags)}: {place[0]}:{place[1]}: gcov {want}, prof {count}: {text_of(place).strip()}" for place, want, count in others)
    if len(others) <= allowed:
        print(*(faults.pop() for _ in others), sep="\n")
    if not got:
        faults.append(f"{name}: nothing was counted")


def small(options, source, flags, folder):
    compiler = compiler_of(options.compiler, source)
    if not compiler:
        print(f"{source}: no C++ compiler beside {options.compiler}")
        return
    shutil.copy(HERE / source, folder)
    plugin = programs.plugin_flags(options.prof, options.compiler)
    must(*oracle.covering(compiler), "-O0", "-c", source, "-o", "covered.o", cwd=folder)
    must(*oracle.covering(compiler), "covered.o", "-o", "covered", cwd=folder)
    plain = must("./covered", cwd=folder)
    oracle.show(compiler, folder, folder)
    must(compiler, "-g", *flags, *plugin, COUNTS, source, "-o", "counted", cwd=folder)
    for way, command in (("alone", ["./counted"]), ("recorded", [options.prof, "record", "-o", "trace", "./counted"])):
        if must(*command, cwd=folder).stdout != plain.stdout:
            faults.append(f"{source} {flags}: prints something else, {way}")
    compare(source, flags, oracle.read(folder), read_prof(options.prof, folder, "trace"), may_merge=oracle.is_clang(compiler))


def together(options, folder):
    """Threads, a forked child, and an end by SIGKILL: what the source says, exactly."""
    shutil.copy(HERE / "together.c", folder)
    plugin = programs.plugin_flags(options.prof, options.compiler)
    wanted = {number: int(mark[1]) for number, text in enumerate((HERE / "together.c").read_text().splitlines(), 1)
              if (mark := re.search(r"/\* counted: (\d+)", text))}
    for flags in (["-O0"], ["-O2"], ["-O2", "-masm=intel"]):
        must(options.compiler, "-g", *flags, *plugin, COUNTS, "-pthread", "together.c", "-o", "together", cwd=folder)
        ended = run(options.prof, "record", "-o", "trace", "./together", cwd=folder)
        if ended.returncode != -signal.SIGKILL:  # prof ends as the program did
            faults.append(f"together.c {flags}: status {ended.returncode}, expected SIGKILL\n{ended.stderr}")
            continue
        got = {line: count for (_, line), count in read_prof(options.prof, folder, "trace").items()}
        print(f"together.c {' '.join(flags)}: {len(wanted)} lines")
        faults.extend(f"together.c {flags}: line {line}: {got.get(line, 0)}, expected {count}" for line, count in wanted.items()
                      if got.get(line, 0) != count)


def loops(options, folder):
    """A counter in a loop doesn't hide how many iterations it has: its probes stay."""
    shutil.copy(HERE / "four.c", folder)
    must(options.compiler, "-g", "-O2", *programs.plugin_flags(options.prof, options.compiler), COUNTS, "four.c", "-o", "four", cwd=folder)
    must(options.prof, "record", "-o", "trace", "./four", cwd=folder)
    rows = json.loads(must(options.prof, "loops", "-i", "trace", "--format=json", cwd=folder).stdout)["loops"]
    got = {row["function"].split(".")[0]: (row["entries"], row["iterations"]) for row in rows if row["level"] == 0}
    wanted = {name: (10, 40000) for name in ("fill", "add", "dot", "above")}
    faults.extend(f"four.c: loop of {name}: {got.get(name)}, expected {count}" for name, count in wanted.items() if got.get(name) != count)


def cover(compiler, name, folder, *shown):
    """Builds and runs a whole program for gcov; the lines of its source files."""
    arguments, fixed = WHOLE[name]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LUA")}
    command, *flags = oracle.covering(compiler)
    covered = programs.build(name, f"covered-{compiler}", command, [*flags, "-O0", *fixed], folder)
    objects = pathlib.Path(f"{covered}.objects")
    for old in objects.glob("*.gcda"):
        old.unlink()  # of what the build ran
    program = pathlib.Path(folder, "program")  # always the same name: lua keeps its own
    pathlib.Path(folder, "out.zst").unlink(missing_ok=True)
    shutil.copy(covered, program)
    must("setarch", "-R", program, *arguments, cwd=folder, env=environment)
    oracle.show(compiler, objects, folder, *shown)
    # gcov shows the static functions of a header apart for each unit that includes it.
    return {place: count for place, count in oracle.read(folder).items() if not place[0].endswith(".h")}


def second_oracle(prof, name, folder):
    """GCC's gcov knows of calls that don't come back: the lines of functions with such, and all counts."""
    known = [gcc for gcc in programs.compilers(prof) if gcc.startswith("gcc") and shutil.which(gcc.replace("gcc", "gcov"))]
    if not known:
        return set(), {}
    counts = cover(known[-1], name, folder, "-b")
    return oracle.left_otherwise(folder, returns_twice), counts


def by_source(prof, name, folder):
    """Counts by the syntax, of a build by the newest Clang; where that is missing, all differences are faults."""
    clang = judge.find(programs.compilers(prof))
    if not clang:
        return {}
    arguments, fixed = WHOLE[name]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LUA")}
    built = programs.build(name, "judged", clang, [*judge.FLAGS, *fixed], folder)
    for old in folder.glob("*.profraw"):
        old.unlink()  # of what the build ran
    pathlib.Path(folder, "out.zst").unlink(missing_ok=True)
    shutil.copy(built, folder / "program")
    must("setarch", "-R", folder / "program", *arguments, cwd=folder, env={**environment, "LLVM_PROFILE_FILE": str(folder / "%p.profraw")})
    return judge.read(clang, built, folder)


def whole(options, name, folder):
    """Each level against gcov at -O0: optimised, gcov loses the lines of whatever was inlined before its counters came."""
    arguments, fixed = WHOLE[name]
    plugin = programs.plugin_flags(options.prof, options.compiler)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LUA")}
    is_clang = oracle.is_clang(options.compiler)
    sources = cover(options.oracle or options.compiler, name, folder)
    for level in ("-O0", "-O2"):
        counted = programs.build(name, f"counted{level}", options.compiler, ["-g", level, *plugin, COUNTS, *fixed], folder)
        pathlib.Path(folder, "out.zst").unlink(missing_ok=True)
        shutil.copy(counted, pathlib.Path(folder, "program"))
        must("setarch", "-R", options.prof, "record", "--when-full=drop", "-o", "trace", pathlib.Path(folder, "program"), *arguments, cwd=folder,
             env=environment)
        compare(name, [level], sources, read_prof(options.prof, folder, "trace"), judged=lambda: by_source(options.prof, name, folder),
                may_merge=is_clang, second=(lambda: second_oracle(options.prof, name, folder)) if is_clang else None,
                known=KNOWN.get(name, ()) if is_clang and level == "-O2" else (),
                # Clang makes one jump of the `break;` of several cases, which has all of their counts.
                allowed=len(sources) // 10000 if is_clang and level != "-O0" else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--programs", default=",".join(WHOLE), help="of the whole ones")
    parser.add_argument("--oracle", help="of the whole ones: gcov's counts are of a program by this compiler")
    options = parser.parse_args()
    programs.compiler_or_skip(options.compiler, options.prof)
    oracle.gcov_of(options.compiler)
    if options.whole:
        if oracle.is_clang(options.compiler):
            # llvm-cov 19 counts nothing in functions with computed gotos, 14 has lines of their headers in their files.
            WHOLE["lua"][1].append("-DLUA_USE_JUMPTABLE=0")
        for name in options.programs.split(","):
            with tempfile.TemporaryDirectory(prefix="prof-counts-") as folder:
                whole(options, name, pathlib.Path(folder))
    else:
        for source, flags in slices.turn(SMALL, options.compiler, 2):
            with tempfile.TemporaryDirectory(prefix="prof-counts-") as folder:
                small(options, source, flags, folder)
        with tempfile.TemporaryDirectory(prefix="prof-counts-") as folder:
            together(options, pathlib.Path(folder))
            loops(options, pathlib.Path(folder))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
