#!/usr/bin/env python3
"""What views print of a recording, they print of its summary too (prof record --mode=summary)."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import slices  # noqa: E402

EVERY = 3  # command of a recording, another one of the next recording; the whole: all
COMMANDS = ("report -n 0", "report --by=thread --format=json", "tree --min-share=0", "report --by=thread -F main", "tree --min-share=0 -N 'w*'",
            "tree --min-share=0 -D 2", "tree --min-share=0 --caller=main", "tree --loops --min-share=0 --format=json", "lines", "loops --format=json",
            "annotate main", "info", "flame -o -", "export --format=json", "export --format=callgrind", "export --format=folded --lines")
MEASURES = ("memory --paths", "memory --by=size --format=json", "memory --by=zone", "memory -F load --sort=bytes --format=csv -n 1", "io --format=json", "io --by=file", "io --by=operation",
            "io -N load --paths", "locks --all --format=json", "locks --paths", "queries --format=json", "queries --by=statement", "queries --paths -D 1")
COUNTERS = ("report --by=counter", "report --by=counter --format=json", "report --by=counter --pid=1000")
WITH_COUNTERS = ("machine", "points")
HARDWARE = ("counters", "counters --by=loop --format=json", "counters --by=module", "counters --by=line --format=json", "counters --format=json", "counters -F again --format=csv",
            "counters -N step", "counters --tid=101 --format=json", "report --by=file --format=csv", "report --by=process --format=csv", "tree --min-share=0 --format=json")
WITH_HARDWARE = ("pmu", "pmu_nested")
# Recordings that have what a summary never has.
OF_THREADS = ("export --format=json", "export --format=callgrind")  # number threads in the order of the file
TAKEN_OVER = ("forked", "part", "paused")  # open frames that are no calls of their stream: --caller shows them where single calls are known
ROUNDED = ("late_waits",)  # waits in stretches stand for parts of a tick, which a summary rounds: shown in units, not in nanoseconds
OF_CALLS = ("tree --min-share=0 -N 'w*'", "tree --min-share=0 -D 2")  # another rounding
OTHERS = {"bounded": "sparse-clock intervals", "sliced": "sparse-clock intervals", "slice_waits": "sparse-clock intervals",
          "dense": "sparse-clock intervals", "stretches": "sparse-clock intervals", "gpu": "a GPU", "gpu_memory": "a GPU",
          "gpu_and_host": "a GPU", "unfinished": "no SAMPLER"}
# Of the file itself, and of single samples.
ASIDE = re.compile(r"(size|bytes per event|prof|directory|samples|  in the kernel|  in probes|  with callers|paths of callers|  ambiguous|scheduler switches|  in stretches|sampling) .*")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("prof", "trace-make", "trace-summarize"):
        parser.add_argument(f"--{name}", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "dumb",
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}

    def printed(command, folder):
        result = subprocess.run(f"{options.prof} {command} -i same", shell=True, cwd=folder, env=environment, timeout=600,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = result.stdout.decode("utf-8", "surrogateescape").splitlines()
        kept = [line.rstrip(",") for line in lines if not (command == "info" and ASIDE.fullmatch(line))]
        return [f"status {result.returncode}"] + sorted(kept)  # threads stand in another order

    commands = COMMANDS + MEASURES
    failed = compared = 0
    for number, text in enumerate(sorted((HERE / "traces").glob("*.txt"))):
        if text.stem in OTHERS or (options.names and text.stem not in options.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            whole, summed = pathlib.Path(folder) / "whole", pathlib.Path(folder) / "summed"
            for place in (whole, summed):
                place.mkdir()
            subprocess.run([options.trace_make, f"--text={text}", "-o", whole / "same"], check=True)
            subprocess.run([options.trace_summarize, whole / "same", summed / "same"], check=True)
            own = (COUNTERS if text.stem in WITH_COUNTERS else ()) + (HARDWARE if text.stem in WITH_HARDWARE else ())
            for command in commands + own if slices.WHOLE or options.names else commands[number % EVERY::EVERY] + own:
                if text.stem.startswith("forked") and command in OF_THREADS or text.stem == "part" and command in OF_CALLS:
                    continue
                if text.stem in ROUNDED and "--format" in command:
                    continue
                if text.stem in TAKEN_OVER and "--caller" in command:
                    continue
                if text.stem == "apart" and "-F" in command:  # a zone that goes on outside of what is shown is a call there
                    continue
                left, right = printed(command, whole), printed(command, summed)
                compared += 1
                if left == right:
                    continue
                failed += 1
                print(f"DIFFERS {text.stem}: prof {command}")
                for a, b in [pair for pair in zip(left, right) if pair[0] != pair[1]][:4]:
                    print(f"  whole: {a}\n  summed: {b}".encode("utf-8", "backslashreplace").decode())
                if len(left) != len(right):
                    print(f"  {len(left)} and {len(right)} lines")
    print(f"{compared} compared, {failed} differ")
    sys.exit(failed > 0 or not compared)


if __name__ == "__main__":
    main()
