#!/usr/bin/env python3
"""`make gpu-bundle`: what it gathers suffices and is small enough; its checks say what is unproven without a driver, and
those that the doubles can play pass on them."""
import re
import shutil

import doubles
from doubles import contains, equal

LIMIT = 64 << 20
OURS = ("device", "callback", "clock", "names", "threads", "alone", "aborted", "hostlines", "open", "bounds", "buffers", "pipeline", "host",
        "forked", "library", "fault")
D = doubles.Doubles()
ROOT = doubles.HERE.parents[1]
BUNDLE = D.folder / "bundle"


def made():
    if BUNDLE.exists():
        return
    if not shutil.which("nvcc"):
        raise doubles.Skip("nvcc is not here")
    if not shutil.which("g++-12") and not shutil.which("g++-11"):
        raise doubles.Skip("no GCC that nvcc takes")
    result = D.run([ROOT / "scripts" / "gpu_bundle.sh", D.prof.parents[1], BUNDLE], timeout=600)
    equal("status of gpu_bundle.sh", (result.returncode, result.stderr), (0, ""))
    contains("what it says", result.stdout, "unproven until then:")


def complete():
    """Nothing that a program here needs is outside, but glibc and the driver; at most 64 MiB."""
    made()
    size = sum(file.stat().st_size for file in BUNDLE.rglob("*") if file.is_file())
    equal("size", size <= LIMIT, True)
    inside = {file.name for file in (BUNDLE / "lib").iterdir()}
    glibc = re.compile(r"(ld-linux.*|lib(c|m|dl|pthread|rt|util))\.so\.\d+$")
    for file in (*(BUNDLE / "bin").iterdir(), *(BUNDLE / "programs").iterdir(), *(BUNDLE / "lib").iterdir()):
        needed = re.findall(r"NEEDED.*\[(.*)\]", D.run(["readelf", "-d", file]).stdout)
        equal(f"needed by {file.name}", {name for name in needed if not glibc.match(name)} - inside - {"libcuda.so.1"}, set())


def unproven():
    made()
    if "libcuda.so.1" in D.run(["ldconfig", "-p"]).stdout:
        raise doubles.Skip("there is a driver here: make check-gpu")
    result = D.run([BUNDLE / "check.sh"])
    equal("status", result.returncode, 77)
    listed = D.run([BUNDLE / "check.sh", "--list"]).stdout
    equal("list", result.stdout.split("\n", 1)[1], listed)
    checks = re.findall(r"^check_(\w+)\(\)", (BUNDLE / "check.sh").read_text(), re.M)
    equal("every check is listed", sorted(line.split()[0] for line in listed.splitlines()), sorted(checks))


def on_doubles():
    """The script itself: with the doubles in place of CUDA's libraries these pass, and a fault makes one fail."""
    made()
    for library in ("libcuda.so.1", "libcudart.so.13", "libcupti.so.13"):
        (BUNDLE / "lib" / library).unlink(missing_ok=True)
        shutil.copy(D.libraries / library, BUNDLE / "lib" / library)
    result = D.run([BUNDLE / "check.sh", *OURS], timeout=900)
    contains("the end", result.stdout, f"{len(OURS)} passed, 0 failed, 0 skipped")
    equal("status", result.returncode, 0)
    result = D.run([BUNDLE / "check.sh", "threads"], {"GPU_DOUBLE_DROP": "10"}, timeout=900)
    contains("dropped records", result.stdout, "0 passed, 1 failed, 0 skipped")
    equal("status", result.returncode, 1)


def tutorial():
    """docs/tutorial/2-gpu.md: the four variants of its program say what the page says."""
    host = next((name for name in ("g++-12", "g++-11") if shutil.which(name)), None)
    if not shutil.which("nvcc") or host is None:
        raise doubles.Skip("nvcc or its host compiler is not here")
    for define in ("SLOW", "AHEAD", "PINNED", "WHOLE"):
        program = D.folder / define.lower()
        result = D.run(["nvcc", "-ccbin", host, "-g", "-O2", "-cudart", "shared", "-arch=sm_90", f"-D{define}", "-Xcompiler",
                        f"-fplugin={D.plugin}", ROOT / "docs" / "examples" / "gpu" / "steps.cu", "-o", program], timeout=900)
        equal(f"nvcc of {define}", result.returncode, 0)
        D.record(program)
        equal("the program's own output", D.output, "20 steps\n")
        report = D.read()
        equal(f"kernels of {define}", sum(row["launches"] for row in report["kernels"]), 20 if define == "WHOLE" else 20 * 64)
        equal(f"pageable copies of {define}", report["gpu_cover"]["pageable"], 0 if define == "PINNED" else 20)
        if define == "SLOW":
            first = report["idle"][0]
            equal("the first row of idle time", (first["why"], first["host_path"].split(" > ")[-1].split("(")[0]), ("host", "make_batch"))


D.main([(case.__name__, case) for case in (complete, unproven, on_doubles, tutorial)])
