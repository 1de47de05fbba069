"""Runs a program plain and recorded: same output, and as many calls in the recording as the program counted itself."""
import collections
import json
import re

import forms
import toolbox

# what compilers make of global constructors, coverage and parallel loops; the program counts no calls of it
MADE = re.compile(r"_GLOBAL__sub_I_|__static_initialization_and_destruction|__cxx_global_var_init|_sub_[ID]_\d|__llvm_gcov_|omp_fn|omp_outlined|\[parallel region")


def counted(output):
    """{names: calls} that the program printed."""
    lines = [line.split("\t") for line in output.splitlines() if line.startswith("calls\t")]
    return {names: int(count) for _, count, names in lines}


def plain_name(name):
    """Without what optimisers add: `f.constprop.0`, `f(int) [clone .isra.0]`, `f.lto_priv.1`, `f.llvm.123`."""
    return re.sub(r" \[clone [^]]*\]|(?<=\w)\.(?:constprop|isra|part|lto_priv|llvm|cold|__uniq)\.\w+", "", name)


def recorded(box, folder):
    status, output, errors = toolbox.run([box.prof, "report", "-n", "0", "--format=json"], folder)
    if status:
        raise toolbox.Wrong(f"prof report: {status} {errors}")
    calls = collections.Counter()
    for row in json.loads(output)["functions"]:
        calls[plain_name(row["name"])] += row["calls"]
    return calls


def differences(expected, found):
    """`expected`: {names with `|` between: calls}."""
    left = dict(found)
    for names, count in expected.items():
        got = sum(left.pop(name, 0) for name in names.split("|"))
        if got != count:
            yield f"{names}: {got} calls recorded, {count} counted"
    yield from (f"{name}: {count} calls recorded, none counted" for name, count in left.items() if not MADE.search(name))


def run_problems(build, plain_output):
    """The program by itself, then recorded."""
    command = [build.program, *build.arguments]
    status, output, errors = toolbox.run(command, build.folder, build.environment)
    if (status, output, errors) != (0, plain_output, ""):
        return [f"ran to status {status}:\n{output}{errors}"]
    status, output, errors = toolbox.run([build.box.prof, "record", *command], build.folder, build.environment)
    if (status, output) != (0, plain_output) or "none lost" not in errors:
        return [f"recorded to status {status}:\n{output}{errors}"]
    return list(differences(counted(output), recorded(build.box, build.folder)))


def fails_without_plugin(build, form):
    """Whether the same program can't be built in silence, or runs wrong, without the plugin too."""
    folder = build.folder / "plain"
    folder.mkdir()
    plain = forms.Build(build.box, folder, build.compilers, build.linker, build.compile_flags, build.link_flags, probed=False)
    try:
        forms.FORMS[form](plain)
    except toolbox.Wrong:
        return True
    status, output, _ = toolbox.run([plain.program, *plain.arguments], folder, build.environment)
    return (status, output) != (0, plain_output(build.box, form))


def plain_output(box, form):
    """What the same program prints when it is built by one compiler without the plugin."""
    form = form if form == "loaded" else "pie"
    if form not in box.plain_output:
        folder = box.folder / f"plain-{form}"
        folder.mkdir()
        build = forms.Build(box, folder, box.compilers[:1], "bfd", ["-O1"], probed=False)
        forms.FORMS[form](build)
        status, output, errors = toolbox.run([build.program, *build.arguments])
        assert status == 0 and not errors and counted(output), f"the plain program: {status} {output}{errors}"
        box.plain_output[form] = output
    return box.plain_output[form]
