"""What the drivers share: options, passes over tests x compilers x levels that can be broken off and resumed, the table.

In: tests with name, language, flags, sources, `skip` (why not, or None) and `checks_itself` (status 0 is a pass).  Out: the
table, and an exit status: 0 nothing bad, 1 something, 75 time ended before all were run, 77 nothing could be run.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import sys
import time

import results
import suite
import trial

SKIP, LEFT = 77, 75
BAD = (trial.DIFFERS, trial.REFUSED, trial.CRASHED, trial.TRACE)


def parser_new(about, levels):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--prof", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--plugin", required=True, type=lambda text: pathlib.Path(text).resolve(), help="prof.so")
    parser.add_argument("--compilers", help="names with commas (default: all that have a backend)")
    parser.add_argument("--levels", default=levels, help="with commas")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no test after this time")
    parser.add_argument("--fresh", action="store_true", help="take no verdict from an earlier run")
    parser.add_argument("--show", action="store_true", help="only print what is known")
    parser.add_argument("--spread", choices=("level", "cell"), help="run each test with each compiler at one level only, or "
                        "with one compiler at one level: all are met in turn")
    parser.add_argument("--compare", action="store_true", help="compare with the plain build also what passes with the plugin")
    parser.add_argument("--keep", help="leave the files of the last trial here")
    return parser


def compilers_chosen(options):
    names = (options.compilers.split(",") if options.compilers else
             [file.stem[5:] for file in sorted(options.plugin.parent.glob("prof-*-*.so"))])
    for name in names:
        compiler, why = trial.compiler_new(name, options.plugin, options.prof)
        if compiler:
            yield compiler
        else:
            print(f"skipped {name}: {why}")


def one(options, store, compiler, level, test, end):
    if time.monotonic() >= end:
        return
    verdict, text = f"skipped: {test.skip}", ""
    flags = [*test.flags, level]
    if not test.skip:
        plain_needed = options.compare or options.keep or not test.checks_itself
        if not plain_needed and trial.passes(compiler, test.language, flags, test.sources):
            verdict = trial.PASSED
        else:
            verdict, text = trial.trial(compiler, test.language, flags, test.sources, options.keep)
    store.add(test.name, verdict, text)


def pass_over(options, kind, compiler, level, chosen, end):
    """Runs what is not known yet; returns {test name: row}."""
    store = results.Results(suite.cache_folder() / kind, compiler, level, keep=not options.fresh)
    if not options.show:
        todo = [test for test in chosen if not store.known(test.name)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda test: one(options, store, compiler, level, test, end), todo))
    return {test.name: store.rows[test.name] for test in chosen if store.known(test.name)}


def table_print(title, rows, wanted):
    """One line per compiler and level; what went wrong is named beneath.  Returns how many went wrong."""
    count = collections.Counter(row["verdict"] for row in rows.values())
    skipped = {verdict[9:]: number for verdict, number in count.items() if verdict.startswith("skipped")}
    why = ", ".join(f"{number} {reason}" for reason, number in sorted(skipped.items(), key=lambda item: -item[1]))
    print(f"{title}: {len(rows) - sum(skipped.values())} run ({count[trial.PASSED]} passed off and on, {count[trial.SAME]} the same "
          f"as plain), {count[trial.DIFFERS]} differ, {count[trial.REFUSED]} refused, "
          f"{count[trial.CRASHED]} compiler crashes, {count[trial.TRACE]} unsound traces, "
          f"{sum(skipped.values())} skipped" + (f" ({why})" if why else ""))
    if len(rows) < wanted:
        print(f"    {wanted - len(rows)} not reached")
    for name, row in rows.items():
        if row["verdict"] in BAD:
            print(f"  {row['verdict'].upper()} {name}\n      " + row["text"].replace("\n", "\n      ")[:1500])
    return sum(count[verdict] for verdict in BAD)


def share_of(spread, chosen, compiler, level, counts):
    """The tests that one pass runs.  `compiler`, `level`: which one, from 0; `counts`: how many there are of each."""
    if spread == "level":
        return [test for i, test in enumerate(chosen) if (i + compiler) % counts[1] == level]
    if spread == "cell":
        return [test for i, test in enumerate(chosen) if i % (counts[0] * counts[1]) == compiler * counts[1] + level]
    return chosen


def run(options, kind, chosen):
    """All passes, level by level, so that a run broken off has seen all compilers.  `kind`: the folder of the verdicts."""
    end = time.monotonic() + options.seconds
    compilers, levels = list(compilers_chosen(options)), options.levels.split(",")
    bad, left, ran = 0, 0, 0
    for compiler in compilers:
        print(compiler.version)
    for i, level in enumerate(levels):
        for j, compiler in enumerate(compilers):
            share = share_of(options.spread, chosen, j, i, (len(compilers), len(levels)))
            rows = pass_over(options, kind, compiler, level, share, end)
            bad += table_print(f"{compiler.name} {level}", rows, len(share))
            left += len(share) - len(rows)
            ran += sum(not row["verdict"].startswith("skipped") for row in rows.values())
            sys.stdout.flush()
    print(f"{len(chosen)} tests, {len(compilers)} compilers, {len(levels)} levels: {ran} run, {bad} bad, {left} not reached")
    if bad:
        return 1
    if left and not options.show:
        return LEFT
    return 0 if ran else SKIP
