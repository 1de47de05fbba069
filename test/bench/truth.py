#!/usr/bin/env python3
"""truth.py --build BUILD [--programs NAME,...] [--compilers NAME,...] - are prof's shares true?  See README.md.

Records real programs and compares the shares that prof reports for each function with perf's samples of the plain program.
Nothing of prof was chosen on those of OTHERS.
BENCH_QUICK=1: small inputs.  Exit status 0 when everything could be measured, whatever came out.
"""
import argparse
import collections
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e" / "programs"))
import measuring  # noqa: E402
import programs  # noqa: E402
import truth_lines  # noqa: E402
import truth_perf  # noqa: E402
import truth_prof  # noqa: E402
from measuring import Row, progress, quick, row_of, run  # noqa: E402
from truth_perf import distance  # noqa: E402

FLAGS = ["-g", "-O2", "-fno-omit-frame-pointer"]
LISTED = 12  # functions shown by --list
LEAST_SHARE = 0.005  # of a row whose interval is looked at: the others have hardly a sample


@dataclasses.dataclass
class Work:
    """A program and what it is given.  About three seconds of the plain program, half a second of the quick one."""
    source: str  # as build-program.sh knows it
    arguments: list
    compiler: str = ""  # "": that of C


def works(times=1):
    few = quick()
    return {
        "zstd": Work("zstd", ["-3", "-c", *[programs.text_file(100)] * ((1 if few else 4) * times)]),
        "SQLite": Work("sqlite", ["--size", str((20 if few else 100) * times)]),
        "Bullet (C++)": Work("bullet", [str((500 if few else 3000) * times)], "c++"),
        "lua": Work("lua", programs.lua_arguments((150 if few else 900) * times)),
        "xz": Work("xz", ["-6", "-T1", "-c", *[programs.text_file(1)] * ((1 if few else 5) * times)]),
        "gawk": Work("gawk", ["-f", HERE / "words.awk", *[programs.text_file(1)] * ((2 if few else 14) * times)]),
        "mujs": Work("mujs", [HERE / "work.js", (2 if few else 14) * times]),
        "cppcheck (C++)": Work("cppcheck", ["-q", "--max-configs=1", *cppcheck_sources((1 if few else 5) * times)], "c++"),
    }


OTHERS = ["xz", "gawk", "mujs", "cppcheck (C++)"]  # judged, and nothing else: not measured unless asked for


def cppcheck_sources(times):
    """One of its own, so many times: half a second of the plain program each."""
    return [programs.cache_folder() / "sources" / "cppcheck" / "lib" / "checkbool.cpp"] * times


def row_between(what, value, how):
    """Where something was corrected, the total has to be what the plain program took."""
    corrected = not how.startswith("as measured")
    return Row(what, f"{value:.2f}", "0.9-1.1" if corrected else "", "0.98-1.02" if corrected else "",
               0.9 <= value <= 1.1 if corrected else None, how)


def compiler_of(work, compiler):
    """gcc-12 -> g++-12, clang-14 -> clang++-14, for a program in C++."""
    if work.compiler != "c++":
        return compiler
    return compiler.replace("clang", "clang++") if "clang" in compiler else compiler.replace("gcc", "g++")


@dataclasses.dataclass
class Recording:
    """One of a trial's recordings: what prof says of it, and the plain program's times before and after it."""
    data: pathlib.Path
    plain: list
    raw: dict = None
    report: dict = None

    def total(self, report):
        """Self times over the plain program's processor time."""
        return (sum(truth_prof.by_function(report, truth_prof.self_key(report)).values()) * 1e-9
                / statistics.mean(taken.cpu_s for taken in self.plain))


class Trial:
    """One program of one compiler: its runs, taken in turn, and the rows that come of them.

    Of several recordings the rows are of the one whose distance to perf is the median; totals are of all.
    """

    def __init__(self, options, name, work, compiler):
        self.options, self.name = options, name
        self.prof = options.build / "tools" / "prof"
        self.folder = options.build / "bench" / "truth" / compiler
        build_with = compiler_of(work, compiler)
        plugin = programs.plugin_flags(self.prof, compiler)
        self.plain, self.probed = (programs.build(work.source, variant, build_with, flags, self.folder)
                                   for variant, flags in (("plain", FLAGS), ("plugin", FLAGS + plugin)))
        self.arguments = [str(part) for part in work.arguments]
        self.stem = self.folder / work.source
        self.data = pathlib.Path(f"{self.stem}.data")  # of a single recording

    def perf(self, mark, callers):
        data = f"{self.stem}-{mark}.perf"
        truth_perf.record([self.plain, *self.arguments], data, callers, run)
        return data

    def measure(self):
        """Everything that runs the program, in turn."""
        self.recordings, plain = [], [self.run_plain()]
        perf_runs = {"a": self.perf("a", self.options.callers)}
        for turn in range(self.options.turns):
            data = self.data.with_suffix(f".{turn}.data")
            before = self.run_plain() if self.options.turns > 1 else plain[-1]
            recorded = truth_prof.record(self.prof, data, [self.probed, *self.arguments], run, *self.options.record)
            progress(f"{self.name}: recorded in {recorded.wall_s:.2f} s")
            after = self.run_plain()
            plain += [before, after]
            self.recordings.append(Recording(data, [before, after]))
        perf_runs["b"] = self.perf("b", self.options.callers)
        if self.options.callers != "fp":
            perf_runs["fp"] = self.perf("fp", "fp")
        self.plain_s = statistics.mean(taken.cpu_s for taken in plain)
        user_s = statistics.mean(taken.user_s for taken in plain)
        for recording in self.recordings:
            recording.raw, recording.report = (truth_prof.report(self.prof, recording.data, *words) for words in (["--raw"], []))
        probed = set(truth_prof.by_function(self.recordings[0].raw, "calls"))
        perfs = {mark: truth_perf.shares(data, self.plain, probed, user_s) for mark, data in perf_runs.items()}
        self.by_pointers = perfs.pop("fp", None)
        self.perfs = list(perfs.values())
        self.choose()

    def run_plain(self):
        taken = run([self.plain, *self.arguments])
        progress(f"{self.name}: plain {taken.cpu_s:.2f} s of processor time")
        return taken

    def choose(self):
        """The recording in the middle; the others' distances go into its note."""
        def away(recording):
            return self.from_perf(truth_prof.by_function(recording.report, truth_prof.self_key(recording.report)))
        order = sorted(self.recordings, key=away)
        chosen = order[len(order) // 2]
        self.away = [away(recording) for recording in order]
        self.data, self.raw, self.report = chosen.data, chosen.raw, chosen.report

    def own(self):
        return distance(*(perf.samples for perf in self.perfs))

    def from_perf(self, figures):
        """Mean distance to the two perf runs."""
        return statistics.mean(distance(figures, perf.samples) for perf in self.perfs)

    def share_row(self, what, figures, note="", asked=True):
        own = self.own()
        row = row_of(what, self.from_perf(figures), own + 5, own + 1, note=note)
        row.must, row.aim = f"<= {own:.2f} + 5", f"{own:.2f} + 1"
        if not asked:
            row.must = row.aim = ""
            row.met = None
        return row

    def rows(self):
        yield from self.oracle_rows()
        cover = self.report["cover"]
        how = ("from samples" if cover.get("sampled_threads") else
               "without probes" if cover["corrected_threads"] else "as measured")
        if len(self.away) > 1:
            how += "; of " + ", ".join(f"{away:.2f}" for away in self.away)
        yield self.share_row(f"{self.name}: self shares, as `prof report` shows them", truth_prof.by_function(self.report, truth_prof.self_key(self.report)), how)
        yield self.share_row("&nbsp; as measured (--raw)", truth_prof.by_function(self.raw, truth_prof.self_key(self.raw)), asked=False, note=(
            f"{cover['calls'] / 1e6:.1f}M calls; probes {100 * cover['probe_cost_share']:.0f}% of the time"))
        samples = truth_prof.by_function(self.report, "samples") if "samples" in self.report["functions"][0] else {}
        if sum(samples.values()):
            yield self.share_row("&nbsp; by samples", samples, f"{sum(samples.values())} samples outside of probes", asked=False)
            yield self.interval_row()
        yield from self.total_rows(how)
        yield from truth_lines.rows(self)

    def oracle_rows(self):
        perf, other = self.perfs
        samples = sum(perf.samples.values())
        yield Row(f"{self.name}: perf against perf", f"{self.own():.2f}", note=(
            f"{samples} samples ({perf.rate:.0f}/s of user time), {100 * perf.unprobed / samples:.1f}% in unprobed code, "
            f"{100 * (perf.outside + other.outside) / 2 / samples:.1f}% outside; {self.plain_s:.2f} s plain"))
        if self.by_pointers:
            yield Row("&nbsp; perf with callers by frame pointers", f"{self.from_perf(self.by_pointers.samples):.2f}",
                      note=f"{100 * self.by_pointers.outside / samples:.1f}% without any probed caller")

    def is_between(self, row):
        """Does prof's interval meet the one from perf's one share to the other?  The oracle's own runs differ by that."""
        name = truth_perf.merged(row["name"])
        shares = [perf.samples[name] / sum(perf.samples.values()) for perf in self.perfs]
        return row["sample_share_low"] <= max(shares) and row["sample_share_high"] >= min(shares)

    def interval_row(self):
        """How often perf's share (both runs together) lies in the interval that prof states."""
        both = sum((collections.Counter(perf.samples) for perf in self.perfs), collections.Counter())
        whole = sum(both.values())
        names = collections.Counter(truth_perf.merged(row["name"]) for row in self.report["functions"])
        rows = [row for row in self.report["functions"]
                if row["sample_share"] >= LEAST_SHARE and names[truth_perf.merged(row["name"])] == 1]
        held = sum(row["sample_share_low"] <= both[truth_perf.merged(row["name"])] / whole <= row["sample_share_high"]
                   for row in rows)
        meets = sum(self.is_between(row) for row in rows)
        row = row_of("&nbsp; perf's share lies in the stated 95% interval", 100 * held / max(len(rows), 1), 90, 95, "%",
                     at_least=True, digits=0, note=f"of {len(rows)} functions with at least {100 * LEAST_SHARE:g}%; "
                     f"{100 * meets / max(len(rows), 1):.0f}% reach into what perf's two runs lie apart")
        row.must = "90-100%"
        return row

    def total_rows(self, how):
        totals = sorted(recording.total(recording.report) for recording in self.recordings)
        raw = statistics.median(recording.total(recording.raw) for recording in self.recordings)
        note = how.split(";")[0] + ("; of " + ", ".join(f"{total:.2f}" for total in totals) if len(totals) > 1 else "")
        yield row_between("&nbsp; total of the times shown over plain processor time", statistics.median(totals), note)
        yield Row("&nbsp; the same as measured", f"{raw:.2f}", note="without the time that the thread was kept from running")

    def listing(self):
        """The functions that differ most, for the one who looks for the cause."""
        selves = truth_prof.by_function(self.report, truth_prof.self_key(self.report))
        ours = {name: 100 * ns / sum(selves.values()) for name, ns in selves.items()}
        theirs = [{name: 100 * n / sum(perf.samples.values()) for name, n in perf.samples.items()} for perf in self.perfs]
        calls = truth_prof.by_function(self.report, "calls")
        mean = {name: statistics.mean(part.get(name, 0) for part in theirs) for name in {*theirs[0], *theirs[1], *ours}}
        for name in sorted(mean, key=lambda name: -abs(mean[name] - ours.get(name, 0)))[:LISTED]:
            print(f"    {ours.get(name, 0):6.2f} prof  {theirs[0].get(name, 0):6.2f} {theirs[1].get(name, 0):6.2f} perf  "
                  f"{calls.get(name, 0):12,d} calls  {name}")


def measure(options, name, compiler):
    try:
        trial = Trial(options, name, works(options.times)[name], compiler)
        trial.measure()
        rows = list(trial.rows())
        if options.list:
            trial.listing()
    except SystemExit:
        return [Row(name, "could not be measured", note="its source can't be had here")], False
    except (RuntimeError, OSError, subprocess.CalledProcessError, KeyError, ValueError) as error:
        return [Row(name, "could not be measured", note=" ".join(str(error).split())[:200])], False
    return rows, True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--programs", default=",".join(name for name in works() if name not in OTHERS), help="of " + ", ".join(works()))
    parser.add_argument("--compilers", default="default", help="a list, or all: those that prof has a backend for")
    parser.add_argument("--callers", choices=("dwarf", "fp"), default="dwarf", help="how perf finds the callers of unprobed code")
    parser.add_argument("--turns", type=int, default=1, help="recordings of each program, in turn with the plain one: the middle one counts")
    parser.add_argument("--record", action="append", default=[], help="an option of prof record, as in --record=--overhead=5%%")
    parser.add_argument("--times", type=int, default=1, help="give the programs so many times as much to do")
    parser.add_argument("--list", action="store_true", help="show the functions that differ most")
    options = parser.parse_args()
    options.build = options.build.resolve()
    prof = options.build / "tools" / "prof"
    if not prof.exists():
        sys.exit(f"truth: there is no {prof}: make build")
    found = {"default": [programs.default_compiler()], "all": programs.compilers(prof)}
    compilers = found.get(options.compilers) or options.compilers.split(",")
    (options.build / "bench").mkdir(exist_ok=True)
    rows, whole = [], True
    for compiler in compilers:
        for name in options.programs.split(","):
            progress(f"== {name}, {compiler}")
            taken, right = measure(options, name, compiler)
            whole &= right
            for row in taken:
                row.what = row.what if len(compilers) == 1 or row.what.startswith("&nbsp;") else f"{compiler}: {row.what}"
                progress(f"{row.what}: {row.measured} {row.must} {row.note}")
            rows += taken
    print(f"\n{time.strftime('%Y-%m-%d')}, {measuring.machine()}, {', '.join(map(measuring.version, compilers))}, "
          f"perf by {truth_perf.event()} at {truth_perf.HERTZ} Hz, load {os.getloadavg()[0]:.1f}{', quick' if quick() else ''}\n")
    measuring.print_table(rows)
    (options.build / "bench" / "truth.json").write_text(json.dumps([dataclasses.asdict(row) for row in rows], indent=1))
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
