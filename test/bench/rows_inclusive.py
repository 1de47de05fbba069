"""Rows: is the inclusive time true that a recording with a budget shows?  The program runs again with one function's probes on."""
import json
import shutil
import statistics
import subprocess

import programs
from measuring import Row, progress, quick, repeats, row_of, run

HOTTEST = 10
LEAST_SHARE = 0.02  # of the time: chance is too much of less


def report(builds, data, command, *options):
    """function -> its running time, calls within it included, in ns."""
    shutil.rmtree(data, ignore_errors=True)
    run([builds.prof, "record", "-o", data, *options, "--", *command])
    done = subprocess.run([builds.prof, "report", "-i", data, "-n", "0", "--format=json"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return {row["name"]: row.get("running_ns", row["total_ns"]) for row in found["functions"]}, found["cover"]["inside_ns"]


def workloads(builds):
    size = 10 if quick() else 600
    yield "lua", [builds.program("lua", "plugin"), *programs.lua_arguments(size)]
    yield "SQLite", [builds.program("sqlite", "plugin"), "--size", "20" if quick() else "100"]


def inclusive_rows(builds):
    """The one function's probes cost something as well: less than its time, as it is one of the hottest with all it calls."""
    data, turns = builds.folder / "inclusive.data", repeats(3, 1)
    for name, command in workloads(builds):
        with_budget = []
        for turn in range(turns):
            progress(f"inclusive: {name}, with a budget, {turn + 1}")
            with_budget.append(report(builds, data, command, "--overhead=5%"))
        budget = {function: statistics.median(times.get(function, 0) for times, _ in with_budget) for function in with_budget[0][0]}
        all_ns = max(budget.values())
        hottest = [function for function in sorted(budget, key=budget.get, reverse=True) if budget[function] >= LEAST_SHARE * all_ns][:HOTTEST]
        ratios = {}
        for function in hottest:
            progress(f"inclusive: {name}, {function} alone")
            alone = [report(builds, data, command, "--full", "-F", function, "-D", "1")[0].get(function, 0) for _ in range(turns)]
            if statistics.median(alone) > 0:
                ratios[function] = budget[function] / statistics.median(alone)
        if not ratios:
            yield Row(f"inclusive time, {name}", "could not be measured", note="no function is hot enough")
            continue
        worst = max(ratios, key=lambda function: abs(ratios[function] - 1))
        off = [100 * abs(ratio - 1) for ratio in ratios.values()]
        yield row_of(f"inclusive time of the {len(ratios)} hottest functions, {name}: farthest from the plain one's", max(off), 10, 3, "%", digits=1,
                     note=f"{worst} {ratios[worst]:.3f}; median {statistics.median(off):.1f}%; " +
                     ", ".join(f"{function} {ratio:.2f}" for function, ratio in ratios.items()))
