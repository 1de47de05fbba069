#!/usr/bin/env python3
"""Probes hit while programs run: each exit matches the function on top, landings find their frame, tail calls leave first.

The slice: the newest GCC and Clang, two levels.
"""
import struct

import objects
import setting
import slices
import test_same

SHORT = (["-O2"], ["-Os"])
STILL_OPEN = {"special_functions.c": "die", "exceptions.cc": "terminate"}  # end by exit() with frames open


def replay(linked, hits):
    """Faults of one thread's sequence of (function, kind); and the frames that are open at its end."""
    stack, problems = [], []
    for function, kind in hits:
        kind &= 15
        if kind == objects.ENTRY:
            stack.append(function)
            continue
        if function not in stack:
            problems.append(f"{'exit of' if kind == objects.EXIT else 'landed in'} {function}, open: {stack[-5:]}")
            continue
        if kind == objects.EXIT:
            if stack[-1] != function:
                problems.append(f"exit of {function}, on top is {stack[-1]}")
            while stack.pop() != function:
                pass
        else:
            while stack[-1] != function:
                stack.pop()
    return problems[:5], stack


def hits_of(linked, path):
    """{thread: [(function, kind)]} of a trace of double_tracer.c."""
    names = {function["key"]: function["name"] for function in linked.functions}
    at_sled = {probe[0]: (names[probe[1]], probe[2]) for probe in linked.probes}
    of_loops = {probe[0] for probe in linked.loop_probes}
    threads = {}
    for thread, what in struct.iter_unpack("<II", path.read_bytes()):
        sled = linked.rows[what & 0xFFFFFF][0]
        if sled not in of_loops:
            threads.setdefault(thread, []).append(at_sled[sled])
    return threads


def one(tally, compiler, name, flags):
    source = setting.PROGRAMS / name
    program, trace = tally.folder / "program", tally.folder / "trace"
    trace.unlink(missing_ok=True)
    command = [setting.compiler_of(compiler, name), *flags, *test_same.PROGRAMS[name], source, "-w"]
    problems = [setting.compiled([*command, "-o", tally.folder / "plain"]),
                setting.compiled([*command, *tally.flags(), "-o", program])]
    if not any(problems):
        expected = setting.run([tally.folder / "plain"])
        got = setting.run([program], {"PROF_RECORD": "1", "PROF_RUNTIME": str(tally.folder / "tracer.so"),
                                      "DOUBLE_TRACE": str(trace)})
        if got != expected:
            problems.append(f"plain {expected}\ntraced {got}")
        linked = objects.Object(program)
        threads = hits_of(linked, trace) if trace.exists() else {}
        if not threads:
            problems.append("nothing was hit")
        for hits in threads.values():
            faults, still_open = replay(linked, hits)
            problems += faults
            if still_open and name not in STILL_OPEN:
                problems.append(f"open at the end: {still_open}")
    tally.check(f"{compiler}, {name}, {' '.join(flags)}", problems)


def main():
    tally = setting.start()
    compilers = slices.newest(tally.compilers())
    if compilers:
        wire = setting.HERE.parents[2] / "wire"
        tally.check("the tracer builds", [setting.compiled([compilers[0], "-O2", "-shared", "-fPIC", f"-I{wire}", setting.PROGRAMS
                                                            / "double_tracer.c", "-o", tally.folder / "tracer.so"])])
    for i, compiler in enumerate(compilers):
        for j, name in enumerate(test_same.PROGRAMS):
            if setting.is_clang(compiler) and name in test_same.GCC_ONLY:
                tally.skip(f"{name} is in GCC's own C")
                continue
            for flags in test_same.levels_of(i + j, SHORT):
                one(tally, compiler, name, setting.flags_of(compiler, flags))
    tally.finish()


if __name__ == "__main__":
    main()
