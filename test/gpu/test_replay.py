#!/usr/bin/env python3
"""What CUPTI delivered, kept by PROF_GPU_KEEP_BUFFERS and played again: the report says what the file says, counted here by
itself.  Files that were made on a real GPU only have to be put into buffers/ (*.buffers)."""
import collections
import functools
import struct

import doubles
from doubles import equal

D = doubles.Doubles()
START, STRIDE, CALL, TEXT, BUFFER = range(1, 6)
MEMCPY, MEMSET, KERNEL, PEER = 1, 2, 10, 22
BUFFERS = doubles.HERE / "buffers"


def entries(data):
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if at + 8 + size > len(data):
            return
        yield kind, data[at + 8:at + 8 + size]
        at += 8 + size


def text(data):
    return data[:data.index(b"\0")].decode()


def counted(path):
    """({kernel: [launches, ticks]}, [copies and sets, bytes], API calls that are in no other), from the file alone."""
    strides, texts, kernels, copies, calls = {}, {}, collections.defaultdict(lambda: [0, 0]), [0, 0], 0
    depth = collections.Counter()
    for kind, data in entries(path.read_bytes()):
        if kind == STRIDE:
            record, size = struct.unpack_from("<II", data)
            strides[record] = size
        elif kind == TEXT:
            texts[struct.unpack_from("<Q", data)[0]] = text(data[8:])
        elif kind == CALL:
            site, thread = struct.unpack_from("<8xI4xI", data)
            calls += site == 0 and depth[thread] == 0
            depth[thread] += 1 if site == 0 else -1
        elif kind == BUFFER:
            size, = struct.unpack_from("<Q", data)
            at = 8
            while at < 8 + size:
                record, = struct.unpack_from("<I", data, at)
                if record == KERNEL:
                    start, end = struct.unpack_from("<QQ", data, at + 16)
                    row = kernels[texts[struct.unpack_from("<Q", data, at + 104)[0]]]
                    row[0] += 1
                    row[1] += end - start
                elif record in (MEMCPY, MEMSET, PEER):
                    copies[0] += 1
                    copies[1] += struct.unpack_from("<Q", data, at + 8)[0]
                at += strides[record]
    return kernels, copies, calls


def play(path):
    kernels, copies, calls = counted(path)
    D.record(D.build("replay", plugin=False), environment={"GPU_DOUBLE_REPLAY": str(path)})
    equal("output", D.output, "played\n")
    report = D.read("gpu", "--demangle=no")
    here = D.read("info")["clock_hz"]
    equal("kernels", {row["name"]: row["launches"] for row in report["kernels"]}, {name: row[0] for name, row in kernels.items()})
    for row in report["kernels"]:
        wanted = kernels[row["name"]][1] * 1e9 / here
        if abs(row["total_ns"] - wanted) > 2:
            raise AssertionError(f"{row['name']}: {row['total_ns']} ns, expected {wanted}")
    equal("copies and sets", [sum(row["count"] for row in report["copies"]), sum(row["bytes"] for row in report["copies"])], copies)
    equal("calls", report["gpu_cover"]["calls"], calls)
    for key in ("unmatched", "unknown", "lost", "early", "damaged_chunks"):
        equal(key, report["gpu_cover"][key], 0)
    return report


def made_by_double(name, arguments, environment):
    folder = D.folder / f"kept-{name}{len(environment)}"
    folder.mkdir(exist_ok=True)
    D.record(D.build(name), *arguments, environment={"PROF_GPU_KEEP_BUFFERS": str(folder), **environment})
    first = D.read("gpu", "--demangle=no")
    path, = folder.glob("*.buffers")
    second = play(path)
    keys = ("name", "launches", "grid", "block", "registers", "static_shared_bytes", "dynamic_shared_bytes", "call")
    equal("as recorded first", sorted([row[key] for key in keys] for row in second["kernels"]),
          sorted([row[key] for key in keys] for row in first["kernels"]))
    equal("devices", [row["name"] for row in second["devices"]], [row["name"] for row in first["devices"]])


def cut():
    """A file that was cut is played up to there."""
    folder = D.folder / "kept-cut"
    folder.mkdir()
    D.record(D.build("paths"), 20, environment={"PROF_GPU_KEEP_BUFFERS": str(folder)})
    path, = folder.glob("*.buffers")
    data = path.read_bytes()
    path.write_bytes(data[:len(data) - 5000])
    D.record(D.build("replay", plugin=False), environment={"GPU_DOUBLE_REPLAY": str(path)})
    equal("output", D.output, "played\n")


def no_folder():
    said = D.record(D.build("paths"), 2, environment={"PROF_GPU_KEEP_BUFFERS": "/nowhere/at/all"})
    doubles.contains("what prof record says", said, "GPU buffers are not kept: /nowhere/at/all/")
    equal("kernels", D.read()["gpu_cover"]["kernels"], 21)


def real():
    files = sorted(BUFFERS.glob("*.buffers")) if BUFFERS.exists() else []
    if not files:
        raise doubles.Skip("no buffers of a real GPU are here yet")
    for path in files:
        play(path)


D.main([*((f"double {name} {' '.join(environment)}", functools.partial(made_by_double, name, arguments, environment))
          for name, arguments, environment in (("paths", (30,), {}), ("many", (4, 50), {}), ("paths", (30,), {"GPU_DOUBLE_KERNEL_BYTES": "160"}))),
        ("cut", cut), ("no_folder", no_folder), ("real", real)])
