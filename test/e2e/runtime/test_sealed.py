#!/usr/bin/env python3
"""A program that forbids itself to read the clock (strict seccomp, PR_SET_TSC) does the same, recorded or not, and is recorded up
to there."""
import shutil

import run

options = run.arguments()
faults = run.Faults()
SAID = "1 process forbade to read the clock"
STATUS = {"prctl": 7, "syscall": 7, "raw": 7, "tsc": 6, "in-vain": 6, "again": 6, "child": 6}
REFUSED = ("in-vain", "again")


def recorded(name, program, word, *more):
    folder = faults.folder / f"{name}-{word}-{len(more)}"
    result = run.run([options.prof, "record", "-o", folder, *more, program, word])
    return folder, result


def check(name, program, word, *more):
    what = f"{name} {word} {' '.join(more)}"
    plain = run.run([program, word])
    faults.check(f"{what}: plain", plain.returncode == STATUS[word], (plain.returncode, plain.stdout))
    folder, result = recorded(name, program, word, *more)
    faults.check(f"{what}: status", result.returncode == plain.returncode, (result.returncode, result.stderr))
    faults.check(f"{what}: output", result.stdout.startswith(plain.stdout), (result.stdout, plain.stdout))
    calls = run.report(options, folder)
    faults.check(f"{what}: before", calls.get("before") == 1000, calls)
    faults.check(f"{what}: after", calls.get("after", 0) == (2000 if word in REFUSED or word == "child" else 0), calls)
    said = result.stderr.count(SAID)
    faults.check(f"{what}: one line", said == (word not in REFUSED), result.stderr)
    noted = run.run([options.prof, "info", "-i", folder]).stdout.count(SAID)
    faults.check(f"{what}: a note", noted == said, noted)
    verified = run.run([options.prof, "verify", "-i", folder])
    faults.check(f"{what}: a whole recording", verified.returncode == 0, verified.stdout + verified.stderr)


compilers = [name for name in ("gcc-11", "gcc-12", "clang-14", "clang-16", "clang-19") if shutil.which(name)] or ["gcc"]
for compiler in compilers:
    program = faults.folder / f"sealed-{compiler}"
    built = run.build(options, "sealed.c", program, compiler=compiler)
    faults.check(f"sealed.c: {compiler}", built.returncode == 0, built.stderr)
    words = STATUS if compiler == compilers[-1] else ("prctl", "tsc")
    for word in words:
        check(compiler, program, word)
for flags in (["-Wl,-z,lazy"], ["-Wl,-z,now", "-Wl,-z,relro"], ["-fno-plt"]):
    program = faults.folder / f"sealed{''.join(flags).replace(',', '').replace('-', '_')}"
    built = run.build(options, "sealed.c", program, *flags, compiler=compilers[-1])
    faults.check(f"sealed.c: {flags}", built.returncode == 0, built.stderr)
    check(program.name, program, "prctl")
    check(program.name, program, "syscall")
program = faults.folder / f"sealed-{compilers[-1]}"
check("measures", program, "prctl", "--io", "--memory")
check("measures", program, "raw", "--locks")
check("budget", program, "tsc", "--overhead=50%")

# PR_SET_TSC goes on in the program that takes its place: that one is not recorded.
plain = run.run([program, "tsc", program])
result = run.run([options.prof, "record", "-o", faults.folder / "exec", program, "tsc", program])
faults.check("exec: status", result.returncode in (plain.returncode, 128 - plain.returncode), (plain.returncode, result.returncode, result.stderr))
faults.check("exec: says so", plain.returncode < 0 or "may not read the clock" in result.stderr, result.stderr)
faults.finish()
