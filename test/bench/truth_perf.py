"""The oracle of `make bench-truth`: perf samples of the plain build, as shares of self time per probed function.

`callers`: how perf finds the caller of code that has no probes (libc, mostly).  "fp" follows frame pointers; Debian's libc
keeps none, so that the caller of such code is skipped or the chain is broken at once.  "dwarf" unwinds a copy of the
stack's end by libc's own tables.  A sample inside a probed function needs no caller: there both say the same.
"""
import collections
import dataclasses
import os
import pathlib
import re
import subprocess

HERTZ = 5000
STACK_BYTES = 2048  # for "dwarf": enough for the frames between libc's code and its caller in the program

CLONE = re.compile(r"\.(?:part|isra|constprop|cold|lto_priv|localalias|llvm)(?:\.\d+)*(?=\.|$)")
FRAME = re.compile(r"^\s*[0-9a-f]+ (.*) \((.*)\)$")


def merged(name):
    """The function that a clone was made of, by the linkage name."""
    return CLONE.sub("", name)


@dataclasses.dataclass
class Perf:
    samples: dict  # function -> samples in it, or in unprobed code that it called
    outside: int  # samples above which no probed function was found: loader, start-up, broken chains
    unprobed: int  # samples in code without probes, `outside` not counted
    rate: float  # samples per second of user time, the kernel's among them where perf sees it


def record(command, data, callers, run):
    """Records one run; `run` is measuring.run.  Events of the hardware where there are some, else the kernel's clock."""
    graph = "fp" if callers == "fp" else f"dwarf,{STACK_BYTES}"
    return run(["perf", "record", "-q", "-e", event(), "-F", HERTZ, "-g", f"--call-graph={graph}", "-o", data, "--", *command])


def sees_kernel():
    """prof's times have the kernel's work for a function in them; perf may be asked for it by some only."""
    level = int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    return os.geteuid() == 0 or level <= 1


_event = []


def event():
    if not _event:
        mode = "" if sees_kernel() else ":u"
        counted = subprocess.run(["perf", "stat", "-x,", "-e", f"cycles{mode}", "true"], capture_output=True, text=True, check=False)
        _event.append(("cycles" if counted.returncode == 0 and counted.stderr.split(",")[0].isdigit() else "cpu-clock") + mode)
    return _event[0]


def blocks(data):
    """[(function, file)] per sample, innermost first."""
    script = ["perf", "script", "--no-inline", "--no-demangle", "-F", "ip,sym,dso", "-i", data]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace") as child:
        frames = []
        for line in child.stdout:
            match = FRAME.match(line.rstrip("\n"))
            if match:
                frames.append((match[1], match[2]))
            elif frames:
                yield frames
                frames = []
        if frames:
            yield frames
    if child.returncode:
        raise RuntimeError(f"perf script ended with {child.returncode}")


def shares(data, program, probed, user_s):
    """What a recording says of the functions named in `probed`, of the file `program`."""
    samples, outside, unprobed = collections.Counter(), 0, 0
    for frames in blocks(data):
        for depth, (name, file) in enumerate(frames):
            name = merged(name)
            if file == str(program) and name in probed:
                samples[name] += 1
                unprobed += depth > 0
                break
        else:
            outside += 1
    total = sum(samples.values())
    if not total:
        raise RuntimeError("perf took no sample in a probed function")
    return Perf(samples, outside, unprobed, (total + outside) / user_s)


def distance(left, right):
    """Half the sum of the absolute differences of shares, in points (0 to 100)."""
    whole_left, whole_right = sum(left.values()), sum(right.values())
    return 50 * sum(abs(left.get(name, 0) / whole_left - right.get(name, 0) / whole_right) for name in {*left, *right})
