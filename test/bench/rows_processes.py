"""Rows: what recording adds to a program that starts thousands of short processes."""
import shutil

from measuring import in_turn, median, progress, quick, repeats, row_of, run


def process_rows(builds):
    count = 500 if quick() else 5000
    progress(f"{count} short processes")
    data = builds.folder / "short.data"

    def loop(variant):
        program = builds.folder / f"short-{variant}"
        run([builds.compiler, "-g", "-O2", *builds.flags(variant), builds.source / "short_process.c", "-o", program])
        return ["sh", "-c", f"i=0; while [ $i -lt {count} ]; do {program}; i=$((i+1)); done"]

    def record():
        shutil.rmtree(data, ignore_errors=True)
        return run(recorded)

    recorded = [builds.prof, "record", "-o", data, "--", *loop("plugin")]
    runs = in_turn(repeats(3), plain=loop("plain"), recorded=record)
    plain, whole = (median(runs[name]) / count * 1000 for name in ("plain", "recorded"))
    yield row_of("wall time that recording adds to a short process", whole - plain, 1.5, 0.5, " ms",
                 note=f"plain {plain:.2f} ms; {count} processes one after another")
