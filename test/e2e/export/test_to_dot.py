#!/usr/bin/env python3
"""Graphviz reads our call graphs, and finds the times and calls of `prof report` in them."""
import collections
import json
import subprocess
import sys
import tempfile

from recordings import Bench, need, plain


def graph(bench, recording, *arguments):
    path = bench.export(recording, "graph.dot", "--format=dot", *arguments)
    result = subprocess.run(["dot", "-Tdot_json", path], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert not result.stderr, (recording, result.stderr)
    found = json.loads(result.stdout)
    return found, found.get("objects", []), found.get("edges", [])


def check(bench, recording, *arguments):
    wanted = bench.report(recording, *[word for word in arguments if not word.startswith(("--time", "--min"))])
    kind = next((word[7:] for word in arguments if word.startswith("--time=")), "elapsed")
    suffix = "" if kind == "elapsed" else kind
    slack = bench.slack(recording)
    _, nodes, edges = graph(bench, recording, *(arguments if any(word.startswith("--time") for word in arguments) else (*arguments, "--time=elapsed")))
    found = collections.defaultdict(collections.Counter)
    for node in nodes:
        name = plain(node["tooltip"]) if "tooltip" in node else "others"
        for key in ("calls", "self_ns", "total_ns"):
            found[name][key] += int(node.get(key, 0))
    others = found.pop("others", collections.Counter())
    for name, sums in found.items():
        if name != "?" and len(name) < 900:  # the sums below have the others
            assert sums["calls"] == wanted[name]["calls"], (recording, name, sums, wanted[name])
            for key in ("self_", "total_"):
                assert abs(sums[key + "ns"] - wanted[name][key + suffix]) <= slack, (recording, name, key, sums, wanted[name])
    for key, ours in (("calls", "calls"), ("self_" + suffix, "self_ns")):
        whole = sum(sums[key] for sums in wanted.values())
        assert abs(whole - others[ours] - sum(sums[ours] for sums in found.values())) <= slack * len(wanted) + bool(others), (recording, key)
    total = collections.Counter()
    for edge in edges:
        total[edge["head"]] += int(edge["total_ns"])
    for node in nodes:  # what callers that are shown spent in it is at most its total
        assert total[node["_gvid"]] <= int(node.get("total_ns", 0)) + len(edges), (recording, node)
    return len(nodes), others


def main():
    need("dot")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        reason = bench.real()
        bench.refuses_empty(bench.odd(), "--format=dot")
        for recording in bench.some(0):
            shown, others = check(bench, recording, "--min-share=0")
            assert not others
            few, others = check(bench, recording, "--min-share=20%")
            assert few <= shown and (few == shown or others["calls"] > 0 or others["self_ns"] >= 0)
        for time in ("running", "waiting"):
            check(bench, "switches", "--min-share=0", f"--time={time}")
        for arguments in (("-F", "work"), ("-N", "leaf"), ("-D", "2"), ("-t", "60ns"), ("--tid=77",), ("--range=0~300ns",), ("--raw",)):
            check(bench, "two_threads", *arguments)
        # A name is text: no markup of Graphviz, no entity, no escape.
        _, nodes, _ = graph(bench, "hostile", "--min-share=0")
        tooltips = {node["tooltip"] for node in nodes}
        assert {"<script>alert(1)</script>", "quote\"s'and\\\\slash", "]]>&amp;amp;"} <= tooltips, tooltips
        document, _, _ = graph(bench, "two_threads", "--min-share=20%")
        assert "functions under 20% of it are one node" in document["label"], document["label"]
        print(f"{len(bench.some(0))} recordings" + (f"; no real one: {reason}" if reason else ""))


sys.exit(main())
