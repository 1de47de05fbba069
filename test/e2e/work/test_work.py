#!/usr/bin/env python3
"""test_work.py --prof PROF --compiler COMPILER [--whole] - operations and bytes of kernels against counted instructions.  See README.md."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "programs"))
import instructions  # noqa: E402
import programs  # noqa: E402

KERNELS = "saxpy dot stencil product choice branches mixed turn unrolled roots search fixed".split()
FIGURES = ("flops", "bytes_loaded", "bytes_stored")
FEWEST_EXACT = 10  # kernels whose operations are known exactly
LEVELS = (["-O2"], ["-O3", "-march=x86-64-v3"])
WHOLE = (["-O0"], ["-O1"], ["-O2", "-march=x86-64-v3"], ["-O3"], ["-O3", "-march=x86-64-v3", "-ffast-math"], ["-Os"], ["-O2", "-flto"])
faults = []


def must(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def counted(compiler, flags, folder):
    """What each kernel does in the program without the plugin, by single steps."""
    stepper, plain = folder / "stepper", folder / "plain"
    must("cc", "-O2", HERE / "stepper.c", "-o", stepper)
    must(compiler, "-DSTEPPED", "-no-pie", "-static", *flags, HERE / "kernels.c", "-o", plain, "-lm")
    counts = {int(address, 16): int(count) for address, count in (line.split() for line in must(stepper, plain).splitlines())}
    if not counts:
        print("no single steps here: ptrace is refused")
        sys.exit(77)
    return {kernel: instructions.executed(plain, kernel, counts) for kernel in KERNELS}


def told(options, compiler, flags, folder):
    """What prof reports for functions and for outermost loops."""
    program, trace = folder / "counted", folder / "trace"
    must(compiler, "-g", *flags, *programs.plugin_flags(options.prof, compiler), "-fplugin-arg-prof-flops=count", HERE / "kernels.c", "-o", program, "-lm")
    must(options.prof, "record", "-o", trace, program)
    return json.loads(must(options.prof, "loops", "--flops", "--format=json", "-i", trace))


def compare(kernel, what, flags, want, row, name):
    low, high = row[name] or 0, row[name + "_high"]
    if low == want == high:
        return True
    if low == high or low > want or (high is not None and want > high):
        faults.append(f"{kernel} {' '.join(flags)}: {what} {name}: counted {want}, prof {low} to {high}")
    return False


def check(options, flags, folder):
    want = counted(options.compiler, flags, folder)
    got = told(options, options.compiler, flags, folder)
    of_function = {row["function"]: row for row in got["functions"]}
    exact = 0
    for kernel in KERNELS:
        loops = [row for row in got["loops"] if row["function"] == kernel and row["level"] == 0]
        for i, name in enumerate(FIGURES):
            if name != "flops" and "-O0" in flags:
                continue  # variables are on the stack
            good = compare(kernel, "function", flags, want[kernel][i], of_function[kernel], name)
            exact += good and name == "flops"
            if name == "flops" and loops and kernel != "fixed":
                compare(kernel, "loop", flags, want[kernel][i], {key: None if None in (row[key] for row in loops) else sum(row[key] for row in loops) for key in (name, name + "_high")}, name)
        print(f"{kernel} {' '.join(flags)}: counted {want[kernel]}, prof {[of_function[kernel][name] for name in FIGURES]}")
    print(f"{' '.join(flags)}: {exact} of {len(KERNELS)} exact")
    if exact < FEWEST_EXACT:
        faults.append(f"{' '.join(flags)}: only {exact} kernels are exact")


def check_dropped(options, folder):
    """The linker may drop the unit's first function, and the rest is counted."""
    program, trace, source = folder / "dropped", folder / "trace", folder / "dropped.c"
    source.write_text("double unused(double x) { return x * x; }\n"
                      "double values[100];\n"
                      "int main(void) { double sum = 0; for (int i = 0; i < 100; i++) sum += values[i] * 2; return sum > 1; }\n")
    must(options.compiler, "-O1", "-ffunction-sections", "-Wl,--gc-sections", "-Wl,-z,start-stop-gc", *programs.plugin_flags(options.prof, options.compiler),
         "-fplugin-arg-prof-flops=count", source, "-o", program)
    must(options.prof, "record", "-o", trace, program)
    got = json.loads(must(options.prof, "loops", "--flops", "--format=json", "-i", trace))
    if [row["flops"] for row in got["functions"] if row["function"] == "main"] != [200]:
        faults.append(f"a function was dropped: {got['functions']}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    for level in WHOLE if options.whole else LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            check(options, level, pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        check_dropped(options, pathlib.Path(folder))
    print(*faults, sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
