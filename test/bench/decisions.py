#!/usr/bin/env python3
"""decisions.py --build BUILD [--only diff,noisy,real,budget,gate,compare] - how often `prof diff`, `gate` and `compare` are right; see README.md.

The program is decision_work.c: functions whose work and whose noise from run to run are known.  Exit status 0 when everything could be
measured, whatever came out.  BENCH_QUICK=1: 3 trials instead of 20.
"""
import argparse
import json
import math
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e" / "programs"))
import programs  # noqa: E402
from measuring import Row, machine, print_table, progress, quick  # noqa: E402

FUNCTIONS = 20
DEVIATIONS = (0, 0.02, 0.04, 0.08, 0.15)  # of decision_work.c: function N has the one of N % 5
SIDE = 6
CHANGES = (1.05, 1.10, 1.30)
POOL = 60  # runs a side of the noisy rows
DRAWS = 40
NOISY_CHANGE = 1.10


def deviation(name):
    return DEVIATIONS[int(name.split("_")[1]) % len(DEVIATIONS)]


class Bench:
    def __init__(self, build):
        self.prof = build / "tools" / "prof"
        self.folder = build / "bench" / "decisions"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        compiler = programs.default_compiler()
        flags = programs.plugin_flags(self.prof, compiler)
        self.run([compiler, "-g", "-O2", *flags, HERE / "decision_work.c", "-o", "work", "-lm"])
        self.trials = 3 if quick() else 20
        self.random = random.Random(19)
        self.options, self.words = [], []  # of prof record, of the program

    def run(self, command, statuses=(0,)):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode not in statuses:
            raise RuntimeError(f"{command}: {done.returncode}: {done.stderr[-500:]}")
        return done

    def record(self, name, factors):
        self.run([self.prof, "record", *self.options, "-o", name, "./work", *self.words, *(f"{function}={factor}" for function, factor in factors.items())])

    def record_sides(self, trial, factors, count):
        """`count` runs of each side, in turns of random order."""
        for turn in range(count):
            for side in self.random.sample("ab", 2):
                self.record(f"{trial}.{side}.{turn}", factors if side == "b" else {})

    def diff(self, old, new, *options):
        return json.loads(self.run([self.prof, "diff", "--format=json", *options, *old, "--", *new]).stdout)

    def side(self, trial, side, count=SIDE):
        return [f"{trial}.{side}.{turn}" for turn in range(count)]


def functions_of(diff):
    return [row for row in diff["rows"] if row["kind"] == "function" and row["name"].startswith("work_") and row["metric"] == "running"]


def holds(row, truth):
    return row["low"] <= truth <= row["high"]


def percent(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f}%)" if whole else "none"


def row_of(what, part, whole, must, met):
    return Row(what, percent(part, whole), must, met=whole > 0 and met(part / whole))


def diff_rows(bench):
    """In each trial three of the quiet functions become slower; all others are the same."""
    quiet = [f"work_{number}" for number in range(FUNCTIONS) if DEVIATIONS[number % len(DEVIATIONS)] <= 0.04]
    found, first, covered, tested, wrong, same_rows = {change: [] for change in CHANGES}, 0, 0, 0, 0, 0
    by_noise, held = {}, {}
    for trial in range(bench.trials):
        progress(f"diff, trial {trial + 1} of {bench.trials}")
        factors = dict(zip(bench.random.sample(quiet, len(CHANGES)), CHANGES))
        bench.record_sides(f"p{trial}", factors, SIDE)
        rows = functions_of(bench.diff(bench.side(f"p{trial}", "a"), bench.side(f"p{trial}", "b")))
        changed = [row["name"] for row in rows if row["verdict"] in ("slower", "faster")]
        first += changed[:1] == [name for name, factor in factors.items() if factor == CHANGES[-1]] or set(changed[:2]) <= set(factors)
        for row in rows:
            truth = factors.get(row["name"], 1)
            if row["ratio"] is None:
                continue
            tested += 1
            covered += holds(row, truth)
            held.setdefault(deviation(row["name"]), []).append(holds(row, truth))
            if truth == 1:
                same_rows += 1
                wrong += row["verdict"] in ("slower", "faster")
            else:
                found[truth].append(row["verdict"] == "slower")
                by_noise.setdefault((truth, deviation(row["name"])), []).append(row["verdict"] == "slower")
    for change, must in zip(CHANGES, (None, 0.8, 1.0)):
        hits = found[change]
        detail = ", ".join(f"{noise:.0%}: {sum(rows)} of {len(rows)}" for (what, noise), rows in sorted(by_noise.items()) if what == change)
        row = row_of(f"a function {change - 1:.0%} slower, six runs a side: found", sum(hits), len(hits), f">= {must:.0%}" if must else "", lambda part: not must or part >= must)
        row.note = f"by noise of a run: {detail}"
        yield row
    yield row_of("... a changed function stands first", first, bench.trials, "all", lambda part: part == 1)
    row = row_of("intervals that hold the truth", covered, tested, "90 to 100%", lambda part: part >= 0.9)
    row.note = "by noise of a run: " + ", ".join(f"{noise:.0%}: {sum(rows) / len(rows):.0%}" for noise, rows in sorted(held.items()))
    yield row
    yield row_of("unchanged functions called changed, beside changed ones", wrong, same_rows, "<= 5%", lambda part: part <= 0.05)
    yield from same_build_rows(bench)


def same_build_rows(bench):
    """The unchanged sides of two trials are two groups of the same build."""
    called = rows_count = programs_wrong = pairs = 0
    for step in (1, 2):
        for trial in range(bench.trials):
            other = (trial + step) % bench.trials
            if other == trial:
                continue
            diff = bench.diff(bench.side(f"p{trial}", "a"), bench.side(f"p{other}", "a"))
            rows = [row for row in functions_of(diff) if row["ratio"] is not None]
            called += sum(row["verdict"] in ("slower", "faster") for row in rows)
            rows_count += len(rows)
            programs_wrong += diff["verdict"] in ("slower", "faster")
            pairs += 1
    yield row_of(f"the same build, {pairs} pairs of six runs a side: rows called different", called, rows_count, "<= 5%", lambda part: part <= 0.05)
    yield row_of("... whole programs called different", programs_wrong, pairs, "2 of 40", lambda part: part <= 0.05)


def noisy_rows(bench):
    """Rows that are unknown with six runs a side say how many runs would show 10%: so many are drawn from a pool then."""
    changed = {"work_2": NOISY_CHANGE, "work_8": NOISY_CHANGE, "work_13": NOISY_CHANGE}  # deviations 4%, 8%, 8%
    progress(f"noisy: {POOL} runs a side")
    pool = 12 if quick() else POOL
    bench.record_sides("n", changed, pool)
    kept = asked = beyond = silent = 0
    for draw in range(3 if quick() else DRAWS):
        progress(f"noisy, draw {draw + 1}")
        few = [bench.random.sample(range(pool), SIDE) for _ in "ab"]
        rows = functions_of(bench.diff(*([f"n.{side}.{turn}" for turn in turns] for side, turns in zip("ab", few)), "--same=10%"))
        for row in rows:
            if row["name"] not in changed or row["verdict"] != "unknown":
                continue
            needed = row.get("runs_needed")
            if needed is None:
                silent += 1
                continue
            if needed > pool:
                beyond += 1
                continue
            asked += 1
            more = [bench.random.sample(range(pool), needed) for _ in "ab"]
            again = functions_of(bench.diff(*([f"n.{side}.{turn}" for turn in turns] for side, turns in zip("ab", more)), "--same=10%"))
            kept += any(again_row["name"] == row["name"] and again_row["verdict"] == "slower" for again_row in again)
    row = row_of("noisier functions, 10% slower, unknown: so many runs show it as are said to", kept, asked, ">= 90%", lambda part: part >= 0.9)
    row.note = f"{beyond} asked for more than the {pool} runs of the pool, {silent} had no number"
    yield row


def real_rows(bench):
    """Runs of lua, SQLite and zstd, each the same build: two groups of six that are drawn at random are no different."""
    compiler = programs.default_compiler()
    flags = ["-g", "-O2", *programs.plugin_flags(bench.prof, compiler)]
    works = {"lua": programs.lua_arguments(4), "sqlite": ["--size", "2", ":memory:"], "zstd": ["-3", "-f", programs.text_file(2), "-o", "/dev/null"]}
    runs, splits = (12, 4) if quick() else (20, 40)
    for name, words in works.items():
        program = programs.build(name, "decisions", compiler, flags, bench.folder.parent / "programs")
        files = []
        for turn in range(runs):
            progress(f"real, {name} {turn + 1} of {runs}")
            bench.run([bench.prof, "record", "-o", "run", program, *words])
            bench.run([bench.prof, "baseline", "save", f"{name}{turn}", "run"])
            files.append(f"prof.baselines/{name}{turn}.baseline")
        called = tested = wrong = 0
        for split in range(splits):
            progress(f"real, {name}, split {split + 1} of {splits}")
            drawn = bench.random.sample(files, 2 * SIDE)
            diff = bench.diff(drawn[:SIDE], drawn[SIDE:])
            called, tested = called + diff["called"], tested + diff["tested"]
            wrong += diff["verdict"] in ("faster", "slower")
        yield row_of(f"{name}, {splits} splits of {runs} runs into six a side: rows called different", called, tested, "<= 5%", lambda part: part <= 0.05)
        yield row_of(f"... whole programs called different ({name})", wrong, splits, "2 of 40", lambda part: part <= 0.05)


def budget_rows(bench):
    """Recordings with a budget: many short calls, so that functions are in bursts and their times come from samples."""
    bench.options, bench.words = ["--overhead=5%"], ["calls=60000", "part=0.02"]
    trials = max(2, bench.trials // 4)
    covered = tested = called = slower = 0
    for trial in range(trials):
        progress(f"budget, trial {trial + 1} of {trials}")
        slow = f"work_{bench.random.choice((15, 16, 10, 11))}"  # quiet, and with most of the time
        bench.record_sides(f"b{trial}", {slow: 1.3}, SIDE)
        rows = [row for row in functions_of(bench.diff(bench.side(f"b{trial}", "a"), bench.side(f"b{trial}", "b"))) if row["ratio"] is not None]
        tested += len(rows)
        covered += sum(holds(row, 1.3 if row["name"] == slow else 1) for row in rows)
        called += sum(row["verdict"] in ("slower", "faster") and row["name"] != slow for row in rows)
        slower += any(row["name"] == slow and row["verdict"] == "slower" for row in rows)
    rows = functions_of(bench.diff(bench.side("b0", "a"), bench.side("b0", "b"), "--same=30%"))
    asked = []
    needed = max((row.get("runs_needed", 0) for row in rows if row["name"] in ("work_15", "work_16", "work_10", "work_11")), default=0)
    if needed and not quick():
        progress(f"budget: {needed} runs a side")
        bench.record_sides("many", {"work_15": 1.3}, needed)
        rows = functions_of(bench.diff(bench.side("many", "a", needed), bench.side("many", "b", needed)))
        asked = [any(row["name"] == "work_15" and row["verdict"] == "slower" for row in rows)]
    bench.options, bench.words = [], []
    yield row_of("with a budget of 5%, functions in bursts: intervals that hold the truth", covered, tested, "90 to 100%", lambda part: part >= 0.9)
    yield row_of("... unchanged functions called changed", called, tested - trials, "<= 5%", lambda part: part <= 0.05)
    yield Row("... a function 30% slower found", percent(slower, trials), note="times are from samples")
    yield Row(f"... with as many runs as prof diff asked for ({needed} a side)", percent(sum(asked), len(asked)))


def gate_rows(bench):
    """A repository's gate: a baseline of ten runs; then twenty times five fresh runs of the same build, and of one with a regression."""
    quiet = [f"work_{number}" for number in range(FUNCTIONS) if DEVIATIONS[number % len(DEVIATIONS)] <= 0.02]
    for turn in range(10):
        bench.record(f"base.{turn}", {})
    bench.run([bench.prof, "baseline", "save", "main", *(f"base.{turn}" for turn in range(10))])
    (bench.folder / "gate.toml").write_text('baseline = "main"\nmust_show = "off"\n')
    passed = failed = 0
    for trial in range(bench.trials):
        progress(f"gate, trial {trial + 1} of {bench.trials}")
        slow = bench.random.choice(quiet)
        bench.record_sides(f"g{trial}", {slow: 1.3}, 5)
        good = json.loads(bench.run([bench.prof, "gate", "--format=json", *bench.side(f"g{trial}", "a", 5)], (0, 1, 2)).stdout)
        bad = json.loads(bench.run([bench.prof, "gate", "--format=json", *bench.side(f"g{trial}", "b", 5)], (0, 1, 2)).stdout)
        passed += good["result"] == "kept"
        broken = [check["rule"] for check in bad["checks"] if check["result"] == "broken"]
        failed += bad["result"] == "broken" and f"function {slow} is slower" in broken
    yield row_of("gate: the same build passes", passed, bench.trials, "all", lambda part: part == 1)
    yield row_of("gate: a function 30% slower: fails with its name", failed, bench.trials, "all", lambda part: part == 1)


def ratio_width(old, new):
    """hyperfine shows means and deviations: the width of the 95% interval of the logarithm of the ratio that they give."""
    error = math.sqrt(sum((statistics.stdev(times) / statistics.mean(times)) ** 2 / len(times) for times in (old, new)))
    freedom = 2 * len(old) - 2
    return 2 * student(freedom) * error


def student(freedom):
    """The 97.5% quantile (Abramowitz and Stegun 26.7.5)."""
    z = 1.959964
    return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)


def compare_rows(bench):
    """Both tools compare the same pair with as many runs, in blocks that take turns, so that the machine disturbs both alike."""
    if not shutil.which("hyperfine"):
        yield Row("compare against hyperfine", "-", note="no hyperfine here")
        return
    pairs, blocks = 10, 2 if quick() else 12
    cpu, wall = [], []
    for block in range(blocks):
        progress(f"compare, block {block + 1} of {blocks}")

        def ours():
            return json.loads(bench.run([bench.prof, "compare", "-n", pairs, "-r", "0", "--precise=0.01%", "--warm-up=1", f"--seed={block}", "--format=json",
                                         "--", "./work", "--", "./work", "work_7=1.5"]).stdout)

        def theirs():
            out = bench.folder / "hyperfine.json"
            bench.run(["hyperfine", "-N", "--style=none", "--runs", pairs, "--warmup", "1", "--export-json", out, "./work", "./work work_7=1.5"])
            return json.loads(out.read_text())["results"]

        if block % 2:
            result, peer = ours(), theirs()
        else:
            peer, result = theirs(), ours()
        if result["low"] and result["wall"]["low"]:
            width = ratio_width(*(entry["times"] for entry in peer))
            cpu.append(math.log(result["high"] / result["low"]) / width)
            wall.append(math.log(result["wall"]["high"] / result["wall"]["low"]) / width)
    for what, ratios in (("elapsed time", wall), ("CPU time, which decides", cpu)):
        middle = statistics.median(ratios)
        yield Row(f"compare against hyperfine, {pairs} runs a side in turns: width of the interval of {what}, by that of hyperfine's times", f"{middle:.2f} (median)", "<= 1", met=middle <= 1,
                  note=f"narrower in {sum(ratio <= 1 for ratio in ratios)} of {len(ratios)} blocks")


ROWS = {"diff": diff_rows, "noisy": noisy_rows, "real": real_rows, "budget": budget_rows, "gate": gate_rows, "compare": compare_rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", default=",".join(ROWS))
    options = parser.parse_args()
    bench = Bench(options.build.resolve())
    rows = []
    for name in options.only.split(","):
        rows += ROWS[name](bench)
    print(f"{machine()}; load {os.getloadavg()[1]:.0f}")
    print_table(rows)
    return 0


sys.exit(main())
