"""test_forms.py TOOL COMPILER [FORM]: every form of a small program, all addresses, against llvm-symbolizer and by hand."""
import pathlib
import re
import subprocess
import sys
import tempfile

import forms
import oracle

SKIP = 77

# What stands at the symbol at_X: functions (patterns), files and the text on the line, from the innermost on.  Local
# classes have a linker's name only where the compiler says it.
BY_HAND = {
    "at_main": [("main", "main.c", "HERE(main)")],
    "at_deep": [("deep", "inlined.h", "HERE(deep)"), ("middle", "inlined.h", "into middle"),
                ("looping", "main.c", "into looping")],
    "at_header": [("from_header", "inlined.h", "HERE(header)")],
    "at_cold": [("complain", "parts.c", "HERE(cold)")],
    "at_part": [("part_work", "parts.c", "HERE(part)")],
    "at_total": [("_ZNK6shapes3BoxIiE5totalEv", "objects.cc", "HERE(total)")],
    "at_lambda": [(r"operator\(\)|_ZZN6shapes9in_lambdaEi.*", "objects.cc", "HERE(lambda)"),
                  ("_ZN6shapes9in_lambdaEi", "objects.cc", "into in_lambda")],
    "at_local": [("_ZZ11object_workEN5Local3actEi|act", "objects.cc", "HERE(local)")],
    "at_asm": [("asm_work", "text.s", "at_asm:")],
}


def line_of(file, text):
    lines = (forms.PROGRAMS / file).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def places(program):
    """Addresses of the symbols at_X."""
    found = {}
    for line in forms.run("nm", program).splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[2] in BY_HAND:
            found[fields[2]] = int(fields[0], 16)
    return found


def check_by_hand(tool, form, module, root, where):
    faults = []
    answers, _ = oracle.ask_ours(tool, module, where.values(), root)
    for name, (chain, symbol) in zip(where, answers):
        wanted = [(function, file, line_of(file, text)) for function, file, text in BY_HAND[name]]
        got = [(re.sub(r"\.(constprop|isra|part|cold|lto_priv|llvm)\..*|\.cold$", "", f.function),
                pathlib.PurePosixPath(f.file).name, f.line) for f in chain]
        short = form.name in ("g1", "tables-only")  # they keep only the source's names
        # A static function may be inlined further out: the chain begins as the source says.
        if len(got) < len(wanted) or any(
                place[1:] != want[1:] or not (short or re.fullmatch(want[0], place[0]))
                for place, want in zip(got, wanted)):
            faults.append(f"{name}: wanted {wanted}, got {got}")
    if form.asm and form.name[:3] not in ("gc-", "icf") and len(where) < len(BY_HAND):
        faults.append(f"only {sorted(where)} are in the program")
    return faults


def text_addresses(program, step=1):
    return [address + i for address, size in oracle.code_sections(program) for i in range(0, size, step)]


def try_form(tool, compiler, form, symbolizer):
    """Faults, and how many addresses were compared."""
    with tempfile.TemporaryDirectory(prefix="prof-lines-") as folder:
        program = forms.build(compiler, form, pathlib.Path(folder).resolve())
        where = places(program)
        addresses = text_addresses(program, 1 if program.stat().st_size < 400_000 else 211)
        names, theirs = oracle.Names(program), None
        if symbolizer:  # without our marks, which it would take for functions
            forms.run("objcopy", "--wildcard", "--strip-symbol=at_*", program, f"{program}.plain")
            theirs = oracle.ask_llvm(symbolizer, f"{program}.plain", addresses)
        module, root = form.after(compiler, program) if form.after else (program, None)
        faults = check_by_hand(tool, form, module, root, where)
        if not symbolizer:
            return faults, 0
        ours, facts = oracle.ask_ours(tool, module, addresses, root)
        counts, examples = oracle.compare(ours, theirs, addresses, names)
        faults += [f"{facts}: {dict(counts)}, as {example}" for example in examples[:3]]
        if counts["equal"] < 100:
            faults.append(f"only {counts['equal']} addresses were compared")
        if "damaged" in facts or "missing" in facts.replace("0 split units missing", ""):
            faults.append(facts)
        return faults, len(addresses)


def main():
    tool, name, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    try:
        compiler = forms.Compiler(name)
    except forms.Missing as missing:
        print(missing)
        sys.exit(SKIP)
    symbolizer, failed, tried, total = oracle.symbolizer(), 0, 0, 0
    for form in forms.FORMS:
        if (wanted and form.name not in wanted) or form.only == ("clang" if compiler.gcc else "gcc"):
            continue
        try:
            faults, addresses = try_form(tool, compiler, form, symbolizer)
        except forms.Missing as missing:
            print(f"left out: {form.name}: {missing}")
            continue
        tried, total = tried + 1, total + addresses
        failed += bool(faults)
        for fault in faults:
            print(f"{form.name}: {fault}")
        sys.stdout.flush()
    print(f"{name}: {tried} forms, {failed} with faults, {total} addresses compared with "
          f"{symbolizer or 'nothing: no llvm-symbolizer'}")
    sys.exit(1 if failed or not tried else 0)


main()
