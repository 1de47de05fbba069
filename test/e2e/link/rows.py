"""Counts rows, facts and sleds of objects and of what they were linked into.

The count that a link must keep: the rows of all its objects, of a COMDAT group only those of one copy.  Sleds are found
a second way, by looking for their bytes inside the functions that have probes.
"""
import bisect
import collections
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "plugin"))
import objects  # noqa: E402  (the reader of linked files, which knows nothing of prof's own)

ROWS, FACTS = "prof_rows_v1", ".prof_facts_v1"
COLD = ".cold" # ends the symbol of the part that GCC and Clang put apart
SHT_GROUP, SHT_SYMTAB, SHT_RELA = 17, 2, 4
STT_FUNC = 2


def headers_of(content):
    """[(name, type, flags, offset, size, link, info)] of an ELF object."""
    offset, = struct.unpack_from("<Q", content, 40)
    size, count, names_at = struct.unpack_from("<HHH", content, 58)
    first = struct.unpack_from("<IIQQQQIIQQ", content, offset)
    count, names_at = count or first[5], first[6] if names_at == 0xFFFF else names_at
    raw = [struct.unpack_from("<IIQQQQIIQQ", content, offset + i * size) for i in range(count)]
    names = raw[names_at][4]

    def text(at):
        return content[names + at:content.index(b"\0", names + at)].decode()
    return [(text(head[0]), head[1], head[2], head[4], head[5], head[6], head[7]) for head in raw]


def rows_of_object(path):
    """(rows outside of groups, {group signature: rows}) of a relocatable file."""
    content = pathlib.Path(path).read_bytes()
    headers = headers_of(content)
    group_of = {}
    for name, kind, _, offset, size, link, info in headers:
        if kind == SHT_GROUP:
            _, _, _, symbols, _, strings, _ = headers[link]
            symbol = struct.unpack_from("<IBBHQQ", content, symbols + info * 24)
            at = headers[strings][3] + symbol[0]
            signature = content[at:content.index(b"\0", at)].decode()
            for member in struct.unpack_from(f"<{size // 4 - 1}I", content, offset + 4):
                group_of[member] = signature
    loose, groups = 0, collections.Counter()
    for index, (name, _, _, _, size, _, _) in enumerate(headers):
        if name == ROWS and index in group_of:
            groups[group_of[index]] += size // 8
        elif name == ROWS:
            loose += size // 8
    return loose, groups


def sleds_of_object(content, headers):
    """{(section, offset)} that the rows of a relocatable file point to."""
    found = set()
    for name, kind, _, offset, size, link, info in headers:
        if kind != SHT_RELA or headers[info][0] != ROWS:
            continue
        for at in range(offset, offset + size, 24):
            place, what, addend = struct.unpack_from("<QQq", content, at)
            if place % 8 == 0:  # a row's first word is its sled
                section, value = struct.unpack_from("<6xHQ", content, headers[link][3] + (what >> 32) * 24)
                found.add((section, value + addend))
    return found


def padding_of(paths):
    """{(function, offset)}: nops of relocatable files that look like sleds and have no row: the compiler's own, to align a loop."""
    found = set()
    for path in paths:
        content = pathlib.Path(path).read_bytes()
        headers = headers_of(content)
        sleds = sleds_of_object(content, headers)
        for _, kind, _, offset, size, link, _ in headers:
            if kind != SHT_SYMTAB:
                continue
            for at in range(offset, offset + size, 24):
                name, info, _, section, value, length = struct.unpack_from("<IBBHQQ", content, at)
                if info & 15 != STT_FUNC or not 0 < section < len(headers):
                    continue
                begin = headers[section][3] + value
                text, nop = content[begin:begin + length], -1
                start = headers[link][3] + name
                symbol = content[start:content.index(b"\0", start)].decode(errors="surrogateescape")
                while (nop := text.find(objects.SLED, nop + 1)) >= 0:
                    if (section, value + nop) not in sleds:
                        found.add((symbol, nop))
    return found


def rows_expected(paths):
    """{number of rows} that a link of these objects may have; more than one where copies of a group differ in size."""
    least, most = 0, 0
    copies = collections.defaultdict(set)
    for path in paths:
        loose, groups = rows_of_object(path)
        least, most = least + loose, most + loose
        for signature, count in groups.items():
            copies[signature].add(count)
    for counts in copies.values():
        least, most = least + min(counts), most + max(counts)
    return least, most


def sleds_scanned(linked):
    """{address: (symbol, offset)} of a sled's bytes in the symbols of probed functions, known by name (with its cold part) or by a row."""
    names = {function["name"] for function in linked.functions}
    rows = sorted(sled for sled, _ in linked.rows)
    found = {}
    for name, places in linked.symbols().items():
        for begin, size in places:
            if name in names or name.removesuffix(COLD) in names or \
                    bisect.bisect_left(rows, begin) < bisect.bisect_left(rows, begin + size):
                text, at = linked.bytes_at(begin, size), -1
                while (at := text.find(objects.SLED, at + 1)) >= 0:
                    found[begin + at] = (name, at)
    return found


def faults(linked, folded=False, overridden=(), renamed=False, padding=None):
    """What is wrong in a linked file, as texts.  `folded`: equal functions may share a sled; `overridden`: names of weak
    functions whose text stays without a symbol; `renamed`: the link gave functions other symbols than their facts say;
    `padding`: padding_of its objects; None: the link made the code, and a nop that ends at a multiple of 16 may align a loop."""
    found = []
    for fault in objects.faults(linked):
        if folded and fault == "rows: two of one sled" or (folded or renamed) and "the entry at" in fault:
            continue
        if fault.startswith("facts: the entry at") and fault.split()[-1] in overridden:
            continue
        found.append(fault)
    sleds = {sled for sled, _ in linked.rows}
    names = {function["key"]: function["name"] for function in linked.functions}
    without_symbol = {sled for sled, key, _, _ in linked.probes if names.get(key) in overridden}
    if linked.sections.get(".symtab"):
        scanned = sleds_scanned(linked)
        found += [f"scan: the sled at {sled:#x} has no row" for sled in sorted(scanned.keys() - sleds)
                  if ((sled + len(objects.SLED)) % 16 if padding is None else scanned[sled] not in padding)]
        found += [f"scan: the row's sled {sled:#x} lies in no probed function" for sled in sorted(sleds - scanned.keys() - without_symbol)]
    entries = collections.Counter(key for _, key, kind, _ in linked.probes if kind & 15 == objects.ENTRY)
    found += [f"facts: {names.get(key)} has {count} entries" for key, count in entries.items() if count != 1 and not folded]
    return found
