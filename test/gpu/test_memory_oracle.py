#!/usr/bin/env python3
"""Random GPU allocations as readable text; `prof memory` against a plain replay of them: figures of places and of pools, what
lived at each pool's peak, with and without filters, and at two moments."""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import tempfile

FUNCTIONS = ("load", "step", "inner")
KINDS = {3: ("device", "device"), 4: ("array", "device"), 5: ("managed", "managed"), 2: ("pinned", "host"), 0: ("", "")}
CALLS = {3: "cudaMalloc", 4: "cudaMallocArray", 5: "cudaMallocManaged", 2: "cudaHostAlloc", 0: "cuMemAlloc"}
LENGTH = 4000


class Program:
    """One thread whose calls nest, and allocations of it: each asked for by a call, at a time of its own."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.records, self.events = ["thread main"], [], []
        stack, time, number = [], 1, 0
        addresses = [0x1000 * (i + 1) for i in range(12)]
        while time < LENGTH:
            kind = self.random.random()
            if kind < 0.2 and len(stack) < 5:
                stack.append(self.random.choice(FUNCTIONS))
                self.lines.append(f"main @{time} enter {stack[-1]}")
            elif kind < 0.35 and stack:
                self.lines.append(f"main @{time} exit {stack.pop()}")
            else:
                number += 1
                self.allocate(time, number, tuple(stack), self.random.choice(addresses))
            time += self.random.randint(2, 20)
        while stack:
            time += 2
            self.lines.append(f"main @{time} exit {stack.pop()}")
        self.random.shuffle(self.records)  # records have no order

    def allocate(self, time, number, path, address):
        memory, device, free = self.random.choice(list(KINDS)), self.random.randint(0, 1), self.random.random() < 0.45
        size = self.random.choice((1, 64, 100, 4096, 1 << 33))
        known = self.random.random() < 0.9
        if known:
            self.lines.append(f"gpu call name={'cudaFree' if free else CALLS[memory]} at={time} for=1 correlation={number} thread=1000")
        self.records.append(f"gpu memory at={time + 1} correlation={number} kind={1 + free} to={memory} address={address} bytes={size} device={device}")
        self.events.append((time + 1, free, memory, device, address, size, path if known else (), CALLS[memory] if known else "", known))

    def text(self):
        head = ["clock hz=1000000000", *(f"function {name} file={name}.cu" for name in FUNCTIONS)]
        host = [line for line in self.lines if not line.startswith("gpu")]
        calls = [line for line in self.lines if line.startswith("gpu")]
        return "\n".join([*head, *host, "gpu source", *calls, *self.records, "end"]) + "\n"

    def replay(self, shown, moments=()):
        """(places, pools): of shown ones; places by (path, call, kind, device) as {figure: value}."""
        places, pools = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
        live, last, due = {}, {}, list(enumerate(moments))  # last: of the thread, and of the unknown one

        def note(until):
            while due and until >= due[0][1]:
                for place, pool, size, *_ in live.values():
                    if place:
                        places[place][("before_bytes", "after_bytes")[due[0][0]]] += size
                due.pop(0)
        for number, (time, free, memory, device, address, size, path, call, known) in enumerate(self.events):
            note(time)
            kind, sort = KINDS[memory]
            if free:
                old = live.pop(address, None)
                pools[old[1] if old else (device, sort)]["frees"] += 1
                pools[old[1] if old else (device, sort)]["unknown_frees"] += not old
                if old and old[0]:
                    places[old[0]]["temporary"] += last.get(known) == old[3]
                continue
            place = (path, call, kind, device) if shown(time, path) else None
            live[address] = (place, (device, sort), size, number)
            last[known] = number
            if place:
                places[place]["calls"] += 1
                places[place]["bytes"] += size
                pools[device, sort]["calls"] += 1
                total = sum(block[2] for block in live.values() if block[0] and block[1] == (device, sort))
                if total > pools[device, sort]["peak_bytes"]:
                    pools[device, sort].update({"peak_bytes": total - pools[device, sort]["peak_bytes"],
                                                "peak_ns": time - pools[device, sort]["peak_ns"]})
                    for other in places:
                        if (other[3], dict(KINDS.values())[other[2]]) == (device, sort):
                            places[other]["peak_bytes"] = sum(block[2] for block in live.values() if block[0] == other)
        note(1 << 62)
        for place, pool, size, *_ in live.values():
            if place:
                places[place]["live_bytes"] += size
                places[place]["live_calls"] += 1
                pools[pool]["live_bytes"] += size
        return places, pools


PLACE_FIGURES = ("calls", "bytes", "live_bytes", "live_calls", "peak_bytes", "temporary")
POOL_FIGURES = ("calls", "live_bytes", "peak_bytes", "peak_ns", "frees", "unknown_frees")


def check(what, got, expected, seed):
    if got != expected:
        differ = [(key, got.get(key), expected.get(key)) for key in {*got, *expected} if got.get(key) != expected.get(key)]
        raise SystemExit(f"seed {seed}, {what}: {differ[:5]} (key, prof, expected)")


def figures(rows, names):
    return {key: {name: row[name] for name in names} for key, row in rows.items() if row["calls"] or row["frees"] or row["before_bytes"] or row["after_bytes"]}


def ask(prof, trace, *options):
    report = json.loads(subprocess.run([prof, "memory", "-i", trace, "--gpu", "--paths", "--format=json", *options], check=True,
                                       capture_output=True, text=True).stdout)
    empty = dict.fromkeys((*PLACE_FIGURES, "before_bytes", "after_bytes", "frees"), 0)
    places = {(tuple(row["host_path"].split(" > ")) if row["host_path"] else (), row["call"], row["kind"], row["device"]): {**empty, **row}
              for row in report["gpu_sites"]}
    return places, {(row["device"], row["memory"]): {**empty, **row} for row in report["gpu_memory"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prof", required=True)
    parser.add_argument("--trace-make", required=True)
    parser.add_argument("--seeds", type=int, default=12)
    options = parser.parse_args()
    count = 0
    for seed in range(1, options.seeds + 1):
        program = Program(seed)
        filters = {(): lambda time, path: True, ("--range=1us~3us",): lambda time, path: 1000 <= time < 3000,
                   ("-N", "inner"): lambda time, path: "inner" not in path}
        with tempfile.TemporaryDirectory() as folder:
            text, trace = pathlib.Path(folder) / "text", f"{folder}/trace"
            text.write_text(program.text())
            subprocess.run([options.trace_make, f"--text={text}", "-o", trace], check=True)
            for words, shown in filters.items():
                places, pools = ask(options.prof, trace, *words)
                true_places, true_pools = program.replay(shown)
                check(f"places {words}", figures(places, PLACE_FIGURES), figures(true_places, PLACE_FIGURES), seed)
                check(f"pools {words}", figures(pools, POOL_FIGURES), figures(true_pools, POOL_FIGURES), seed)
            places, _ = ask(options.prof, trace, "--between=1us~3us")
            true_places, _ = program.replay(filters[()], (1000, 3000))
            changes = ("before_bytes", "after_bytes")
            check("moments", {key: [row[name] for name in changes] for key, row in places.items() if any(row[name] for name in changes)},
                  {key: [row[name] for name in changes] for key, row in true_places.items() if any(row[name] for name in changes)}, seed)
        count += len(program.events)
    print(f"{options.seeds} programs, {count} allocations and releases: every figure as replayed")


main()
