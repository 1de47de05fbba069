#!/usr/bin/env python3
"""The start-up text of a module: what it does with and without a runtime, in each kind of program."""
import setting

SILENT = "constructor\nmain errno 0\nmain ends\ndestructor\n"


def build(tally, compiler, source, output, flags=(), plugin=True):
    wire = setting.HERE.parents[2] / "wire"
    return setting.compiled([compiler, "-g", "-O2", f"-I{wire}", setting.PROGRAMS / source, "-o", tally.folder / output,
                             *flags, *(tally.flags() if plugin else [])])


def expect(tally, name, program, environment, status, output, errors, arguments=()):
    """`errors`: a part of what must stand on stderr, in one line; "": nothing may stand there."""
    got_status, got_output, got_errors = setting.run([tally.folder / program, *arguments], environment)
    problems = []
    if (got_status, got_output) != (status, output):
        problems.append(f"status {got_status}, expected {status}:\n{got_output}expected:\n{output}")
    if errors not in got_errors or got_errors.count("\n") != (1 if errors else 0) or (not errors and got_errors):
        problems.append(f"stderr: {got_errors!r}, expected {errors!r}")
    tally.check(name, problems)


def built(tally, name, problems):
    tally.check(f"{name}: builds without a word", problems)
    return not any(problems)


def rows_of(tally, program):
    import objects
    return len(objects.Object(tally.folder / program).rows)


def dynamic(tally, compiler):
    if not built(tally, compiler, [
            build(tally, compiler, "double_runtime.c", "runtime.so", ["-shared", "-fPIC"], plugin=False),
            build(tally, compiler, "double_other_version.c", "other.so", ["-shared", "-fPIC"], plugin=False),
            build(tally, compiler, "start_library.c", "library.so", ["-shared", "-fPIC"]),
            build(tally, compiler, "start_main.c", "program"),
            build(tally, compiler, "start_main.c", "intel", ["-masm=intel"]),
            build(tally, compiler, "start_main.c", "large", ["-mcmodel=large"]),
            build(tally, compiler, "start_main.c", "cet", ["-fcf-protection=full", "-fno-plt", "-no-pie", "-Wl,-z,now"])]):
        return
    runtime = {"PROF_RECORD": "1", "PROF_RUNTIME": str(tally.folder / "runtime.so")}
    for program in ("program", "intel", "large", "cet"):
        rows = rows_of(tally, program)
        attached = f"attach 1 {rows} good hooks 0\n{SILENT}detach {rows} good hooks 1\n"
        expect(tally, f"{compiler} {program}: attach first, detach last, errno kept", program, runtime, 3, attached, "")
    rows = rows_of(tally, "program")
    inside = f"attach 1 {rows_of(tally, 'library.so')} good hooks 0\ndetach {rows_of(tally, 'library.so')} good hooks 1\n"
    expect(tally, f"{compiler}: a library that is opened and closed", "program", runtime, 3,
           f"attach 1 {rows} good hooks 0\nconstructor\nmain errno 0\n{inside}main ends\ndestructor\n"
           f"detach {rows} good hooks 1\n", "", [tally.folder / "library.so"])
    for name, environment in (("no PROF_RECORD", {}), ("PROF_RECORD empty", {"PROF_RECORD": ""}),
                              ("PROF_RECORD=0", {"PROF_RECORD": "0"})):
        expect(tally, f"{compiler}: {name}", "program", {**runtime, "PROF_RECORD": "", **environment} if environment else
               {"PROF_RUNTIME": runtime["PROF_RUNTIME"]}, 3, SILENT, "")
    expect(tally, f"{compiler}: PROF_RECORD=01 asks for a recording", "program", {**runtime, "PROF_RECORD": "01"}, 3,
           f"attach 1 {rows} good hooks 0\n{SILENT}detach {rows} good hooks 1\n", "")
    expect(tally, f"{compiler}: the runtime is missing", "program",
           {"PROF_RECORD": "1", "PROF_RUNTIME": str(tally.folder / "absent.so")}, 3, SILENT, "run the program under 'prof record'")
    expect(tally, f"{compiler}: the runtime is of another version", "program",
           {"PROF_RECORD": "1", "PROF_RUNTIME": str(tally.folder / "other.so")}, 3, SILENT, "recompile the program")


def static(tally, compiler):
    record = {"PROF_RECORD": "1"}
    if built(tally, f"{compiler} static", [build(tally, compiler, "start_library.c", "main.o", ["-c"]),
                                           build(tally, compiler, "start_bare.c", "bare", ["-nostdlib", "-static"])]):
        expect(tally, f"{compiler}: a program without libc", "bare", record, 5, "", "")
    # A main without dlopen, so that nothing but the start-up text could bring it in.
    source = tally.folder / "plain.c"
    source.write_text('#include <stdio.h>\nint main(void) { puts("main"); return 4; }\n')
    for form in (["-static"], ["-static-pie"]):
        name = f"{compiler} {form[0]}"
        if built(tally, name, [setting.compiled([compiler, "-O2", source, "-o", tally.folder / "plain", *form, *tally.flags()])]):
            expect(tally, f"{name}: off", "plain", {}, 4, "main\n", "")
            expect(tally, f"{name}: no runtime in it", "plain", record, 4, "main\n", "a static program without runtime")
    wire = setting.HERE.parents[2] / "wire"
    double = tally.folder / "double.o"
    if built(tally, f"{compiler} with the runtime linked in", [
            setting.compiled([compiler, "-O2", f"-I{wire}", "-c", setting.PROGRAMS / "double_runtime.c", "-o", double]),
            setting.compiled([compiler, "-O2", source, double, "-o", tally.folder / "inside", "-static", *tally.flags()])]):
        rows = rows_of(tally, "inside")
        expect(tally, f"{compiler}: static with the runtime linked in", "inside", record, 4,
               f"attach 1 {rows} good hooks 0\nmain\ndetach {rows} good hooks 1\n", "")


def main():
    tally = setting.start()
    for compiler in tally.compilers():
        dynamic(tally, compiler)
        static(tally, compiler)
    tally.finish()


if __name__ == "__main__":
    main()
