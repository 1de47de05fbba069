#!/usr/bin/env python3
"""The ways in which programs use a GPU, on the doubles: a pipeline of four streams, a graph that is destroyed and made again
(by hand, by capture), cuBLAS, events and functions of the host, a library that comes and goes, a device reset, an illegal access.
`make check-gpu` has the same on a real one."""
import functools

import doubles
from doubles import contains, equal, launches

D = doubles.Doubles()
TWICE = "twice(float*)"


def record(compiler, *words, status=0):
    D.record(D.build("works", compiler), *words, status=status)
    equal("output", D.output.splitlines()[-1], words[0])
    report = D.read("gpu", "--by=path")
    equal("unmatched, early, lost", [report["gpu_cover"][key] for key in ("unmatched", "early", "lost", "pathless")], [0, 0, 0, 0])
    return report


def pipeline(compiler):
    report = record(compiler, "pipeline")
    equal("kernels", launches(report), {(TWICE, "main > pipeline > turn > launch"): 100})
    copies = {(row["kind"], row["host_path"]): (row["count"], row["bytes"]) for row in report["copies"]}
    equal("copies", copies, {("host to device", "main > pipeline > turn"): (100, 819200),
                             ("device to host", "main > pipeline > turn"): (100, 409600)})
    streams = [(row["kernels"], row["copies"]) for row in report["streams"]]
    equal("streams", streams, [(25, 50)] * 4)
    equal("waits", report["gpu_cover"]["waits"], 4)


def graphs(compiler):
    """Numbers of nodes are used again: who made a node is told by when it ran."""
    report = record(compiler, "graphs")
    equal("kernels", launches(report), {("node(int*)", "main > graphs > run"): 5000, ("again(int*)", "main > graphs > run"): 2500})
    equal("created", {row["name"]: row["created_path"] for row in report["kernels"]},
          {"node(int*)": "main > graphs > made_first", "again(int*)": "main > graphs > made_again"})


def capture(compiler):
    """Where a node was made is the path of the launch that was captured, not of cudaStreamEndCapture or cudaGraphInstantiate."""
    report = record(compiler, "capture")
    equal("kernels", launches(report), {
        (TWICE, "main > capture > run"): 2000, ("other(float*)", "main > capture > run"): 1000,
        ("third(float*)", "main > capture > run"): 500, (TWICE, "main > capture > launch"): 1})
    # A second graph has the numbers of the first, which was destroyed.
    equal("created", {(row["name"], row["host_path"].split(" > ")[-1]): row["created_path"] for row in report["kernels"]}, {
        (TWICE, "run"): "main > capture > captured_of > body > launch",
        ("other(float*)", "run"): "main > capture > captured_of > body > launch_other",
        ("third(float*)", "run"): "main > capture > captured_of > launch_third", (TWICE, "launch"): ""})


def gemm(compiler):
    """A library without probes launches, through the driver: the path ends at the function with probes that called it."""
    report = record(compiler, "gemm")
    equal("kernels", launches(report), {("sgemm_(float const*, float const*, float*)", "main > gemm > products > product"): 51,
                                        ("add_parts(float const*, float*)", "main > gemm > products > product"): 1})
    rows = {row["name"]: row["calls"] for row in D.read("report")["functions"]}
    equal("calls", (rows["product"], "cublasSgemm_v2" in rows), (51, False))


def events(compiler):
    report = record(compiler, "events")
    equal("kernels", launches(report), {(TWICE, "main > events > launch"): 20})
    # Those of the host; a stream's wait for an event is none.  A wait for several works is in a row for each.
    equal("waits", {(row["call"], row["host_path"]) for row in report["waits"]}, {("cudaEventSynchronize", "main > events > wait_for")})
    equal("how many", report["gpu_cover"]["waits"], 10)
    equal("functions of the host", {row["name"]: row["calls"] for row in D.read("report")["functions"]}["on_host"], 10)


def library(compiler):
    path = D.folder / f"library-{compiler}.so"
    command = [compiler, "-g", "-O2", f"-fplugin={D.plugin}", "-shared", "-fPIC", doubles.HERE / "programs" / "library.c", "-o", path,
               f"-L{D.libraries}", "-lcudart"]
    equal("library", D.run(command).returncode, 0)
    report = record(compiler, "library", str(path))
    equal("kernels", launches(report), {("(anonymous namespace)::there(int)", "main > library > launch_there"): 3})


def reset(compiler):
    """cudaDeviceReset: what is asked for after it is in another context, and recorded as before."""
    report = record(compiler, "reset")
    equal("kernels", launches(report), {(TWICE, "main > reset > before > launch"): 10, (TWICE, "main > reset > after > launch"): 20})
    equal("contexts", sorted((row["context"], row["kernels"]) for row in report["streams"]), [(1, 10), (2, 20)])
    equal("waits", report["gpu_cover"]["waits"], 1)


def fault(compiler):
    D.record(D.build("works", compiler), "fault", status=4)
    equal("output", D.output, "error 700\nfault\n")
    report = D.read("gpu", "--by=path")
    equal("kernels before it", launches(report), {(TWICE, "main > fault > launch"): 10})
    equal("the launch of the bad one is there", report["gpu_cover"]["calls"] >= 12, True)


D.main([(f"{case.__name__} {compiler}", functools.partial(case, compiler))
        for case in (pipeline, graphs, capture, gemm, events, library, reset, fault) for compiler in D.compilers])
