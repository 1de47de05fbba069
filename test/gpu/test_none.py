#!/usr/bin/env python3
"""Programs without CUDA: nothing is loaded, nothing is said.  Programs with CUDA where there is no driver: one line."""
import re
import shutil

import doubles
from doubles import contains, equal

D = doubles.Doubles()


def without_cuda():
    """Neither the collector nor CUPTI is in the program's memory, whatever --gpu says; the runtime is, as a check."""
    link = ("-O2", "-Wl,--as-needed")
    program = D.build("plain", flags=link)
    for mode in ("auto", "on", "off"):
        said = D.record(program, options=[f"--gpu={mode}"])
        equal(f"libraries with --gpu={mode}", D.output, "0 0 1\n")
        equal(f"said with --gpu={mode}", [line for line in said.splitlines() if "GPU" in line],
              ["prof: no GPU activity was recorded: the program did not initialise CUDA"] if mode == "on" else [])
    if not has_driver():
        said = D.record(program, options=["--gpu=on"], with_doubles=False)
        contains("without a driver", said, "no GPU activity was recorded: there is no NVIDIA driver here (libcuda.so.1)")


def has_driver():
    return "libcuda.so.1" in D.run(["ldconfig", "-p"]).stdout


def switched_off():
    """--gpu=off: a program with CUDA has no collector."""
    said = D.record(D.build("paths"), 10, options=["--gpu=off"])
    equal("said", "GPU" in said, False)
    equal("status of prof gpu", D.run([D.prof, "gpu", "-i", "data"]).returncode, 1)


def keys_are_described():
    """docs/json-gpu.md has every key that prof gpu prints, and no other."""
    D.record(D.build("paths"), 10)
    report = D.read()
    D.record(D.build("paths"), 10, "abort", options=["--gpu-metrics"], status=-6)
    metrics = D.read()["metrics"]
    D.record(D.build("ranges"))
    report = {**D.read(), "metrics": metrics, **{key: value for key, value in report.items() if value}, **D.read("gpu", "--nvtx=step")}
    lists = [name for name, value in report.items() if isinstance(value, list)]
    objects = [name for name, value in report.items() if isinstance(value, dict)]
    printed = {f"{name}[].{key}" for name in lists for row in report[name] for key in row} | {f"{name}[]" for name in lists}
    printed |= {f"{name}.{key}" for name in objects for key in report[name]}
    page = (doubles.HERE.parents[1] / "docs" / "json-gpu.md").read_text()
    rows = re.findall(r"^\| (`.*?) \|", page, re.M)
    equal("keys", printed, {key for row in rows for key in re.findall(r"`([^`]+)`", row)})


def users_own_injection():
    """What the user has put into CUDA_INJECTION64_PATH stays."""
    said = D.record(D.build("paths"), 10, environment={"CUDA_INJECTION64_PATH": "/nowhere/mine.so"})
    contains("the driver's double says", said, "cannot inject /nowhere/mine.so")


def nvcc_program():
    """nvcc's code, host compiler with probes, the shared runtime: the double's; then without a driver."""
    if not shutil.which("nvcc"):
        raise doubles.Skip("nvcc is not here")
    host = next((name for name in ("gcc-12", "gcc-11") if name in D.compilers), None)
    if host is None:
        raise doubles.Skip("no GCC that nvcc takes and that has a backend")
    program = D.folder / "kernel"
    command = ["nvcc", "-ccbin", host.replace("gcc", "g++"), "-g", "-O2", "-cudart", "shared", "-arch=sm_90",
               "-Xcompiler", f"-fplugin={D.plugin}", doubles.HERE / "programs" / "kernel.cu", "-o", program]
    result = D.run(command)
    if result.returncode:
        raise AssertionError(f"nvcc: {result.stderr}")
    D.record(program)
    equal("the program's own output", D.output, "6 kernels\n")
    report = D.read("gpu", "--by=path")
    rows = {(row["name"], row["host_path"].split(" > ")[1]): (row["launches"], row["grid"], row["block"], row["call"])
            for row in report["kernels"]}
    equal("kernels", rows, {("void fill<float>(float*, float)", "launch_fill(float*)"): (5, "4", "64", "__cudaLaunchKernel"),
                            ("(anonymous namespace)::twice(float*)", "launch_twice(float*)"): (1, "2x3", "32", "__cudaLaunchKernel")})
    for row in report["kernels"]:
        equal("frames of the host path", len(row["host_path"].split(" > ")) <= 4, True)
    if has_driver():
        return
    D.run(["rm", "-rf", "data"])
    said = D.run([D.prof, "record", "-o", "data", program])
    contains("without a driver", said.stderr, "there is no NVIDIA driver here (libcuda.so.1)")


D.main([(case.__name__, case) for case in (without_cuda, switched_off, keys_are_described,
                                              users_own_injection, nvcc_program)])
