#!/usr/bin/env python3
"""test_advise.py --prof PROF [--compiler COMPILER] [--only NAME,...] - what `prof advise` reports for planted faults and for clean programs."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

# program: (kind of the first piece of advice, its function's name begins so)
FAULTS = {"aliasing": ("not-vectorised", "scale"), "allocation": ("allocation-churn", "line_weight"),
          "busy_wait": ("busy-wait", "wait_for_result"), "cold_stride": ("cold-stride", "sum_of"),
          "false_sharing": ("false-sharing", "count_bytes"), "hash_chains": ("hash-chains", "table_find"),
          "imbalance": ("imbalance", "work"), "lock_convoy": ("lock-convoy", "add"), "quadratic": ("quadratic", "contains"),
          "repeated_strlen": ("repeated-strlen", "capitalise"), "small_writes": ("small-writes", "write_record"),
          "small_reads": ("small-reads", "next_byte"), "tiny_calls": ("tiny-calls", "vector_at"), "exceptions": ("exceptions", "parse")}
CLEAN_ONLY = ["event_threads", "merged_rows"]
# program with its option, what --locks and others must find in it, and what is recorded
MEASURED = {"held_lock": ("held-lock", "send_to_device", "--locks"), "sleeps": ("sleeps", "wait_for", "--locks"),
            "requests_in_turn": ("requests-in-turn", "answer", "--locks --io"), "unequal_region": ("unequal-region", "sum_all", "--locks"),
            "lock_convoy --locks": ("lock-convoy", "add", "--locks"), "small_writes --io": ("small-writes", "put", "--io"),
            "small_reads --io": ("small-reads", "next_byte", "--io"), "allocation --memory": ("allocation-churn", "line_weight", "--memory")}
FLAGS = {"unequal_region": ["-fopenmp"], "aliasing": ["-O3"], "merged_rows": ["-O3"]}
MOST_MISSED, MOST_FALSE = 2, 1  # of all: how threads meet is up to the machine
TRIES = 5  # of those that none may miss: a busy machine may keep a thread with a lock waiting, or take no sample for a while


class Bench:
    def __init__(self, options, folder):
        self.prof, self.compiler, self.folder = options.prof.resolve(), options.compiler, folder
        self.flags = programs.plugin_flags(self.prof, self.compiler)

    def run(self, *command):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=False,
                              cwd=self.folder, env={**variables, "LC_ALL": "C"}, stdin=subprocess.DEVNULL, timeout=900)

    def need(self, *command):
        done = self.run(*command)
        assert done.returncode == 0, (command, done.returncode, done.stderr)
        return done

    def remarks(self, name):
        """Flags for the compiler's remarks; where they go."""
        path = self.folder / f"{name}.remarks"
        if "gcc" in self.compiler:
            return [f"-fopt-info-vec-missed={path}"], path
        return ["-Rpass-missed=loop-vectorize", "-Rpass-analysis=loop-vectorize"], path

    def advice(self, name, *defines, options="", good, tries):
        """The first one that is good, or the last one; None: it can't be built here."""
        flags, path = self.remarks(name)
        path.unlink(missing_ok=True)
        source = next((HERE / "programs").glob(f"{name}.c*"))
        compiler = self.compiler if source.suffix == ".c" else self.compiler.replace("gcc", "g++").replace("clang", "clang++")
        done = self.run(compiler, "-g", "-O2", *FLAGS.get(name, []), *self.flags, *flags, *defines, source, "-o", name, "-pthread")
        if done.returncode and "-fopenmp" in FLAGS.get(name, []):
            return None  # no OpenMP for this compiler here
        assert done.returncode == 0, (name, done.stderr)
        if "clang" in self.compiler:
            path.write_text(done.stderr)
        remarks = [f"--remarks={path}"] if path.exists() else []  # GCC makes no file where nothing is missed
        for _ in range(tries):
            shutil.rmtree(self.folder / "data", ignore_errors=True)
            self.need(self.prof, "record", "--sample=4000", *options.split(), "-o", "data", f"./{name}")
            found = json.loads(self.need(self.prof, "advise", "-i", "data", "--format=json", *remarks).stdout)
            if good(found["advice"]):
                break
        return found


def check_form(row):
    assert row["priority"] in ("high", "medium", "low") and row["title"] and row["evidence"] and row["check"].startswith("prof "), row
    assert 1 <= row["speedup_low"] <= row["speedup_high"], row


def check_first(bench, name, first):
    assert pathlib.PurePath(first["file"]).stem == name and first["line"] > 0, first
    done = bench.run(bench.prof, *first["check"].replace("'", "").split()[1:], "--no-pager")  # the command works
    assert done.returncode == 0, (first["check"], done.stderr)


def check_loops(loops, first):
    """The list of hot loops has the compiler's reason."""
    assert [loop["function"][:5] for loop in loops] == ["scale"] and "vectorized" in loops[0]["remark"], loops
    assert loops[0]["share"] > 0.5 and loops[0]["line"] == first["line"] and loops[0]["file"] == first["file"], loops


def check_merged(loops):
    """One row for the loop that was inlined, in its own line; all of its time is there."""
    lines = (HERE / "programs" / "merged_rows.c").read_text().splitlines()
    hot = next(number for number, line in enumerate(lines, 1) if line.endswith("/* hot */"))
    assert [loop["function"] for loop in loops].count("distance") == 1 and loops[0]["function"] == "distance", loops
    assert abs(loops[0]["line"] - hot) <= 1 and loops[0]["share"] > 0.6, loops


def check_waits(found, name):
    """A program that waits is told for what."""
    kinds = [wait["kind"] for wait in found["waits"]]
    wanted = {"held_lock": "mutex", "sleeps": "sleep", "requests_in_turn": "input"}.get(name, kinds[0] if kinds else "")
    assert not wanted or wanted in kinds and 0 < max(wait["share"] for wait in found["waits"]) <= 1, (wanted, found["waits"])


def is_named(advice, kind, function):
    return bool(advice) and advice[0]["kind"] == kind and advice[0]["function"].startswith(function)


def check(bench, names, tries):
    missed, false = [], []
    for name in names:
        program = name.split()[0]
        kind, function, options = (*FAULTS.get(name, (None, None)), "", *MEASURED.get(name, ()))[-3:]
        found = bench.advice(program, "-DCLEAN", options=options, good=lambda advice: not advice, tries=tries)
        if found is None:
            print(f"not built here: {name}")
            continue
        if found["advice"]:
            false.append((name, found["advice"]))
        if name == "merged_rows":
            check_merged(found["hot_loops"])
        if name in CLEAN_ONLY:
            continue
        found = bench.advice(program, options=options, good=lambda advice, kind=kind, function=function: is_named(advice, kind, function), tries=tries)
        for row in found["advice"]:
            check_form(row)
        if not is_named(found["advice"], kind, function):
            missed.append((name, found))
            continue
        first = found["advice"][0]
        check_first(bench, program, first)
        if name == "aliasing":
            check_loops(found["hot_loops"], first)
        if "--locks" in options:
            check_waits(found, name)
    return missed, false


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", type=pathlib.Path, required=True)
    parser.add_argument("--compiler")
    parser.add_argument("--only")
    options = parser.parse_args()
    options.compiler = programs.compiler_or_skip(options.compiler, options.prof) if options.compiler else programs.default_compiler()
    if not shutil.which("objdump"):
        programs.skip("no objdump: rules that read code say nothing")
    names = options.only.split(",") if options.only else [*FAULTS, *MEASURED, *CLEAN_ONLY]
    with tempfile.TemporaryDirectory() as folder:
        missed, false = check(Bench(options, pathlib.Path(folder)), names, TRIES if options.only else 1)
    faults = sum(name not in CLEAN_ONLY for name in names)
    print(f"{faults - len(missed)} of {faults} named first, {len(false)} false")
    for what, rows in (("missed", missed), ("false", false)):
        for name, found in rows:
            print(f"{what}: {name}: {json.dumps(found)[:1500]}")
    strict = options.only is not None
    return len(missed) > (0 if strict else MOST_MISSED) or len(false) > (0 if strict else MOST_FALSE)


sys.exit(main())
