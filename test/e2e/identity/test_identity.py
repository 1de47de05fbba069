#!/usr/bin/env python3
"""test_identity.py --prof PROF --folder FOLDER --program NAME --flags FLAGS [--compiler COMMAND] [--each] - the same behaviour plain, off, on and measured.

plain: built without the plugin; off: with it, run by itself; on: run under `prof record`; measured: with
all measures together, and with --each one by one.  Exit status: 0 the same, 1 not,
77 no sources or no compiler with a backend.
"""
import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

import cases
import programs

# What `prof record` itself says stands behind the program's own output, each line begun with its name.
RECORD_LINES = re.compile(rb"\n(?:^(?:prof: |  ).*\n?)+\Z", re.MULTILINE)  # on a line of their own, whatever stands before them
# Said while the program runs, of a recorder that gets no processor.
WARNING = re.compile(rb"^prof: (?:probes slow the program|the program waited) .*\n", re.MULTILINE)

MEASURES = ["--memory", "--locks", "--io", "--machine=100ms", "--counters=page-faults,context-switches"]


def run(command, stdin, folder):
    result = subprocess.run(command, input=stdin if stdin is not None else b"", capture_output=True, check=False,
                            cwd=folder, timeout=600)
    return result.returncode, cases.masked(result.stdout), cases.masked(result.stderr)


def behaviour(name, binary, prefix, folder):
    """{case: (status, stdout, stderr)} and the files left, of one build run in one way."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    runs, left = cases.PROGRAMS[name]
    # Under one name in every variant, because programs print it.
    shutil.copy(binary, folder / name)
    seen = {}
    for case, arguments, stdin in runs(pathlib.Path(".")):
        seen[case] = run([*prefix, f"./{name}", *arguments], stdin, folder)
    for file in left:
        path = folder / file
        seen[f"file {file}"] = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "missing"
    return seen


def without_record_lines(seen):
    return {case: (value[0], value[1], RECORD_LINES.sub(b"", WARNING.sub(b"", value[2]))) if isinstance(value, tuple) else value
            for case, value in seen.items()}


def differences(way, plain, other):
    for case, value in plain.items():
        if other[case] != value:
            yield f"{way}: {case}:\n    plain {short(value)}\n    {way:5} {short(other[case])}"


def short(value):
    if not isinstance(value, tuple):
        return value
    parts = [text[-200:] if len(text) < 2000 else hashlib.sha256(text).hexdigest() for text in value[1:]]
    return f"status {value[0]}, stdout {parts[0]}, stderr {parts[1]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    parser.add_argument("--compiler", help="default: as `make demo` picks it")
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--program", required=True, choices=cases.PROGRAMS)
    parser.add_argument("--flags", required=True)
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()

    compiler = programs.compiler_or_skip(options.compiler)
    if options.program in cases.OF_CXX:
        compiler = compiler.replace("clang", "clang++") if "clang" in compiler else compiler.replace("gcc", "g++")
    flags = options.flags.split()
    kind = f"-{pathlib.Path(compiler).name}" + "".join(flag for flag in flags if flag != "-g")
    builds, work = options.folder, options.folder / f"identity-{options.program}{kind}"
    plain = programs.build(options.program, "plain" + kind, compiler, flags, builds)
    probed = programs.build(options.program, "plugin" + kind, compiler,
                            flags + programs.plugin_flags(options.prof, compiler), builds)
    expected = behaviour(options.program, plain, [], work / "plain")
    off = behaviour(options.program, probed, [], work / "off")
    on = behaviour(options.program, probed, [options.prof, "record", "-o", "prof.data", "--"], work / "on")

    faults = [*differences("off", expected, off), *differences("on", expected, without_record_lines(on))]
    ways = [MEASURES, *([measure] for measure in MEASURES if options.each)]
    for way in ways:
        measured = behaviour(options.program, probed, [options.prof, "record", "-o", "prof.data", *way, "--"], work / "measured")
        faults += differences(" ".join(way), expected, without_record_lines(measured))
    if not any(b"prof: " in value[2] for value in on.values() if isinstance(value, tuple)):
        faults.append("on: prof record said nothing, so nothing was recorded")
    for fault in faults:
        print(fault)
    print(f"{options.program} {compiler} {options.flags}: {len(expected)} things compared off, on and in {len(ways)} ways measured, {len(faults)} differences")
    return 1 if faults else 0


sys.exit(main())
