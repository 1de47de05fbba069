#!/usr/bin/env python3
"""`prof memory` of GPU allocations, on the doubles: by host path, beside the host's and alone; a program that dies, threads,
a program without probes; GPUs' energy in `prof info`."""
import functools

import doubles
from doubles import equal

D = doubles.Doubles()


def sites(report):
    """{(function, API function, kind): (calls, bytes, blocks left, bytes at the peak)}"""
    return {(row["function"], row["call"], row["kind"]): tuple(row[key] for key in ("calls", "bytes", "live_calls", "peak_bytes"))
            for row in report["gpu_sites"]}


def pools(report):
    """{memory: (calls, peak, left, frees, unknown frees)}"""
    return {row["memory"]: tuple(row[key] for key in ("calls", "peak_bytes", "live_bytes", "frees", "unknown_frees"))
            for row in report["gpu_memory"]}


SITES = {("weights", "cudaMalloc", "device"): (51, 304800, 1, 104096), ("staging", "cudaMallocHost", "pinned"): (1, 1000, 0, 1000),
         ("staging_too", "cudaHostAlloc", "pinned"): (1, 1000, 0, 1000),
         ("shared", "cudaMallocManaged", "managed"): (1, 2000, 1, 2000)}
POOLS = {"device": (51, 104096, 100000, 50, 0), "host": (2, 2000, 0, 2, 0), "managed": (1, 2000, 2000, 0, 0)}


def paths(compiler):
    D.record(D.build("memory", compiler))
    report = D.read("memory")
    equal("places", sites(report), SITES)
    equal("pools", pools(report), POOLS)
    equal("the host's", (report["calls"], report["sites"]), (0, []))
    of_path = {row["host_path"]: (row["calls"], row["temporary"]) for row in D.read("memory", "--paths")["gpu_sites"]}
    equal("paths", of_path, {"main > weights": (1, 0), "main > step > weights": (50, 50), "main > staging": (1, 0), "main > staging_too": (1, 0), "main > shared": (1, 0)})
    equal("below step", sites(D.read("memory", "-F", "step")), {("weights", "cudaMalloc", "device"): (50, 204800, 0, 4096)})


def both(compiler):
    D.record(D.build("memory", compiler), options=["--memory"])
    report = D.read("memory")
    equal("places", sites(report), SITES)
    kept = [row for row in report["sites"] if row["function"] == "main" and row["bytes"] == 12345]
    equal("the host's", [(row["calls"], row["live_bytes"]) for row in kept], [(1, 0)])
    equal("alone", sites(D.read("memory", "--gpu")), SITES)


def optimised(compiler):
    D.record(D.build("memory", compiler, ("-O3",)))
    equal("pools", pools(D.read("memory")), POOLS)


def threads():
    D.record(D.build("memory"), "threads", 8)
    report = D.read("memory")
    calls, size = 51 + 8 * 50, 304800 + 8 * 50 * 512
    equal("places", sites(report)["weights", "cudaMalloc", "device"][:3], (calls, size, 1 + 8 * 25))
    equal("left", pools(report)["device"][2:], (100000 + 8 * 25 * 512, 50 + 8 * 25, 0))
    of_path = {row["host_path"]: row["live_bytes"] for row in D.read("memory", "--paths", "--gpu")["gpu_sites"]}
    equal("of threads", of_path["grow > weights"], 8 * 25 * 512)


def dies():
    """Its last records may be missing; what was flushed is there."""
    D.record(D.build("memory"), "abort", environment={"PROF_GPU_FLUSH_MS": "20"}, status=-6)
    report = D.read("memory")
    equal("places", sites(report), {place: (*figures[:2], 1, figures[3]) for place, figures in SITES.items()})
    equal("left", pools(report)["host"][2], 2000)


def uninstrumented():
    D.record(D.build("memory", flags=("-O2", "-fno-omit-frame-pointer", "-rdynamic"), plugin=False), options=["--memory"])
    report = D.read("memory", "--gpu")
    equal("pools", pools(report), POOLS)


def energy():
    """The double's counter grows by 25 J with each reading."""
    D.record(D.build("memory"), "wait", options=["--gpu-metrics"])
    readings = D.read("gpu", "--show=metrics")["metrics"][0]["readings"]
    facts = D.read("info", "--carbon=360")
    equal("GPUs", facts["gpu_energy_joules"], 25 * (readings - 1))
    equal("all", facts["energy_joules"], facts["gpu_energy_joules"] + facts.get("processor_energy_joules", 0))
    equal("carbon", abs(facts["carbon_g"] - facts["energy_joules"] / 1e4) < 1e-6 * facts["carbon_g"], True)


D.main([(f"{case.__name__} {compiler}", functools.partial(case, compiler)) for case in (paths, both, optimised) for compiler in D.compilers] +
       [(case.__name__, case) for case in (threads, dies, uninstrumented, energy)])
