"""Rows: what a zone or point of prof.h costs a loop, off and on (zones.cc); on over an instrumented call of the same run."""
import shutil
import subprocess

import programs
from measuring import Row, progress, run

POINTS = ("mark", "counter", "value")
TRACKED = ("request", "span")  # the begin and end of each


def figures(*command):
    """name -> nanoseconds, as the program prints them."""
    text = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    return {name: float(value) for name, value in (line.split() for line in text.splitlines())}


def zone_rows(builds):
    progress("zones")
    compiler = builds.compiler.replace("clang", "clang++") if "clang" in builds.compiler else builds.compiler.replace("gcc", "g++")
    off, probed, data = builds.folder / "zones_off", builds.folder / "zones_on", builds.folder / "zones.data"
    command = [compiler, "-O2", f"-I{programs.ROOT / 'include'}", builds.source / "zones.cc", "-o"]
    run([*command, off])
    run([*command, probed, *programs.plugin_flags(builds.prof, compiler), "-fplugin-arg-prof-iterations=iterations_ns"])
    ns = figures(off, "off")
    cost = ns["zone_ns"] - ns["base_ns"]
    note = f"a test of a flag {ns['flag_ns'] - ns['base_ns']:.2f}, a call of an empty function {ns['call_ns'] - ns['base_ns']:.2f}"
    yield Row("a zone while nobody records, ns", f"{cost:.2f}", "<= 1", "0", cost <= 1, note)
    worst, cost = max(((name, ns[f"{name}_ns"] - ns["base_ns"]) for name in POINTS), key=lambda pair: pair[1])
    yield Row("a mark, counter or value while nobody records, ns", f"{cost:.2f}", "<= 1", "0", cost <= 1, f"the dearest: {worst}")
    worst, cost = max(((name, ns[f"{name}_ns"] - ns["base_ns"]) for name in TRACKED), key=lambda pair: pair[1])
    yield Row("a request or span while nobody records, ns", f"{cost:.2f}", "<= 1", "0", cost <= 1, f"the dearer: {worst}")
    cost = ns["named_ns"] - ns["base_ns"]
    yield Row("a zone of a name made at run time, while nobody records, ns", f"{cost:.2f}", "<= 1", "0", cost <= 1, "")
    shutil.rmtree(data, ignore_errors=True)
    ns = figures(builds.prof, "record", "--light=off", "-o", data, "--", probed, "on")  # each event reads the clock
    shutil.rmtree(data, ignore_errors=True)
    zone, call = ns["zone_ns"] - ns["base_ns"], ns["call_ns"] - ns["base_ns"]
    yield Row("a zone over an instrumented call, recording", f"{zone / call:.2f}", "<= 1.1", "1", zone / call <= 1.1,
              f"zone {zone:.1f} ns, call {call:.1f} ns")
    cost = ns["iteration_ns"] - ns["base_ns"]
    yield Row("an iteration of a named loop over an instrumented call, recording", f"{cost / call:.2f}", "<= 1.1", "1", cost / call <= 1.1,
              f"iteration {cost:.1f} ns")
    for name in (*POINTS, *TRACKED):
        cost = ns[f"{name}_ns"] - ns["base_ns"]
        floor = "1" if name in TRACKED else "0.5"
        yield Row(f"a {name} over an instrumented call, recording", f"{cost / call:.2f}", "<= 1.1", floor, cost / call <= 1.1,
                  f"{name} {cost:.1f} ns")
    cost = ns["named_ns"] - ns["base_ns"]
    yield Row("a zone of a name made at run time over an instrumented call, recording", f"{cost / call:.2f}", note=f"named {cost:.1f} ns")
