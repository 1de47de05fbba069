"""Asks prof's reader, llvm-symbolizer and libdwarf about addresses of a module, and compares what they say."""
import bisect
import collections
import json
import posixpath
import re
import resource
import shutil
import struct
import subprocess

UNKNOWN = "-"
Frame = collections.namedtuple("Frame", "function file line column")


def symbolizer():
    """The newest llvm-symbolizer from 16 on, or None."""
    names = (f"llvm-symbolizer-{major}" for major in range(30, 15, -1))
    return next((path for name in names if (path := shutil.which(name))), None)


def tidy(path):
    return posixpath.normpath(path) if path and path != UNKNOWN else UNKNOWN


def code_sections(path):
    """(address, size) of the sections of instructions that a compiler filled; the linker's own stubs have no lines."""
    data = path.read_bytes()
    table, = struct.unpack_from("<Q", data, 40)
    entry, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * entry) for i in range(count)]
    text = headers[names][4]
    return [(h[3], h[5]) for h in headers
            if h[2] & 4 and not data[text + h[0]:].split(b"\0", 1)[0].startswith((b".plt", b".init", b".fini"))]


def answers_of(text):
    """The chain and the symbol of each address."""
    answers = []
    for block in text.split("\n\n")[:-1]:
        rows = [line.split("\t") for line in block.split("\n")]
        chain = [Frame(r[0], tidy(r[1]), int(r[2]), int(r[3])) for r in rows[:-1]]
        answers.append((chain, rows[-1][1]))
    return answers


def ask_ours(tool, module, addresses, roots=None):
    """The chain and the symbol of each address, and the line of facts."""
    command = [tool, module] + ([roots] if roots else [])
    run = subprocess.run(command, input="".join(f"{a:x}\n" for a in addresses), capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"lines_text {module}: status {run.returncode}: {run.stderr}")
    return answers_of(run.stdout), run.stderr.strip()


def ask_libdwarf(tool, module, addresses, symbols, mend):
    """The chain of each address, the line of facts, and the lines on stdout that are no answer."""
    command = [tool, module] + (["mend"] if mend else [])
    run = subprocess.run(command, input="".join(f"{a:x}\n" for a in addresses), capture_output=True, text=True,
                         errors="replace", timeout=60,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31)))
    if run.returncode:
        raise RuntimeError(f"libdwarf_text {module}: status {run.returncode}: {run.stderr}")
    lines = run.stdout.split("\n")
    stray = [line for line in lines if line and "\t" not in line]
    chains = [chain for chain, _ in answers_of("\n".join(line for line in lines if line not in stray))]
    # It reads no symbol table: where it knows the source's name only, or none, the outermost function has the linker's.
    for chain, symbol in zip(chains, symbols, strict=True):
        if chain[-1].function == UNKNOWN or chain[-1].function in symbol:
            chain[-1] = chain[-1]._replace(function=symbol)
    return chains, run.stderr.strip(), stray


def ask_llvm(tool, module, addresses):
    run = subprocess.run([tool, "--output-style=JSON", "--no-demangle", "--inlining", "-e", module],
                         input="".join(f"0x{a:x}\n" for a in addresses), capture_output=True, text=True, check=True)
    answers = []
    for line in run.stdout.splitlines():
        chain = [Frame(s["FunctionName"] or UNKNOWN, tidy(s["FileName"]), s["Line"], s["Column"])
                 for s in json.loads(line)["Symbol"]]
        if len(chain) == 1 and chain[0].line == 0 and "/" not in chain[0].file:  # named by the symbol table alone
            chain = [chain[0]._replace(file=UNKNOWN)]
        answers.append(chain)
    return answers


class Names:
    """Which symbols cover an address: where several do, each reader picks one."""

    def __init__(self, module):
        symbols = set()
        for table in ([], ["-D"]):
            run = subprocess.run(["nm", "-S", *table, module], capture_output=True, text=True)
            for line in run.stdout.splitlines():
                fields = line.split()
                if len(fields) == 4 and fields[2] in "tTwWiuvV":
                    symbols.add((int(fields[0], 16), int(fields[1], 16), fields[3].split("@")[0]))
        self.symbols = sorted(symbols)
        self.longest = max((size for _, size, _ in symbols), default=0)

    def at(self, address):
        found, i = set(), bisect.bisect_right(self.symbols, (address, 1 << 63, ""))
        while i and address - self.symbols[i - 1][0] < self.longest:
            i -= 1
            if address - self.symbols[i][0] < self.symbols[i][1]:
                found.add(self.symbols[i][2])
        return found


def difference(ours, symbol, theirs, names):
    """In what two chains differ; None: in nothing.  The outermost function is the symbol's in theirs."""
    if not ours or (ours[0].file == UNKNOWN and theirs[0].file == UNKNOWN):
        return None if theirs[0].file == UNKNOWN else "length"  # no lines: only the symbol tables differ
    if len(ours) != len(theirs):
        return "length"
    for i, (mine, other) in enumerate(zip(ours, theirs)):
        for field in ("file", "line", "column"):
            if getattr(mine, field) != getattr(other, field):
                return field
        last = i == len(ours) - 1
        plain = re.sub(r"@.*", "", other.function)
        if mine.function != other.function and not (last and (symbol.split("@")[0] == plain or plain in names)):
            return "function"
    return None


def compare(ours, theirs, addresses, names):
    """Counts of kinds of difference, and a list of (kind, address, ours, theirs)."""
    counts, examples = collections.Counter(), []
    for address, (chain, symbol), other in zip(addresses, ours, theirs, strict=True):
        kind = difference(chain, symbol, other, names.at(address))
        counts[kind or "equal"] += 1
        if kind:
            examples.append((kind, f"{address:#x}", chain, symbol, other))
    return counts, examples
