#!/usr/bin/env python3
"""Random GPU timelines as readable text; `prof gpu` against a plain count of every tick: busy, idle and overlapped time,
launch latency, waits charged to what ran, idle time charged to what the host did."""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import tempfile

TICKS, STREAMS, FUNCTIONS = 3000, (7, 13, 20), ("load", "step", "inner")
NAMES = {"alpha": "compute", "beta": "compute", "ncclDevKernel_x": "exchange"}


class Program:
    """One thread whose calls nest, API calls in it, works that they ask for; all times even, so that none coincide by
    rounding, and events of the host at odd ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = ["thread main"]
        self.path_at = [()] * (TICKS + 1)
        self.call_at = [None] * (TICKS + 1)
        self.calls, self.works, self.waits = [], [], []
        self.make_host()
        self.make_calls()
        self.make_works()

    def make_host(self):
        stack, time = [], 1
        while time < TICKS - 20:
            self.set_path(time, tuple(stack))
            if stack and (len(stack) > 3 or self.random.random() < 0.5):
                self.lines.append(f"main @{time} exit {stack.pop()}")
            else:
                stack.append(self.random.choice(FUNCTIONS))
                self.lines.append(f"main @{time} enter {stack[-1]}")
            self.set_path(time, tuple(stack))
            time += 2 * self.random.randint(1, 60)
        while stack:
            self.lines.append(f"main @{time} exit {stack.pop()}")
            self.set_path(time, tuple(stack))

    def set_path(self, time, path):
        for tick in range(time, TICKS + 1):
            self.path_at[tick] = path

    def make_calls(self):
        time = 0
        while time < TICKS - 200:
            begin = time + 2 * self.random.randint(1, 40)
            lasts = 2 * self.random.randint(1, 20)
            kind = self.random.choice(("launch", "launch", "copy", "wait", "other"))
            self.calls.append((begin, begin + lasts, kind))
            for tick in range(begin, begin + lasts):
                self.call_at[tick] = len(self.calls)
            time = begin + lasts

    def make_works(self):
        free = dict.fromkeys(STREAMS, 0)
        for number, (begin, end, kind) in enumerate(self.calls, 1):
            name = {"launch": "cudaLaunchKernel", "copy": "cudaMemcpyAsync", "wait": "cudaStreamSynchronize",
                    "other": "cudaMalloc"}[kind]
            self.lines.append(f"gpu call name={name} at={begin} for={end - begin} correlation={number} thread=1000")
            stream = self.random.choice(STREAMS)
            if kind in ("launch", "copy"):
                start = max(free[stream], begin + 2 * self.random.randint(0, 30))
                last = start + 2 * self.random.randint(1, 60)
                free[stream] = last + 2 * self.random.randint(0, 4)
                what = self.random.choice(list(NAMES)) if kind == "launch" else "device to host"
                self.works.append((start, last, stream, what, number))
            elif kind == "wait":
                self.waits.append((begin, end, self.random.choice((stream, None)), number))

    def text(self):
        lines = ["gpu source", "gpu device name=D capability=900 warp_threads=32"]
        for start, last, stream, what, number in self.works:
            sort = f"kernel name={what}" if what in NAMES else "copy kind=2 from=3 to=2 flags=1 bytes=64"
            lines.append(f"gpu {sort} at={start} for={last - start} stream={stream} correlation={number}")
        for begin, end, stream, number in self.waits:
            which = 4294967295 if stream is None else stream
            lines.append(f"gpu wait at={begin} for={end - begin} stream={which} correlation={number} kind=3")
        return "\n".join([self.lines[0]] + [line for line in self.lines if line.startswith("main")] + lines[:2] +
                         [line for line in self.lines if line.startswith("gpu")] + lines[2:]) + "\n"

    # ---- what must come out ----

    def running(self, tick, wanted):
        return any(start <= tick < last and wanted(what) for start, last, _, what, _ in self.works)

    def device(self):
        first, last = min(work[0] for work in self.works), max(work[1] for work in self.works)
        sums = collections.Counter()
        for tick in range(first, last):
            compute, exchange, copy = (self.running(tick, lambda what, c=c: NAMES.get(what, "copy") == c)
                                       for c in ("compute", "exchange", "copy"))
            sums["busy_ns"] += compute or exchange or copy
            sums["compute_ns"] += compute
            sums["copy_ns"] += copy
            sums["exchange_ns"] += exchange
            sums["copy_overlap_ns"] += compute and copy
            sums["exchange_overlap_ns"] += compute and exchange
        sums["span_ns"] = last - first
        sums["idle_ns"] = last - first - sums["busy_ns"]
        return {key: value for key, value in sums.items() if value}

    def path(self, tick):
        return " > ".join(self.path_at[tick])

    def idle(self):
        sums, order = collections.Counter(), sorted(self.works)
        first, last = order[0][0], max(work[1] for work in self.works)
        for tick in range(first, last):
            if self.running(tick, lambda what: True):
                continue
            work = min(work for work in order if work[0] > tick)
            gap = max(work[1] for work in order if work[0] <= tick)
            begin, end, kind = self.calls[work[4] - 1]
            asker = {"launch": "cudaLaunchKernel", "copy": "cudaMemcpyAsync"}[kind]
            if end <= gap:
                sums[("queued", asker, self.path(begin))] += 1
            elif tick >= begin:
                sums[("launch", asker, self.path(begin))] += 1
            else:
                call = self.call_at[tick]
                name = "" if call is None else {"launch": "cudaLaunchKernel", "copy": "cudaMemcpyAsync", "wait":
                                                "cudaStreamSynchronize", "other": "cudaMalloc"}[self.calls[call - 1][2]]
                sums[("host", name, self.path(tick))] += 1
        return sums

    def waited(self):
        sums, order = collections.Counter(), sorted(self.works)
        for begin, end, stream, _ in self.waits:
            at = begin
            for start, last, of, what, _ in order:
                if stream not in (None, of) or last <= at or start >= end:
                    continue
                sums[("", self.path(begin))] += max(0, start - at)
                at = max(at, start)
                sums[(what, self.path(begin))] += min(last, end) - at
                at = min(last, end)
            sums[("", self.path(begin))] += end - at
        return {key: value for key, value in sums.items() if value}

    def costs(self):
        """GPU time by function and by path: with what it called, by itself."""
        functions, paths = collections.Counter(), collections.Counter()
        for start, last, _, _, number in self.works:
            path = self.path_at[self.calls[number - 1][0]]
            for function in set(path):
                functions[function, "gpu_total_ns"] += last - start
            for depth in range(len(path)):
                paths[path[:depth + 1], "gpu_total_ns"] += last - start
            if path:
                functions[path[-1], "gpu_self_ns"] += last - start
                paths[path, "gpu_self_ns"] += last - start
        return functions, paths

    def launches(self):
        sums, free = collections.Counter(), collections.Counter()
        for start, last, stream, what, number in sorted(self.works):
            begin, end, _ = self.calls[number - 1]
            if what in NAMES:
                returned = min(end, start)
                queue = max(0, min(free[stream], start) - returned)
                sums[(what, "api_ns")] += returned - begin
                sums[(what, "queue_ns")] += queue
                sums[(what, "start_ns")] += start - returned - queue
            free[stream] = max(free[stream], last)
        return sums


def check(what, got, wanted, seed):
    wanted = dict(wanted)
    if got != wanted:
        raise SystemExit(f"seed {seed}: {what}:\n printed {sorted(got.items())}\n wanted  {sorted(wanted.items())}")


def printed_paths(nodes, path=()):
    for node in nodes:
        here = path + (node["name"],)
        for key in ("gpu_total_ns", "gpu_self_ns"):
            if node[key]:
                yield (here, key), node[key]
        yield from printed_paths(node["children"], here)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prof", required=True)
    parser.add_argument("--trace-make", required=True)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    works = 0
    for seed in range(options.first, options.first + options.seeds):
        program = Program(seed)
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "text"
            text.write_text(program.text())
            subprocess.run([options.trace_make, f"--text={text}", "-o", f"{folder}/trace"], check=True)
            report, functions, tree = (
                json.loads(subprocess.run([options.prof, command, "-i", f"{folder}/trace", "--format=json"], check=True,
                                          capture_output=True, text=True).stdout) for command in ("gpu", "report", "tree"))
        device = {key: value for key, value in report["devices"][0].items() if key.endswith("_ns") and value}
        check("device", device, program.device(), seed)
        check("idle", {(row["why"], row["call"], row["host_path"]): row["total_ns"] for row in report["idle"]},
              program.idle(), seed)
        check("waits", {(row["awaited"], row["host_path"]): row["total_ns"] for row in report["waits"]},
              program.waited(), seed)
        check("launches", {(row["name"], key): row[key] for row in report["launches"]
                           for key in ("api_ns", "queue_ns", "start_ns")}, program.launches(), seed)
        by_function, by_path = program.costs()
        check("GPU time of functions", {(row["name"], key): row[key] for row in functions["functions"]
                                        for key in ("gpu_total_ns", "gpu_self_ns") if row[key]}, by_function, seed)
        check("GPU time of paths", dict(printed_paths(tree["roots"])), by_path, seed)
        works += len(program.works)
    print(f"{options.seeds} timelines, {works} works: every tick as counted")


main()
