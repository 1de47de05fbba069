#!/usr/bin/env python3
"""truth_lines.py --build BUILD [--programs NAME,...] [--compilers NAME,...] - is `prof lines` true?  Rows of `make bench-truth`.

The oracle: perf's samples of the very binary that prof recorded, while nobody records it.  Then its probes are nops, so
that what perf sees is the program, and addresses and lines are those of the recording.  perf's addresses are resolved
by llvm-symbolizer, once each, as `perf annotate` would group them; perf's own way to lines starts a process per address.
What counts are samples in the program's own code, at its innermost inlined line.  Distances are over the lines that are
hottest by both perf runs together, all others being one more.

Beside it, with nothing to meet: perf and prof in the same run.  There both see the same program, so that their distance
is that of the attribution alone, and perf's distance to itself without a recording is what recording changes.
"""
import argparse
import bisect
import collections
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lines"))
sys.path.insert(0, str(HERE.parent / "e2e" / "programs"))
import oracle  # noqa: E402
import programs  # noqa: E402
import truth_perf  # noqa: E402
import truth_prof  # noqa: E402
from measuring import Row, print_table, progress, row_of, run  # noqa: E402

HOTTEST = 20
OTHERS = "others"
MAPPED = re.compile(r"PERF_RECORD_MMAP2? (-?\d+)/-?\d+: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*\]: \S+ (.*)$")
SAMPLE = re.compile(r"^\s*(\d+)\s+([0-9a-f]+) \((.*)\)$")
LOADED = re.compile(r"^\s+LOAD\s+0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ 0x([0-9a-f]+)", re.M)


def record(command, data):
    event = truth_perf.event().removesuffix(":u") + ":u"
    return run(["perf", "record", "-q", "-e", event, "-F", truth_perf.HERTZ, "-o", data, "--", *command])


def segments(program):
    """(file offset, link-time address, size) of what is loaded."""
    text = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
    return [tuple(int(word, 16) for word in match) for match in LOADED.findall(text)]


def addresses(data, program):
    """link-time address -> samples there."""
    script = ["perf", "script", "-F", "pid,ip,dso", "--show-mmap-events", "-i", data]
    text = subprocess.run(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", check=True).stdout
    maps, found, parts = collections.defaultdict(list), collections.Counter(), segments(program)
    for line in text.splitlines():
        mapped = MAPPED.search(line)
        if mapped and mapped[5] == str(program):
            bisect.insort(maps[mapped[1]], (int(mapped[2], 16), int(mapped[3], 16), int(mapped[4], 16)))
        sample = SAMPLE.match(line)
        if not sample or sample[3] != str(program):
            continue
        ip = int(sample[2], 16)
        for begin, size, offset in maps[sample[1]]:
            if begin <= ip < begin + size:
                at = ip - begin + offset
                found[next(address + at - start for start, address, length in parts if start <= at < start + length)] += 1
    return found


def lines_of_perf(data, program):
    """(file, line) -> samples; what has no line is left out, as it is of prof's."""
    counts, found = addresses(data, program), collections.Counter()
    order = sorted(counts)
    for address, chain in zip(order, oracle.ask_llvm(oracle.symbolizer(), program, order)):
        if chain and chain[0].line and chain[0].file != oracle.UNKNOWN:
            found[chain[0].file, chain[0].line] += counts[address]
    if not found:
        raise RuntimeError("perf took no sample in a line of the program")
    return found


def lines_of_prof(prof, data):
    """(file, line) -> the time of its own that is shown, ns; where samples of two kinds count they don't weigh the same."""
    found = collections.Counter()
    for row in truth_prof.ask(prof, "lines", "-i", data, "--format=json", "-n", "0")["lines"]:
        if row["line"] and row["samples"]:
            found[oracle.tidy(row["file"]), row["line"]] += row["self_ns"]
    if not found:
        raise RuntimeError("prof took no sample in a line of the program")
    return found


def hottest(counts):
    return {line for line, _ in counts.most_common(HOTTEST)}


def only(counts, lines):
    """The same counts with all other lines as one."""
    kept = collections.Counter({line: counts[line] for line in lines})
    kept[OTHERS] = sum(counts.values()) - sum(kept.values())
    return kept


def distance(left, right, lines):
    return truth_perf.distance(only(left, lines), only(right, lines))


def rows(trial):
    """Of a truth.Trial that was recorded: its runs of the probed program, and what came of them."""
    if not oracle.symbolizer():
        yield Row(f"{trial.name}: hottest {HOTTEST} lines", "not measured", note="no llvm-symbolizer here (make setup-all)")
        return
    command, stem = [trial.probed, *trial.arguments], trial.stem
    perfs = []
    for mark in "ab":
        data = pathlib.Path(f"{stem}-lines-{mark}.perf")
        record(command, data)
        perfs.append(lines_of_perf(data, trial.probed))
    both_data, both_perf = pathlib.Path(f"{stem}-both.data"), pathlib.Path(f"{stem}-both.perf")
    shutil.rmtree(both_data, ignore_errors=True)
    record([trial.prof, "record", "-o", both_data, "--max-size=40G", "--", *command], both_perf)
    during, beside = lines_of_perf(both_perf, trial.probed), lines_of_prof(trial.prof, both_data)
    shutil.rmtree(both_data)
    ours = lines_of_prof(trial.prof, trial.data)
    whole = perfs[0] + perfs[1]
    lines = hottest(whole)
    own = distance(*perfs, lines)
    yield Row(f"{trial.name}: the hottest {HOTTEST} lines, perf against perf", f"{own:.2f}", note=(
        f"{sum(perfs[0].values())} samples in the program with its probes off, "
        f"{100 * sum(whole[line] for line in lines) / sum(whole.values()):.0f}% in these lines"))
    row = row_of("&nbsp; as `prof lines` shows them", statistics.mean(distance(ours, perf, lines) for perf in perfs), own + 5, own + 2,
                 note=f"{len(lines & hottest(ours))} of the {HOTTEST} are prof's too")
    row.must, row.aim = f"<= {own:.2f} + 5", f"{own:.2f} + 2"
    yield row
    yield Row("&nbsp; prof and perf in one run", f"{distance(beside, during, hottest(during)):.2f}", note=(
        f"{sum(during.values())} samples of perf's; recording changes its own by "
        f"{statistics.mean(distance(during, perf, lines) for perf in perfs):.2f}"))


def main():
    import truth  # pylint: disable=import-outside-toplevel,cyclic-import
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--programs", default=",".join(truth.works()))
    parser.add_argument("--compilers", default="", help="a list; default: the one that the demo takes")
    options = parser.parse_args()
    options.build = options.build.resolve()
    taken = []
    for compiler in options.compilers.split(",") if options.compilers else [programs.default_compiler()]:
        for name in options.programs.split(","):
            trial = truth.Trial(options, name, truth.works()[name], compiler)
            truth_prof.record(trial.prof, trial.data, [trial.probed, *trial.arguments], run)
            for row in rows(trial):
                progress(f"{row.what}: {row.measured} {row.must} {row.note}")
                taken.append(row)
    print(f"\nload {os.getloadavg()[0]:.1f}")
    print_table(taken)


if __name__ == "__main__":
    main()
