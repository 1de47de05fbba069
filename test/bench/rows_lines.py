"""Rows: lines of a program of 87 MB with its debug information, asked for in one process (lines_speed.c) and by commands."""
import concurrent.futures
import os
import re
import shutil

from measuring import Row, in_turn, median, progress, quick, repeats, row_of, run

LEAST_MEGABYTES, QUICK_MEGABYTES, MOST_PARTS = 87, 10, 40
MAIN = """extern "C" int printf(const char *, ...);
%s
int main() { long sum = 0; %s return printf("%%ld\\n", sum) < 0; }
"""


def cxx_of(compiler):
    return compiler.replace("clang", "clang++") if "clang" in compiler else compiler.replace("gcc", "g++")


def compile_part(builds, folder, part):
    source = builds.source.parent / "lines" / "programs" / "big.cc"
    out = folder / f"{part}.o"
    if not out.exists():
        fresh = folder / f"{part}.new.o"
        run([cxx_of(builds.compiler), "-std=c++17", "-g", "-O2", f"-DPART={part}", *builds.plugin_flags, "-c", source, "-o", fresh])
        fresh.rename(out)
        progress(f"  part {part} of the big program")
    return out


def big_program(builds):
    """Linked of as many parts as it takes; parts stay for the next time."""
    least = 1e6 * (QUICK_MEGABYTES if quick() else LEAST_MEGABYTES)
    folder = builds.folder / builds.compiler / "big"
    folder.mkdir(parents=True, exist_ok=True)
    compiler, program = cxx_of(builds.compiler), folder / "big"
    workers = os.cpu_count() or 1
    objects = []
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        while len(objects) < MOST_PARTS:
            objects += pool.map(lambda part: compile_part(builds, folder, part), range(len(objects), len(objects) + workers))
            if sum(part.stat().st_size for part in objects) < 1.1 * least:  # the linker drops what parts share
                continue
            names = [f"run{part}" for part in range(len(objects))]
            main = folder / "main.cc"
            main.write_text(MAIN % ("\n".join(f"long {name}(int);" for name in names),
                                    "".join(f"sum += {name}(1); " for name in names)))
            run([compiler, "-g", "-O2", *builds.plugin_flags, main, *objects, "-o", program])
            if program.stat().st_size >= least:
                return program
    raise RuntimeError(f"{MOST_PARTS} parts are less than {least / 1e6:.0f} MB")


def figures(text):
    """What lines_speed says."""
    found = re.search(r"first answer after ([\d.]+) s; all (\d+) units after ([\d.]+) s; ([\d.]+)M look-ups/s, ([\d.]+) frames each; peak (\d+) MB", text)
    if not found:
        raise RuntimeError(f"lines_speed says: {text}")
    return [float(word) for word in found.groups()]


def line_rows(builds):
    progress("building the big program")
    program = big_program(builds)
    size = f"{program.stat().st_size / 1e6:.0f} MB"
    speed, out, taken = builds.build / "test" / "bench" / "lines_speed", builds.folder / "lines_speed.txt", []
    for _ in range(repeats(5, 3)):
        with out.open("wb") as file:
            run([speed, program], builds.core, stdout=file)
        taken.append(figures(out.read_text()))
    first, units, index, lookups, frames, peak = (sorted(column)[len(taken) // 2] for column in zip(*taken))
    yield row_of(f"lines: index of all units, a program of {size}", index, 2.5, unit=" s",
                 note=f"{units:.0f} units; processor time; peak {peak:.0f} MB")
    yield row_of("&nbsp; the first answer, when only what is asked for is read", first, 2.5, 0.3, " s", digits=3)
    yield row_of("&nbsp; look-ups, million/s", lookups, 1, at_least=True, unit="M", note=f"{frames:.1f} frames each, with inlined calls")
    data = builds.folder / "big.data"
    shutil.rmtree(data, ignore_errors=True)
    run([builds.prof, "record", "-o", data, "--max-size", builds.max_size, "--", program])
    commands = {name: [builds.prof, *words, "-i", data] for name, words in (
        ("report", ["report"]), ("by_name", ["report", "--by", "thread"]), ("lines", ["lines", "--format=json"]), ("flame", ["flame", "--lines", "-o", os.devnull]))}
    runs = in_turn(repeats(5, 3), **{name: (lambda command=command: run(command, builds.core)) for name, command in commands.items()})
    yield Row("&nbsp; prof lines", f"{median(runs['lines'], 'cpu_s'):.2f} s", note=(
        f"processor time; prof report with hot lines {median(runs['report'], 'cpu_s'):.2f} s, prof flame --lines {median(runs['flame'], 'cpu_s'):.2f} s, "
        f"prof report --by thread, which asks for no line, {median(runs['by_name'], 'cpu_s'):.2f} s"))
    shutil.rmtree(data)
