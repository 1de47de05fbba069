"""test_libdwarf.py TOOL CC: our reader against libdwarf 0.9 or newer, a second oracle, with the newest GCC and Clang.

Every answer has to be the same but for the faults of libdwarf in KNOWN.  Each of them has to be seen where it can be
provoked: one that is seen no more was mended, and comes off the list.
"""
import dataclasses
import pathlib
import shlex
import subprocess
import sys
import tempfile

import forms
import oracle

SKIP, HERE = 77, pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TRIED = ["4", "5", "split-5", "dwp-4", "dwp-5"]

# Of libdwarf 0.11.1, which Debian 13 calls 1.11.1.
KNOWN = {
    "epilogue_begin": "a line that begins an epilogue is taken for the end of a sequence (mended upstream in May 2026)",
    "zstd": "compressed bytes are taken for names where zstd made a section smaller than a 16th",
    "printf": "it writes a line of its own to stdout about a package of DWARF 5",
    "lost units": "in some orders it finds no split unit in a package of DWARF 5",
}


class Seen:
    """What was found so far: faults that nobody knows, and which known ones were provoked and seen."""

    def __init__(self):
        self.faults, self.provoked, self.seen, self.addresses, self.version = [], set(), set(), 0, ""

    def known(self, name, is_there):
        self.provoked.add(name)
        self.seen |= {name} if is_there else set()


def build_tool(folder, cc):
    """libdwarf_text, or SKIP's exit where there is no libdwarf."""
    flags = subprocess.run([ROOT / "scripts" / "libdwarf.sh"], capture_output=True, text=True)
    if flags.returncode == SKIP:
        print(f"no libdwarf 0.9 or newer: {flags.stderr.strip().splitlines()[-1]}")
        sys.exit(SKIP)
    if flags.returncode:
        raise RuntimeError(f"scripts/libdwarf.sh: status {flags.returncode}: {flags.stderr}")
    tool = folder / "libdwarf_text"
    forms.run(cc, "-std=gnu11", "-O1", f"-I{ROOT / 'tools'}", HERE / "libdwarf_text.c", *shlex.split(flags.stdout), "-o", tool)
    return tool


def compare(tools, module, addresses, names, mend):
    """Counts of differences and examples, libdwarf's facts, and its lines that are no answer."""
    ours, _ = oracle.ask_ours(tools[0], module, addresses)
    theirs, facts, stray = oracle.ask_libdwarf(tools[1], module, addresses, [symbol for _, symbol in ours], mend)
    counts, examples = oracle.compare(ours, theirs, addresses, names)
    return counts, examples, facts, stray


def try_form(tools, compiler, form, seen, folder):
    program = forms.build(compiler, form, folder)
    names = oracle.Names(program)
    addresses = [low + i for low, size in oracle.code_sections(program) for i in range(size)]
    module, _ = form.after(compiler, program) if form.after else (program, None)
    plain, *_ = compare(tools, module, addresses, names, mend=False)
    counts, examples, facts, stray = compare(tools, module, addresses, names, mend=True)
    seen.addresses, seen.version = seen.addresses + len(addresses), facts.split(",")[0]
    lost = ", 0 split units missing, 0 errors" not in facts
    allowed = {"equal"}
    if not compiler.gcc:
        seen.known("epilogue_begin", plain["equal"] < counts["equal"])
    if form.name.startswith("dwp-5"):
        seen.known("printf", bool(stray))
        stray = []
    if form.name == "dwp-5-order":
        seen.known("lost units", lost)
        allowed, lost = allowed | {"function", "length"}, False
    where = f"{compiler.name}, {form.name}"
    seen.faults += [f"{where}: {example}" for example in examples if example[0] not in allowed][:3]
    seen.faults += [f"{where}: {facts}"] if lost else []
    seen.faults += [f"{where}: on stdout: {line}" for line in stray[:1]]
    if counts["equal"] < 100:
        seen.faults.append(f"{where}: only {counts['equal']} addresses are alike")


def try_zstd(tools, cc, seen, folder):
    """Names that zstd makes much smaller."""
    if "zstd" not in forms.run("objcopy", "--help"):
        raise forms.Missing("objcopy has no zstd")
    source, module = folder / "names.c", folder / "names.so"
    source.write_text("".join(f"int {'alike_' * 300}{i}(int x) {{ return x + {i}; }}\n" for i in range(40)))
    forms.run(cc, "-g", "-O1", "-shared", "-fPIC", source, "-o", module)
    forms.run("objcopy", "--compress-debug-sections=zstd", module)
    names = oracle.Names(module)
    addresses = [low for low, _, name in names.symbols if name.startswith("alike_")]
    counts, examples, facts, _ = compare(tools, module, addresses, names, mend=True)
    seen.known("zstd", counts["function"] > 0 and set(counts) <= {"equal", "function"})
    seen.faults += [f"zstd: {facts}: {example}" for example in examples if example[0] != "function"][:3]


def main():
    seen, count = Seen(), 0
    with tempfile.TemporaryDirectory(prefix="prof-libdwarf-") as top:
        top = pathlib.Path(top).resolve()
        tools = sys.argv[1], build_tool(top, sys.argv[2])
        in_order = [form for form in forms.FORMS if form.name in TRIED]
        dwp_5 = next(form for form in in_order if form.name == "dwp-5")
        in_order.append(dataclasses.replace(dwp_5, name="dwp-5-order", sources=("objects.cc", "main.c", "parts.c")))
        cases = [(f"{name}-{form.name}", try_form, (forms.Compiler(name), form)) for form in in_order
                 for name in map(forms.newest, ("gcc", "clang")) if name and name.startswith(form.only)]
        for name, attempt, more in [*cases, ("zstd", try_zstd, (sys.argv[2],))]:
            folder = top / name
            folder.mkdir()
            try:
                attempt(tools, *more, seen, folder)
                count += 1
            except forms.Missing as missing:
                print(f"left out: {name}: {missing}")
    seen.faults += [f"{seen.version} no longer has this fault; take it off KNOWN: {name}: {KNOWN[name]}"
                    for name in sorted(seen.provoked - seen.seen)]
    for fault in seen.faults:
        print(fault)
    for name in sorted(seen.seen):
        print(f"known: {name}: {KNOWN[name]}")
    print(f"{seen.version}: {count} modules, {seen.addresses} addresses, {len(seen.faults)} faults; known ones seen: "
          f"{len(seen.seen)} of {len(KNOWN)}")
    sys.exit(1 if seen.faults or not count else 0)


main()
