#!/usr/bin/env python3
"""Each argument of the plugin, each wrong use of it, the listing, and names that need care."""
import re
import shutil
import subprocess
import threading

import objects
import setting
import slices

QUIET = ["-Wno-unknown-attributes"]  # Clang has no noclone
SOURCE = setting.PROGRAMS / "selection.cc"
ASKED = {"asked_for", "asked_too", "asked_small"}
ALL = {"area", "count", "asked_for", "asked_too", "asked_small", "plain_c", "longer", "main"}
NEVER = {"left_alone": "no_instrument_function", "__cuda_stub": "CUDA", "__nv_stub": "CUDA", "__device_stub__kernel": "CUDA",
         "__prof_own": "prof itself", "bare": "naked"}

# arguments -> functions that are probed
CHOICES = [
    ([], ALL),
    (["probe=all"], ALL),
    (["probe=annotated"], ASKED),
    (["include=shapes::*"], {"area", "count"} | ASKED),
    (["include=shapes::Circle::area", "exclude=asked*"], {"area"}),
    (["include=plain_c,longer", "include=main", "exclude=asked_???,asked_too,asked_small"], {"plain_c", "longer", "main"}),
    (["include=[l-p]*", "exclude=asked*"], {"plain_c", "longer", "main"}),
    (["include=_ZN6shapes*"], {"area", "count"} | ASKED),
    (["exclude=*"], set()),
    (["exclude=longer(int)"], ALL),
    (["include=nothing"], ASKED),
    (["include-file=selection.cc"], ALL),
    (["include-file=*/programs/*"], ALL),
    (["include-file=*.c"], ASKED),
    (["exclude-file=selection.*"], set()),
    (["include-file=*", "exclude-file=*/programs/sel*"], set()),
    (["min-statements=0"], ALL),
    (["min-statements=6"], {"longer", "main"} | ASKED),
    (["min-statements=4000000000"], ASKED),
    (["probe=annotated", "exclude=asked_too"], {"asked_for", "asked_small"}),
]

# a wrong argument -> what the compiler's error must say
WRONG = [
    ("inclde=x", "no argument 'inclde'; did you mean 'include'?"),
    ("nonsense", "no argument 'nonsense'; it has include, exclude, include-file, exclude-file, min-statements, hints, probe, loops, loop-counts, loop-min-statements, lines, time-functions, values, iterations, flops, list, help"),
    ("include", "'include' needs a value"),
    ("include=", "an empty pattern"),
    ("include=a,,b", "an empty pattern"),
    ("exclude=[a-", "a '[' without its ']'"),
    ("include-file=a\\", "ends in a backslash"),
    ("min-statements=many", "not a whole number"),
    ("min-statements=-1", "not a whole number"),
    ("min-statements=99999999999999999999", "not a whole number"),
    ("hints=/no/such/list", "no recording, and no file that can be read"),
    ("hints=/", "a folder without a list of functions"),
    (f"hints={SOURCE}", "no list that prof hints writes"),
    ("hints=/dev/zero", "no recording, and no file that can be read"),
    ("probe=some", "none of these words; expected -fplugin-arg-prof-probe=all|annotated"),
    ("help=yes", "takes no value"),
    ("list=", "an empty file name"),
    ("list=/no/such/folder/list", "cannot write the listing"),
    ("list=/", "cannot write the listing"),
]


def simple(name):
    """The last part of a mangled name."""
    parts = re.findall(r"\d+([A-Za-z_]\w*?)(?=\d|E|i$|v$|$)", name) if name.startswith("_Z") else [name]
    for candidate in (*ALL, *NEVER):
        if candidate in (name, *parts) or name.startswith("_Z") and f"{len(candidate)}{candidate}" in name:
            return candidate
    return name


def hints(tally):
    """Lists of hints, in a recording's folder and alone, as arguments -> functions that are probed."""
    folder = tally.folder / "recording"
    folder.mkdir(exist_ok=True)
    named = [("_ZN6shapes6Circle4areaEi", SOURCE), ("plain_c", ""), ("main", "/other/selection.cc"),
             ("asked_for", SOURCE), ("longer", SOURCE), ("_Z6longeri", SOURCE), ("gone", SOURCE)]
    (folder / "hints").write_text("prof hints 1\n" + "".join(f"{name}\t{file}\n" for name, file in named))
    left = ALL - {"area", "plain_c", "longer"}
    return [([f"hints={folder}"], left), ([f"hints={folder / 'hints'}", "exclude=asked*"], left - ASKED)]


def choices(tally, compiler):
    for arguments, expected in CHOICES + hints(tally):
        listing, made = tally.folder / "listing", tally.folder / "program"
        listing.unlink(missing_ok=True)
        problems = [setting.compiled([setting.cxx(compiler), "-O2", "-std=c++17", *QUIET, *tally.flags(*arguments, f"list={listing}"), SOURCE, "-o", made])]
        if not any(problems):
            linked = objects.Object(made)
            problems += objects.faults(linked)
            found = {simple(function["name"]) for function in linked.functions}
            if found != expected:
                problems.append(f"probed: {sorted(found)}, expected {sorted(expected)}")
            if not expected and "__prof_start_v1" in linked.symbols():
                problems.append("start-up text without any probe")
            lines = [line.split("\t") for line in listing.read_text().splitlines()]
            if {simple(line[0]) for line in lines if line[2] == "probed"} != expected:
                problems.append("the listing says otherwise")
            reasons = {simple(line[0]): line[3] for line in lines if line[2] == "skipped"}
            problems += [f"{name}: {reasons.get(name)}" for name, word in NEVER.items() if word not in reasons.get(name, "")]
            for line in lines:
                if not re.fullmatch(rf"{re.escape(str(SOURCE))}:\d+", line[1]):
                    problems.append(f"place: {line[1]}")
        tally.check(f"{compiler}: {' '.join(arguments) or 'no arguments'}", problems)


def wrong(tally, compiler):
    for argument, words in WRONG:
        made = tally.folder / "wrong.o"
        made.unlink(missing_ok=True)
        status, output, errors = setting.run([setting.cxx(compiler), "-O2", *tally.flags(argument), "-c", SOURCE, "-o", made])
        problems = []
        if status != 1 or made.exists():
            problems.append(f"status {status}")
        if words not in errors or "error: " not in errors or output:
            problems.append(f"said: {errors}")
        if "internal compiler error" in errors or "cannot initialize" in errors or "fail to initialize" in errors:
            problems.append(f"crashed: {errors}")
        tally.check(f"{compiler}: {argument} is an error", problems)


def help_text(tally, compiler):
    status, output, errors = setting.run([compiler, *tally.flags("help"), "-x", "c", "-c", "/dev/null", "-o", "/dev/null"])
    keys = ["include", "exclude", "include-file", "exclude-file", "min-statements", "probe", "list", "help"]
    tally.check(f"{compiler}: help", [None if (status, output) == (0, "") else f"status {status}, stdout {output}",
                                       *(None if re.search(rf"^  {key}(=|$)", errors, re.M) else f"no {key}" for key in keys)])
    command = [compiler, "-x", "c", "-E", "-P", "/dev/null"]
    tally.check(f"{compiler}: help keeps off stdout", [
        None if setting.run([*command, *tally.flags("help")])[:2] == setting.run(command)[:2] else "prints something"])


def listing_together(tally, compiler):
    """Compilations at the same time append whole lines to one listing."""
    listing = tally.folder / "together"
    listing.unlink(missing_ok=True)
    runs, times = [], 8
    for i in range(times):
        command = [setting.cxx(compiler), "-O1", "-std=c++17", *tally.flags(f"list={listing}"), "-c", SOURCE, "-o", tally.folder / f"{i}.o"]
        runs.append(threading.Thread(target=setting.run, args=(command,)))
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    lines = listing.read_text().splitlines() if listing.exists() else []
    bad = [line for line in lines if len(line.split("\t")) != 4]
    counts = {line: lines.count(line) for line in lines}
    tally.check(f"{compiler}: one listing of {times} compilations",
                [*bad, None if lines and set(counts.values()) == {times} else f"{len(lines)} lines: {set(counts.values())}"])


def odd_names(tally, compiler):
    """Files and folders whose names need care in assembler text, and the same path in facts and listing."""
    folder = tally.folder / 'we"ird %d{a|b} \\n'
    folder.mkdir(exist_ok=True)
    source = folder / "tab\tand \u00fcml.c"
    source.write_text("__attribute__((noinline)) int f(int x) { return x + 1; }\nint main(void) { return f(-1); }\n")
    program, listing = tally.folder / "odd", tally.folder / "odd.list"
    listing.unlink(missing_ok=True)
    for level in ("-O0", "-O2 -g", "-O2 -flto"):
        problems = [setting.compiled([compiler, *level.split(), *tally.flags(f"list={listing}"), source, "-o", program])]
        if not any(problems):
            linked = objects.Object(program)
            problems += objects.faults(linked)
            files = {function["file"] for function in linked.functions}
            if files != {str(source)}:
                problems.append(f"facts: {files}")
            if setting.run([program])[0]:
                problems.append("doesn't run")
        tally.check(f"{compiler} {level}: odd names", problems)
    lines = listing.read_text().splitlines()
    tally.check(f"{compiler}: odd names in the listing", [line for line in lines if len(line.split("\t")) != 4 or "\\x09" not in line])


def same_again(tally, compiler):
    """The same compilation gives the same object, and another unit of the same file name other keys."""
    for folder in ("first", "second"):
        (tally.folder / folder).mkdir(exist_ok=True)
        shutil.copy(SOURCE, tally.folder / folder / "unit.cc")
    made = []
    for folder, flags in (("first", []), ("first", []), ("second", []), ("first", ["prefix"]), ("second", ["prefix"])):
        folder = tally.folder / folder
        if flags:
            flags = [f"-ffile-prefix-map={folder}=/source"]
        problem = setting.compiled([setting.cxx(compiler), "-O2", "-g", "-std=c++17", *QUIET, *flags, *tally.flags(), "-c", folder / "unit.cc", "-o",
                                    folder / "unit.o"], folder=folder)
        tally.check(f"{compiler}: {folder.name} {' '.join(flags)}", [problem])
        made.append((folder / "unit.o").read_bytes() if not problem else folder.name + problem)
    tally.check(f"{compiler}: the same object again", [None if made[0] == made[1] else "differs"])
    tally.check(f"{compiler}: the same object anywhere with -ffile-prefix-map", [None if made[3] == made[4] else "differs"])
    tally.check(f"{compiler}: other keys elsewhere", [None if made[0] != made[2] else "the same keys in two folders"])


def other_targets(tally, compiler):
    """-m32 and friends: said, and compiled without probes; preprocessing and syntax checks go on in silence."""
    source = tally.folder / "small.c"
    source.write_text("int f(int x) { return x + 1; }\n")
    for flags in (["-m32"], ["-mx32"]):
        status, _, errors = setting.run([compiler, *flags, *tally.flags(), "-S", source, "-o", tally.folder / "small.s"])
        text = (tally.folder / "small.s").read_text() if not status else ""
        tally.check(f"{compiler} {flags[0]}", [
            None if status == 0 and "prof leaves no probes here" in errors else f"status {status}: {errors}",
            "probes in it" if "prof" in text else None])
    for flags in (["-E"], ["-fsyntax-only"], ["-M"], ["-S", "-o", "/dev/null"], ["-S", "-g3", "-O3", "-fverbose-asm", "-o", "/dev/null"]):
        status, _, errors = setting.run([compiler, *flags, *tally.flags(), source])
        tally.check(f"{compiler} {' '.join(flags)}", [None if (status, errors) == (0, "") else f"status {status}: {errors}"])
    for flags in (["-O2", "-fcompare-debug"], ["-O0", "-fcompare-debug"], ["-O2", "-save-temps=obj"], ["-O2", "-pipe"]):
        if setting.is_clang(compiler) and flags[1] in ("-fcompare-debug", "-save-temps=obj"):
            continue  # GCC's own; not in silence (intermediate_code)
        problem = setting.compiled([setting.cxx(compiler), "-std=c++17", *QUIET, *flags, *tally.flags(), "-c", SOURCE, "-o", tally.folder / "flags.o"])
        tally.check(f"{compiler} {' '.join(flags)}", [problem])


def intermediate_code(tally, compiler):
    """Clang runs no plugin on intermediate code: that is said, and the file compiles."""
    source, words = tally.folder / "small.c", "gets no probes: Clang runs plugins on sources"
    source.write_text("int small(int x) { return x + 1; }\n")
    ll = tally.folder / "small.ll"
    subprocess.run([compiler, "-O2", "-S", "-emit-llvm", source, "-o", ll], check=True)
    for name, flags, warned in (("-save-temps=obj", ["-save-temps=obj", source], True), ("a .ll file", [ll], True),
                                ("an output called .bc", ["-emit-llvm", source, "-o", tally.folder / "small.bc"], False),
                                ("a source file", [source], False)):
        output = [] if "-o" in flags else ["-o", tally.folder / "small.o"]
        status, _, errors = setting.run([compiler, "-O2", "-c", *flags, *output, *tally.flags()])
        tally.check(f"{compiler} {name}", [None if (status, errors.count(words)) == (0, int(warned)) else f"status {status}: {errors}"])


def pass_plugin(tally, compiler):
    """A backend that is given as a plugin of passes puts nothing in: that is said, and the file compiles."""
    source = tally.folder / "small.c"
    source.write_text("int small(int x) { return x + 1; }\n")
    backend = tally.plugin.parent / f"prof-{compiler}.so"
    status, _, errors = setting.run([compiler, f"-fpass-plugin={backend}", "-c", source, "-o", tally.folder / "small.o"])
    said = errors.count("a plugin of passes makes no probes")
    tally.check(f"{compiler} -fpass-plugin", [None if (status, said) == (0, 1) else f"status {status}: {errors}"])


def backend_missing(tally, compiler):
    """A dispatcher alone, and one that finds its backends in prof/ beside it."""
    alone, major = tally.folder / "alone", compiler.split("-")[1]
    packages = f"llvm-{major}-dev libclang-{major}-dev" if setting.is_clang(compiler) else f"gcc-{major}-plugin-dev"
    alone.mkdir(exist_ok=True)
    shutil.copy(tally.plugin, alone / "libprof-plugin.so")
    (alone / "prof.so").unlink(missing_ok=True)
    (alone / "prof.so").symlink_to("libprof-plugin.so")
    command = [compiler, f"-fplugin={alone}/prof.so", "-c", "-x", "c", "/dev/null", "-o", "/dev/null"]
    status, _, errors = setting.run(command)
    tally.check(f"{compiler}: no backend", [None if status == 1 and packages in errors and "internal" not in errors
                                             else f"status {status}: {errors}"])
    (alone / "prof").mkdir(exist_ok=True)
    shutil.copy(tally.plugin.parent / f"prof-{compiler}.so", alone / "prof")
    tally.check(f"{compiler}: backend in prof/ beside the dispatcher", [setting.compiled(command)])
    (alone / "prof" / f"prof-{compiler}.so").write_text("not a library")
    status, _, errors = setting.run(command)
    tally.check(f"{compiler}: a broken backend", [None if status == 1 and "does not load" in errors else f"status {status}: {errors}"])
    shutil.rmtree(alone)


def backend_of_other_minor(tally, compiler):
    """A backend that was built for another minor version of this compiler: refused, with the remedy; nothing is compiled."""
    folder, made = tally.folder / "other", tally.folder / "other.o"
    folder.mkdir(exist_ok=True)
    shutil.copy(tally.plugin, folder)
    backend, major = folder / f"prof-{compiler}.so", compiler.split("-")[1]
    cases = []
    if setting.is_clang(compiler):
        for text, words in ((f"const unsigned prof_clang_version[] = {{{major}, 77}};",
                             [f"built for Clang {major}.77, this is {major}."]), ("int nothing;", ["has no version"])):
            library = tally.folder / "library.so"
            subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=text.encode(), check=True)
            cases.append((library.read_bytes(), words))
    else:
        version = setting.run([compiler, "-dumpfullversion"])[1].strip()
        other = f"{major}.{'8' if version.split('.')[1] != '8' else '7'}.{version.split('.')[2]}"
        real, (old, new) = (tally.plugin.parent / backend.name).read_bytes(), (f"\0{text}\0".encode() for text in (version, other))
        assert old in real, f"{version} in {backend.name}"
        cases.append((real.replace(old, new), [f"built for GCC {other} (", f"this is GCC {version} ("]))
    for content, words in cases:
        backend.write_bytes(content)
        made.unlink(missing_ok=True)
        status, _, errors = setting.run([compiler, f"-fplugin={folder}/prof.so", "-c", "-x", "c", "/dev/null", "-o", made])
        wanted = [*words, "build prof"]
        tally.check(f"{compiler}: {words[0]}", [None if status == 1 and all(word in errors for word in wanted) and "internal" not in errors
                                                and not made.exists() else f"status {status}: {errors}"])


def main():
    tally = setting.start()
    of_all_backends = (listing_together, odd_names, same_again, other_targets, backend_missing, backend_of_other_minor)
    of_common_code = (choices, wrong, help_text)
    for compiler in tally.compilers():
        whole = compiler in slices.newest(tally.compilers())
        for test in (*(of_common_code if whole else ()), *of_all_backends):
            test(tally, compiler)
        if setting.is_clang(compiler):
            intermediate_code(tally, compiler)
            pass_plugin(tally, compiler)
    tally.finish()


if __name__ == "__main__":
    main()
