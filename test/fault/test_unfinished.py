#!/usr/bin/env python3
"""Recordings without an end, or without some of their chunks, read by every reader in every format (see unfinished.c)."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
GPU = HERE.parent / "gpu" / "programs" / "works.c"


def run(command, folder, environment=None, **more):
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("PROF_", "CUDA", "LD_"))}
    return subprocess.run([str(word) for word in command], cwd=folder, env={**variables, "LC_ALL": "C", **(environment or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=3000, **more)


def must(command, folder, environment=None):
    done = run(command, folder, environment)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode} {done.stdout[-2000:]} {done.stderr[-4000:]}")
    return done


def build(options, folder, name, *flags, source=HERE / "programs" / "short.c", libraries=()):
    must([options.compiler, "-g", "-O2", f"-fplugin={options.plugin}", *flags, source, "-o", folder / name, "-pthread",
          *libraries], folder)
    return folder / name


def make_all(options, folder):
    """A recording of each kind; their folders."""
    plain = build(options, folder, "plain", "-fplugin-arg-prof-loops=all")
    counted = build(options, folder, "counted", "-fplugin-arg-prof-lines=count")
    timed = build(options, folder, "timed", "-fplugin-arg-prof-lines=time")
    kinds = {
        "unsampled": (["--sample=off"], [plain]),
        "sampled": ([], [plain]),
        "sliced": (["--sample=5000"], [plain, "dense"]),
        "bounded": (["--delay=5ms", "--duration=10ms"], [plain]),
        "processes": ([], ["sh", "-c", f"{plain}; {plain}"]),
        "forked": ([], [plain, "forks"]),
        "packed": ([], [plain]),
        "counts": ([], [counted]),
        "times": ([], [timed]),
    }
    for name, (words, command) in kinds.items():
        must([options.prof, "record", "-o", name, *words, "--", *command], folder)
    must([options.prof, "pack", "-i", "packed"], folder)
    if options.libraries:
        gpu = build(options, folder, "works", source=GPU,
                    libraries=(f"-L{options.libraries}", "-lcudart", "-lcuda", "-lcublas", "-ldl"))
        must([options.prof, "record", "-o", "gpu", "--gpu-metrics", gpu, "pipeline"], folder,
             {"LD_LIBRARY_PATH": str(options.libraries)})
        kinds["gpu"] = None
    return list(kinds)


def wait_for(what, condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    sys.exit(f"waited in vain for {what}")


def has_calls(options, folder, name):
    return run([options.prof, "report", "-i", name], folder).returncode == 0


def in_progress_and_killed(options, folder):
    """The same while it is recorded, and when the recorder has died: not the same line."""
    plain, stop = build(options, folder, "until"), folder / "stop"
    recorder = subprocess.Popen([options.prof, "record", "-o", "live", plain, "until", stop], cwd=folder,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        wait_for("calls in the file", lambda: has_calls(options, folder, "live"))
        results = [run([options.unfinished, "--says=recording in progress, data up to", "live"], folder)]
        recorder.kill()
        recorder.wait()
        results.append(run([options.unfinished, "--says=cut short", "live"], folder))
    finally:
        recorder.kill()
        stop.touch()
        recorder.stdout.read()  # the program has the pipe too: until it has seen `stop` and ended
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True, type=pathlib.Path)
    parser.add_argument("--plugin", required=True, type=pathlib.Path)
    parser.add_argument("--unfinished", required=True, type=pathlib.Path)
    parser.add_argument("--libraries", type=pathlib.Path, help="folder of the doubles of CUDA's libraries")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--each", default="1", help="of all variants every so many")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="prof-unfinished-") as name:
        folder = pathlib.Path(name)
        kinds = make_all(options, folder)
        programs = ["--programs"] if options.each == "1" else []
        results = [run([options.unfinished, f"--each={options.each}", *programs, *kinds], folder)]
        results += in_progress_and_killed(options, folder)
    for result in results:
        print(result.stdout, result.stderr, sep="", end="")
    sys.exit(any(result.returncode for result in results))


if __name__ == "__main__":
    main()
