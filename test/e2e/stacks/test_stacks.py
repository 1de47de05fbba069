#!/usr/bin/env python3
"""The callers of samples; see README.md.

   test_stacks.py --prof=BUILD/tools/prof --compiler=gcc-12
"""
import bisect
import collections
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parents[1] / "support")]
import decode  # noqa: E402
import programs  # noqa: E402

WAYS = (["-O0"], ["-O2"], ["-O3", "-fomit-frame-pointer"], ["-O2", "-fno-omit-frame-pointer", "-g"],
        ["-O2", "-no-pie", "-fno-pie"])

ASKS = ", asks to be recorded"  # and runs already when it is
AS_USER = ", as an ordinary user"  # with small buffers
NOBODY = 65534
RECORDINGS = 10  # at most: on a busy machine samples come in stretches, and all of a leaf's 60 ms may lie between two

# The callers of each leaf, innermost first, without libraries' functions; and whether the walk may end there.
CHAINS = {
    "leaf_chain": ["third", "second", "first", "main", "_start"],
    "leaf_deep": ["deeper"] * 41 + ["main", "_start"],
    "leaf_callback": ["compare", "sorts", "main", "_start"],
    "leaf_handler": ["handler", "is_signalled", "main", "_start"],
    "leaf_aligned": ["aligned", "main", "_start"],
    "leaf_large": ["large"],
    "leaf_thread": ["in_thread"],
    "leaf_child": ["in_child", "main", "_start"],
}
# Who may call whom, for samples that lie elsewhere.
CALLS = {
    "third": {"second"}, "second": {"first"}, "first": {"main"}, "deeper": {"deeper", "main"}, "compare": {"sorts"},
    "sorts": {"main"}, "handler": {"is_signalled"}, "is_signalled": {"main"}, "large": {"main"}, "aligned": {"main"},
    "in_child": {"main"}, "reads_clock": {"main"}, "main": {"_start"},
    **{leaf: {callers[0]} for leaf, callers in CHAINS.items()},
}


def insist(true, what):
    if not true:
        raise AssertionError(what)


class Symbols:
    """The program's functions by link-time address."""
    def __init__(self, program):
        lines = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout.splitlines()
        rows = sorted((int(row[0], 16), int(row[1], 16), row[3]) for row in map(str.split, lines)
                      if len(row) == 4 and row[2] in "tT" and (row[3] in CALLS or row[3] == "in_thread"))
        start = [int(row[0], 16) for row in map(str.split, lines) if row[-1] == "_start"]
        rows = sorted(rows + [(at, 64, "_start") for at in start])
        self.lows, self.rows = [row[0] for row in rows], rows

    def name(self, address):
        at = bisect.bisect_right(self.lows, address) - 1
        if at < 0 or address >= self.rows[at][0] + max(self.rows[at][1], 1):
            return None
        return self.rows[at][2]


class Recording:
    def __init__(self, folder, program):
        self.trace = decode.Trace(folder / "trace")
        self.program, self.symbols = str(program), Symbols(program)
        self.maps = collections.defaultdict(list)
        for process, module, _, _, _, begin, end, bias in self.trace.maps:
            self.maps[process].append((begin, end, bias, decode.shown(self.trace.modules[module][0])))
        self.parents = {process[0]: process[1] for process in self.trace.processes.values()}

    def name(self, process, address):
        """Of the program's function there; None: it is none."""
        while process:
            for begin, end, bias, path in self.maps[process]:
                if begin <= address < end:
                    return self.symbols.name(address - bias) if path == self.program else None
            process = self.parents.get(process)
        return None

    def samples(self):
        """Leaf, whether it has a path, and the names on it, without those that aren't the program's."""
        for kind, _, _, _, _, raw in self.trace.samples:
            if kind != 16:
                continue
            data = decode.Bytes(raw)
            process, _, count, *sizes = data.numbers("IIIIIIII")
            _, addresses, flags, _, paths = (decode.Bytes(data.take(size)) for size in sizes)
            address = 0
            for _ in range(count):
                step = addresses.varint()
                address += step >> 1 ^ -(step & 1)
                path = paths.varint() if sizes[4] else 0
                has_path, names = path != 0, []
                while path:
                    at, path = self.trace.paths[path]
                    names.append(self.name(process, at - 1))
                yield self.name(process, address & 2**64 - 1), has_path, [name for name in names if name], flags.take(1)[0]


def run(folder, *words, user=None, **more):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
    environment.update(LC_ALL="C", **more)
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, cwd=folder, timeout=900,
                            env=environment, stdin=subprocess.DEVNULL, user=user)
    insist(result.returncode == 0, f"{words}: {result.returncode}\n{result.stderr}")
    return result


def check_chain(leaf, has_path, names, may_be_cut):
    if leaf in CHAINS:
        whole = CHAINS[leaf]
        insist(names == whole[:len(names)] and (may_be_cut or (has_path and names == whole)), f"{leaf}: {names}")
    for callee, caller in zip([leaf, *names] if leaf else names, names[leaf is None:] if not leaf else names):
        insist(caller in CALLS.get(callee, ()), f"{callee} is not called by {caller}: {leaf}, {names}")


def has_ordinary_user(prof):
    """Whether this test may become one, and that one may use this build."""
    try:
        return os.geteuid() == 0 and subprocess.run([prof, "--version"], capture_output=True, check=False, user=NOBODY).returncode == 0
    except OSError:
        return False


def has_ended(trace):
    try:
        return decode.Trace(trace).end is not None
    except (FileNotFoundError, ValueError, struct.error):  # it is being written
        return False


def record(options, folder, program, how):
    shutil.rmtree(folder / "data", ignore_errors=True)
    if how != ASKS:
        return run(folder, options.prof, "record", "--overhead=5%", "-o", "data", program, user=NOBODY if how == AS_USER else None)
    result = run(folder, program, PROF_RECORD="1", PROF_RUNTIME=str(options.prof.parents[1] / "runtime" / "libprof-runtime.so.1"),
                 PROF_HELPER=str(options.prof), PROF_OPTIONS="--overhead=5% -o data")
    for _ in range(6000):
        if has_ended(folder / "data" / "trace"):
            return result
        time.sleep(0.1)
    raise AssertionError("the recording doesn't end")


def check_way(options, folder, way, how):
    program = folder / "chains"
    run(folder, options.compiler, "-Wall", *way, *programs.plugin_flags(options.prof, options.compiler), HERE / "chains.c", "-o",
        program, "-pthread")
    found, whole = collections.Counter(), set()
    for _ in range(RECORDINGS):
        record(options, folder, program, how)
        recording = Recording(folder / "data", program)
        if recording.trace.sampler[0] != 1 or recording.trace.sampler[9]:
            programs.skip(decode.shown(recording.trace.sampler[9]))
        for leaf, has_path, names, _ in recording.samples():
            check_chain(leaf, has_path, names, how == ASKS)
            found[leaf] += 1
            if names == CHAINS.get(leaf):
                whole.add(leaf)
        if whole == set(CHAINS):
            break
    insist(whole == set(CHAINS), f"never with all callers: {set(CHAINS) - whole}; samples: {found}")
    return found


def main():
    options = programs.compiler_options()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="prof-stacks-"))
    folder.chmod(0o777)
    failed = 0
    try:
        for way, how in [(way, "") for way in WAYS] + [(["-O2"], ASKS)] + [(["-O2"], AS_USER)] * has_ordinary_user(options.prof):
            name = " ".join(way) + how
            try:
                found = check_way(options, folder, way, how)
                print(f"ok   {name}: {sum(found.values())} samples, {sum(found[leaf] for leaf in CHAINS)} in known leaves")
            except AssertionError as fault:
                failed += 1
                print(f"FAIL {name}: {fault}")
    finally:
        if not failed:
            shutil.rmtree(folder)
    return 1 if failed else 0


sys.exit(main())
