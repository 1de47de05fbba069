"""Rows: are the calls that a recording with a budget shows true?  callgrind counts them in the same program, whose probes are off then."""
import collections
import json
import re
import shutil
import statistics
import subprocess

from measuring import Row, progress, quick, repeats, row_of, run

LEAST_SHARE = 0.01  # of the time, of functions whose intervals have to be narrow


def true_calls(program, arguments, data):
    """function -> its calls, by callgrind."""
    run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={data}", program, *arguments])
    names, calls, callee = {}, collections.Counter(), None
    for line in data.read_text(encoding="utf-8", errors="replace").splitlines():
        found = re.match(r"(c?)fn=\((\d+)\)(?: (.*))?$", line)
        if found and found[3]:
            names[found[2]] = found[3].split("'")[0].strip()  # f'2: a recursive call
        if found and found[1]:
            callee = names[found[2]]
        elif line.startswith("calls="):
            calls[callee] += int(line[6:].split()[0])
    data.unlink()
    return calls


class Compared:
    """A recording beside the true calls: exact functions that agree, intervals of the others that hold them."""

    def __init__(self, report, true):
        rows = [row for row in report["functions"] if true[row["name"]] and row["calls"]]
        exact = [row for row in rows if not row.get("estimated")]
        bursts = [row for row in rows if row.get("estimated") and row["calls_high"] is not None]
        time = sum(row["self_ns"] for row in report["functions"])
        self.exact = (sum(row["calls"] == true[row["name"]] for row in exact), len(exact))
        self.inside = (sum(row["calls_low"] <= true[row["name"]] <= row["calls_high"] for row in bursts), len(bursts))
        self.over_true = sum(row["calls"] for row in bursts) / max(sum(true[row["name"]] for row in bursts), 1)
        self.widths = [(row["calls_high"] - row["calls_low"]) / 2 / row["calls"] for row in bursts if row["self_ns"] >= LEAST_SHARE * time]


def share(pairs):
    """Of pairs (how many, of how many): the percentage."""
    return 100 * sum(part for part, _ in pairs) / max(sum(whole for _, whole in pairs), 1)


def count_rows(builds):
    if not shutil.which("valgrind"):
        yield Row("calls against callgrind", "could not be measured", note="valgrind is not installed")
        return
    program, arguments = builds.program("sqlite", "plugin"), ["--size", "10" if quick() else "100"]
    progress("counts: callgrind")
    true, data, compared = true_calls(program, arguments, builds.folder / "callgrind.out"), builds.folder / "counts.data", []
    for turn in range(repeats(3, 1)):
        progress(f"counts: recording {turn + 1}")
        shutil.rmtree(data, ignore_errors=True)
        run([builds.prof, "record", "-o", data, "--overhead=5%", "--", program, *arguments])
        report = subprocess.run([builds.prof, "report", "-i", data, "--format=json"], capture_output=True, text=True, check=True)
        compared.append(Compared(json.loads(report.stdout), true))
    note = f"SQLite at 5%, {len(compared)} recordings"
    yield row_of("functions recorded one by one whose calls are callgrind's", share([one.exact for one in compared]), 100, 100, "%",
                 at_least=True, note=f"{note}, {compared[0].exact[1]} functions in the first", digits=1)
    yield row_of("functions in bursts: callgrind's calls in the 95% interval", share([one.inside for one in compared]), 90, 95, "%",
                 at_least=True, note=f"{note}, {compared[0].inside[1]} functions in the first; all calls over the true ones " +
                 ", ".join(f"{one.over_true:.2f}" for one in compared), digits=1)
    widths = [100 * width for one in compared for width in one.widths]
    if widths:
        yield row_of("&nbsp; half width, functions with 1% of the time and more: median", statistics.median(widths), 10, 3, "%",
                     note=f"worst {max(widths):.0f}%", digits=1)
