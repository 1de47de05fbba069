#!/usr/bin/env python3
"""Lines of kernels: samples of places in GPU programs that nvcc made, against CUPTI's own word for the line of each place
(which needs no GPU); and what happens when samples can't be had, are dropped, or lie in no known program."""
import collections
import ctypes
import functools
import json
import pathlib
import shutil
import struct
import subprocess

import doubles
from doubles import contains, equal

STEPS = 7
D = doubles.Doubles()
KERNELS = {"_Z5scaleIfEvPT_i": "void scale<float>(float*, int)", "plain": "plain"}
SELECTED, SCOREBOARD, BARRIER, IDLE = 10, 11, 12, 13


@functools.lru_cache(maxsize=None)
def cubin(architecture="sm_90", *flags, source=doubles.HERE / "programs" / "lines.cu"):
    """A GPU program, by nvcc."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    path = D.folder / f"{architecture}{''.join(flags)}{source.parent.name}.cubin"
    try:
        result = D.run([nvcc, "-cubin", f"-arch={architecture}", *flags, "-o", path, source])
    except FileNotFoundError:
        raise doubles.Skip("nvcc is not here") from None
    if "Unsupported gpu architecture" in result.stderr:
        raise doubles.Skip(f"nvcc doesn't know {architecture}")
    equal("nvcc's status " + result.stderr, result.returncode, 0)
    return path


def instructions(path):
    """{function: offsets of its instructions}, by the symbol table."""
    data = path.read_bytes()
    section_offset, = struct.unpack_from("<Q", data, 40)
    count, = struct.unpack_from("<H", data, 60)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, section_offset + 64 * i) for i in range(count)]
    table = next(section for section in sections if section[1] == 2)
    strings = sections[table[6]][4]
    found = {}
    for at in range(table[4], table[4] + table[5], 24):
        name, _, _, _, _, size = struct.unpack_from("<IBBHQQ", data, at)
        text = data[strings + name:data.index(b"\0", strings + name)].decode()
        if text in KERNELS and size:
            found[text] = range(0, size, 16)
    return found


class Correlation(ctypes.Structure):  # CUpti_GetSassToSourceCorrelationParams
    _fields_ = [("size", ctypes.c_size_t), ("cubin", ctypes.c_void_p), ("function", ctypes.c_char_p), ("cubin_size", ctypes.c_size_t),
                ("line", ctypes.c_uint32), ("offset", ctypes.c_uint64), ("file", ctypes.c_char_p), ("folder", ctypes.c_char_p)]


@functools.lru_cache(maxsize=None)
def cupti():
    nvcc = shutil.which("nvcc")
    prefixes = [pathlib.Path(nvcc).resolve().parents[1]] if nvcc else []
    prefixes.append(pathlib.Path("/usr/local/cuda"))
    for prefix in prefixes:
        for place in ("lib64", "extras/CUPTI/lib64", "targets/x86_64-linux/lib"):
            for library in sorted((prefix / place).glob("libcupti.so.*")):
                return ctypes.CDLL(str(library))
    raise doubles.Skip("CUPTI is not here")


def oracle(path, function, offset):
    """(file, line) as CUPTI says; None: it knows none."""
    data = path.read_bytes()
    asked = Correlation(size=ctypes.sizeof(Correlation), cubin=ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p),
                        function=function.encode(), cubin_size=len(data), offset=offset)
    if cupti().cuptiGetSassToSourceCorrelation(ctypes.byref(asked)) or not asked.file:
        return None
    folder = asked.folder.decode() if asked.folder else ""
    return (str(pathlib.Path(folder) / asked.file.decode()), asked.line)


def places(path):
    """Samples of every instruction, each with a count of its own."""
    count = 0
    for function, offsets in instructions(path).items():
        for offset in offsets:
            count += 1
            yield function, offset, (SELECTED, SCOREBOARD, BARRIER)[count % 3], count % 50 + 1


def record(wanted, path=None, steps=STEPS, **knobs):
    environment = {"GPU_DOUBLE_PLACES": ",".join(f"{function}:{offset:x}:{reason}:{count}" for function, offset, reason, count in wanted)}
    if path:
        environment["GPU_DOUBLE_CUBIN"] = str(path)
    environment.update({f"GPU_DOUBLE_{name}": str(value) for name, value in knobs.items()})
    return D.record(D.build("lines"), steps, options=["--gpu-lines"], environment=environment)


def lines(*options):
    return D.read("lines", "--gpu", *options)


def against_cupti(architecture, flags):
    path = cubin(architecture, *flags)
    wanted = list(places(path))
    expected = collections.Counter()
    reasons = collections.Counter()
    for function, offset, reason, count in wanted:
        place = oracle(path, function, offset) or ("", 0)
        expected[KERNELS[function], *place] += STEPS * count
        reasons[KERNELS[function], *place, reason] += STEPS * count
    record(wanted, path)
    report = lines()
    equal("lines", {(row["kernel"], row["file"], row["line"]): row["samples"] for row in report["gpu_lines"]}, dict(expected))
    equal("more than three lines, two files", (len(expected) > 5, len({file for _, file, _ in expected if file})),
          (True, 1 if "-G" in flags else 2))  # with -G nothing is inlined from the header
    names = {"selected": SELECTED, "long_scoreboard": SCOREBOARD, "barrier": BARRIER}
    equal("reasons", {(row["kernel"], row["file"], row["line"], names[stall["reason"]]): stall["samples"]
                      for row in report["gpu_lines"] for stall in row["stalls"]}, dict(reasons))
    cover = report["gpu_samples"]
    total = STEPS * sum(count for *_, count in wanted)
    equal("cover", [cover[key] for key in ("samples", "taken", "cycles", "no_cubin", "no_lines", "dropped", "foreign", "full", "cubins_lost")],
          [total, total, 4096, 0, 0, 0, 0, 0, 0])
    sampling = D.read("info")["gpu_sampling"]
    equal("prof info", sampling, {"taken": total, "dropped": 0, "foreign": 0, "full": 0, "cubins_lost": 0, "cycles": 4096})
    contains("prof info", D.run([D.prof, "info", "-i", "data"]).stdout, "4,096 cycles between two of a multiprocessor")
    equal("shares", round(sum(row["share"] for row in report["gpu_lines"]), 6), 1)
    equal("kernels recorded", D.read()["gpu_cover"]["kernels"], 2 * STEPS)


def annotated():
    path = cubin("sm_90", "-lineinfo")
    wanted = list(places(path))
    record(wanted, path)
    rows = {(row["file"], row["line"]): row["samples"] for row in lines()["gpu_lines"] if row["kernel"] == "plain"}
    pages = D.read("annotate", "--gpu", "plain")["gpu_sources"]
    equal("pages", len(pages), 1)
    source = (doubles.HERE / "programs" / "lines.cu").read_text().splitlines()
    equal("found", pages[0]["source_found"], True)
    for line in pages[0]["lines"]:
        equal("text", line["text"], source[line["line"] - 1])
        equal(f"samples of line {line['line']}", line["samples"], rows.get((pages[0]["file"], line["line"]), 0))
    pages = D.read("annotate", "--gpu", "scale")["gpu_sources"]
    equal("files of scale", sorted(pathlib.Path(page["file"]).name for page in pages), ["lines.cu", "lines.cuh"])
    result = D.run([D.prof, "annotate", "-i", "data", "--gpu", "plain"])
    contains("the table", result.stdout, "values[threadIdx.x] += sums[31 - threadIdx.x];")
    result = D.run([D.prof, "annotate", "-i", "data", "--gpu", "nothing"])
    equal("status", result.returncode, 2)
    contains("what it says", result.stderr, "no kernel with samples is called 'nothing'")
    result = D.run([D.prof, "lines", "-i", "data", "--gpu", "-n", "2"])
    contains("the table", result.stdout, "... and ")
    result = D.run([D.prof, "lines", "-i", "data", "--gpu", "--format=csv"])
    equal("CSV", result.stdout.splitlines()[0], "file,line,kernel,reason,samples,not_issued")


def packed():
    """The sources of kernels, on a machine that hasn't them."""
    folder = D.folder / "sources"
    folder.mkdir(exist_ok=True)
    for name in ("lines.cu", "lines.cuh"):
        shutil.copy(doubles.HERE / "programs" / name, folder)
    path = cubin("sm_90", "-lineinfo", source=folder / "lines.cu")
    record(list(places(path)), path)
    before = D.read("annotate", "--gpu", "scale")
    equal("packing", D.run([D.prof, "pack", "-i", "data"]).returncode, 0)
    shutil.rmtree(folder)
    after = D.read("annotate", "--gpu", "scale")
    equal("the same", after["gpu_sources"], before["gpu_sources"])
    equal("found", {(pathlib.Path(page["file"]).name, page["source_found"]) for page in after["gpu_sources"]},
          {("lines.cu", True), ("lines.cuh", True)})
    mapped = D.read("annotate", "--gpu", f"--path-map={folder}=/nowhere", "scale")["gpu_sources"]
    equal("mapped", {str(pathlib.Path(page["file"]).parent) for page in mapped if page["source_found"]}, {"/nowhere"})


def not_issued():
    """A reason and its kin in samples where nothing was issued are one reason; samples are counted once."""
    path = cubin("sm_90", "-lineinfo")
    record([("plain", 16, SCOREBOARD, 10), ("plain", 16, IDLE, 4), ("plain", 16, SELECTED, 3)], path)
    row, = lines()["gpu_lines"]
    equal("row", (row["samples"], row["not_issued"], row["share"]), (13 * STEPS, 4 * STEPS, 1))
    equal("stalls", row["stalls"], [{"reason": "long_scoreboard", "samples": 10 * STEPS, "not_issued": 4 * STEPS},
                                    {"reason": "selected", "samples": 3 * STEPS, "not_issued": 0}])


def whole():
    """The rest of the recording is as without samples."""
    report, functions = D.read(), {row["name"]: row["calls"] for row in D.read("report")["functions"]}
    equal("kernels", doubles.launches(report), {(name, "main > step"): STEPS for name in KERNELS.values()})
    equal("functions", functions, {"main": 1, "step": STEPS})
    equal("output", D.output, f"{STEPS} steps\n")


def not_permitted():
    said = record([("plain", 16, SELECTED, 1)], PLACES_RESULT=35)
    contains("what prof record says", said, "NVreg_RestrictProfilingToAdminUsers=0")
    contains("what prof record says", said, "GPU lines are not recorded: cuptiPCSamplingEnable: error 35 CUPTI_ERROR_INSUFFICIENT_PRIVILEGES")
    whole()
    contains("notes", " ".join(D.read("info")["notes"]), "NVreg_RestrictProfilingToAdminUsers=0")
    result = D.run([D.prof, "lines", "-i", "data", "--gpu"])
    equal("status", result.returncode, 1)
    contains("prof lines --gpu", result.stderr, "there are no samples of kernels in this recording")


def not_supported():
    contains("what prof record says", record([("plain", 16, SELECTED, 1)], PLACES_RESULT=27), "error 27")
    whole()


def not_asked():
    D.record(D.build("lines"), STEPS, environment={"GPU_DOUBLE_PLACES": f"plain:10:{SELECTED}:3"})
    whole()
    equal("status", D.run([D.prof, "lines", "-i", "data", "--gpu"]).returncode, 1)


# knobs, what of the cover must be so, samples that must be there (None: all)
FAULTS = {
    "dropped": ({"PLACES_DROPPED": 123}, {"dropped": 123, "taken": 2 * STEPS * 5 + 123}, None),
    "foreign": ({"PLACES_FOREIGN": 77}, {"foreign": 77}, None),
    "hardware buffer full": ({"PLACES_FULL": 1}, {"full": 1}, None),
    "one place at a time": ({"PLACES_FEW": 1}, {}, None),
    "all at the end": ({"PLACES_LATE": 1}, {}, None),
    "no GPU program": ({}, {"no_cubin": 2 * STEPS * 5, "cubins_lost": 1}, None),
}


def fault(name):
    knobs, wanted, _ = FAULTS[name]
    record([("plain", 16, SELECTED, 5), ("_Z5scaleIfEvPT_i", 32, BARRIER, 5)], **knobs)
    report = lines()
    cover = report["gpu_samples"]
    equal("samples", cover["samples"], 2 * STEPS * 5)
    for key, value in wanted.items():
        equal(key, cover[key], value)
    equal("kernels with samples", {row["kernel"] for row in report["gpu_lines"]}, set(KERNELS.values()))
    whole()


def other_program():
    """Samples say another checksum than the program that was loaded."""
    path = cubin("sm_90", "-lineinfo")
    record([("plain", 16, SELECTED, 5)], path, CUBIN_SUM=4711)
    cover = lines()["gpu_samples"]
    equal("cover", (cover["no_cubin"], cover["cubins_lost"]), (5 * STEPS, 1))


def no_line_information():
    record([("plain", 16, SELECTED, 5)], cubin("sm_90"))
    cover = lines()["gpu_samples"]
    equal("cover", (cover["no_lines"], cover["no_cubin"]), (5 * STEPS, 0))
    result = D.run([D.prof, "lines", "-i", "data", "--gpu"])
    contains("prof lines --gpu", result.stdout, "nvcc -lineinfo")
    result = D.run([D.prof, "annotate", "-i", "data", "--gpu", "plain"])
    contains("prof annotate --gpu", result.stderr, "compile with nvcc -lineinfo")


def damaged_programs():
    """A GPU program that is cut, or has other bytes, costs lines, no more."""
    data = cubin("sm_90", "-lineinfo").read_bytes()
    for number, broken in enumerate([data[:100], data[:len(data) // 2], data[:-1], b"\x7fELF" + bytes(60), b"no program",
                                     *(data[:at] + bytes([data[at] ^ 0xff]) + data[at + 1:] for at in range(0x830, 0x8a0, 37))]):
        path = D.folder / f"broken-{number}"
        path.write_bytes(broken)
        record([("plain", 16, SELECTED, 5)], path, steps=1)
        equal("samples", lines()["gpu_samples"]["samples"], 5)


D.main([*((f"against_cupti {architecture} {' '.join(flags)}", functools.partial(against_cupti, architecture, flags))
          for architecture, flags in (("sm_90", ("-lineinfo",)), ("sm_80", ("-lineinfo",)), ("sm_100", ("-lineinfo",)), ("sm_90", ("-G",)))),
        ("annotated", annotated), ("packed", packed), ("not_issued", not_issued), ("not_permitted", not_permitted), ("not_supported", not_supported),
        ("not_asked", not_asked), *((name, functools.partial(fault, name)) for name in FAULTS), ("other_program", other_program),
        ("no_line_information", no_line_information), ("damaged_programs", damaged_programs)])
