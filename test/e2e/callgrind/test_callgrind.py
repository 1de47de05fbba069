#!/usr/bin/env python3
"""test_callgrind.py --prof PROF --folder FOLDER [--compiler COMMAND] [--size N] [--flags FLAGS] - call counts of lua against callgrind's.

Exit status: 0 equal for every probed function, 1 not, 77 no valgrind, no sources or no compiler with a backend.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402
from callgrind import calls_per_function, read_calls  # noqa: E402


def run_callgrind(command, out):
    """The program's output; its calls are in `out`."""
    return subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *command],
                          capture_output=True, text=True, check=True).stdout


def recorded_calls(prof, command, data):
    """(program's output, calls per function) of a recording; nothing may be lost."""
    shutil.rmtree(data, ignore_errors=True)
    run = subprocess.run([prof, "record", "-o", data, "--", *command], capture_output=True, text=True, check=True)
    info = json.loads(subprocess.run([prof, "info", "-i", data, "--format", "json"], capture_output=True, text=True,
                                     check=True).stdout)
    if info["lost_events"]:
        raise RuntimeError(f"{info['lost_events']} events were lost: {run.stderr}")
    report = subprocess.run([prof, "report", "-i", data, "--format", "json", "--demangle", "no"], capture_output=True,
                            text=True, check=True).stdout
    calls = {}
    for row in json.loads(report)["functions"]:
        calls[row["name"]] = calls.get(row["name"], 0) + row["calls"]
    return run.stdout, calls


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    parser.add_argument("--compiler", help="default: as `make demo` picks it")
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--size", type=int, default=1)
    parser.add_argument("--flags", default="-g -O2")
    parser.add_argument("--libprof", help="-finstrument-functions and the library in this folder, instead of the plugin")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        programs.skip("no valgrind (make setup)")

    compiler = programs.compiler_or_skip(options.compiler)
    # One entry: the cache of strings goes by their addresses, so that a seldom run would make a call more or less.
    if options.libprof:
        probes = ["-finstrument-functions", f"-L{options.libprof}", f"-Wl,-rpath,{options.libprof},--no-as-needed", "-lprof"]
    else:
        probes = programs.plugin_flags(options.prof, compiler)
    flags = options.flags.split() + ["-DSTRCACHE_N=1", "-DSTRCACHE_M=1"] + probes
    variant = f"{'calls' if options.libprof else 'callgrind'}-{pathlib.Path(compiler).name}" + "".join(options.flags.split()[1:])
    lua = programs.build("lua", variant, compiler, flags, options.folder).resolve()
    command = [str(lua), *programs.lua_arguments(options.size)]
    profile = options.folder / f"callgrind-{variant}.out"
    expected_output = run_callgrind(command, profile)
    expected = calls_per_function(read_calls(profile), str(lua))
    output, measured = recorded_calls(options.prof, command, options.folder / f"callgrind-{variant}.data")

    faults = [] if output == expected_output else ["the program printed something else while recorded"]
    for name in sorted(measured):
        if measured[name] != expected.get(name, 0):
            faults.append(f"{name}: recorded {measured[name]}, callgrind {expected.get(name, 0)}")
    if len(measured) < 100 or sum(measured.values()) < 100000:
        faults.append(f"only {len(measured)} functions and {sum(measured.values())} calls were recorded")
    for fault in faults:
        print(fault)
    print(f"{len(measured)} functions, {sum(measured.values())} calls, {len(faults)} differences")
    return 1 if faults else 0


sys.exit(main())
