"""Rows and facts (wire/row.h) of an ELF file, read without prof's own reader."""
import struct

SLED = bytes([0x0F, 0x1F, 0x44, 0, 0])
ENTRY, EXIT, LANDED = 1, 2, 3
LOOP_ENTRY, LOOP_EXIT, LOOP_COUNT = 12, 13, 14
WANTS_FRAME, HAS_VALUE, MAYBE, COUNTS_ENTRIES = 0x10, 0x20, 0x40, 0x80
FLAGS = {ENTRY: WANTS_FRAME, EXIT: 0, LANDED: 0, LOOP_ENTRY: HAS_VALUE, LOOP_EXIT: HAS_VALUE | MAYBE,
         LOOP_COUNT: HAS_VALUE | COUNTS_ENTRIES}  # that a row of the kind may have
PROBE, FUNCTION, UNIT, LOOP = 1, 2, 3, 5
COUNTABLE, CONSTANT, VECTORISED, UNROLLED, GONE, PROBED, COUNTED = (1 << bit for bit in range(7))  # of loops


class Object:
    """64-bit little-endian ELF: sections {name: [(type, flags, address, bytes)]} and what prof left in them."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = file.read()
        assert self.bytes[:6] == b"\x7fELF\2\1", f"{path} is no 64-bit ELF file"
        self.type = struct.unpack_from("<H", self.bytes, 16)[0]
        self.sections = self._sections()
        self.rows = list(self._rows()) if self.type != 1 else []
        self.probes, self.functions, self.units = [], [], []
        self.loops, self.loop_probes = [], []  # probes: (sled, kind, key of the loop)
        self._facts()

    def _sections(self):
        offset, = struct.unpack_from("<Q", self.bytes, 40)
        size, count, names_at = struct.unpack_from("<HHH", self.bytes, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, offset)]
        count, names_at = count or headers[0][5], headers[0][6] if names_at == 0xFFFF else names_at
        headers += [struct.unpack_from("<IIQQQQIIQQ", self.bytes, offset + i * size) for i in range(1, count)]
        names = headers[names_at][4]
        found = {}
        for header in headers:
            end = self.bytes.index(b"\0", names + header[0])
            name = self.bytes[names + header[0]:end].decode()
            content = b"" if header[1] == 8 else self.bytes[header[4]:header[4] + header[5]]
            found.setdefault(name, []).append((header[1], header[2], header[3], content, header[6], header[9]))
        return found

    def section(self, name):
        """(address, bytes) of a section that a linked file has once."""
        found = self.sections.get(name, [])
        assert len(found) < 2, f"{self.path}: {len(found)} sections {name}"
        return (found[0][2], found[0][3]) if found else (0, b"")

    def _rows(self):
        address, content = self.section("prof_rows_v1")
        assert len(content) % 8 == 0 and address % 4 == 0, f"{self.path}: rows are misplaced"
        for at in range(0, len(content), 8):
            sled, kind = struct.unpack_from("<iI", content, at)
            yield address + at + sled, kind

    def _facts(self):
        sections = self.sections.get(".prof_facts_v1", [])
        assert len(sections) < 2 or self.type == 1, f"{self.path}: {len(sections)} sections of facts"
        content = b"".join(section[3] for section in sections)
        at = 0
        while at < len(content):
            length, kind, version = struct.unpack_from("<IHH", content, at)
            if length == 0:
                at += 8
                continue
            assert version == 1 and length % 8 == 0 and at + length <= len(content), f"{self.path}: bad fact at {at}"
            self._fact(kind, content[at + 8:at + length])
            at += length

    def _fact(self, kind, body):
        if kind == PROBE:
            self.probes.append(struct.unpack_from("<QQII", body))
            if len(body) > 24:
                self.loop_probes.append((self.probes[-1][0], self.probes[-1][2], *struct.unpack_from("<Q", body, 24)))
        elif kind == FUNCTION:
            key, line, statements, flags, language = struct.unpack_from("<QIIIH", body)
            name, file = (text.decode(errors="surrogateescape") for text in body[24:].split(b"\0")[:2])
            self.functions.append({"key": key, "line": line, "statements": statements, "flags": flags,
                                   "language": language, "name": name, "file": file})
        elif kind == LOOP:
            names = ("key", "function", "parent", "iterations", "line", "last_line", "flags", "depth")
            loop = dict(zip(names, struct.unpack_from("<QQQQIIIH", body)))
            loop["name"], loop["file"] = (text.decode(errors="surrogateescape") for text in body[48:].split(b"\0")[:2])
            self.loops.append(loop)
        elif kind == UNIT:
            version = struct.unpack_from("<I", body)[0]
            self.units.append((version, *(text.decode() for text in body[8:].split(b"\0")[:2])))
        else:
            raise AssertionError(f"{self.path}: fact of unknown kind {kind}")

    def bytes_at(self, address, count):
        """What the program finds at an address in executable code; b"" elsewhere."""
        for same_name in self.sections.values():
            for _, flags, begin, content, _, _ in same_name:
                if flags & 4 and begin <= address and address + count <= begin + len(content):
                    return content[address - begin:address - begin + count]
        return b""

    def symbols(self):
        """{name: [(address, size)]} of functions with a size."""
        found = {}
        for kind in (".symtab", ".dynsym"):
            table = self.sections.get(kind)
            if not table:
                continue
            names = self.sections[".strtab" if kind == ".symtab" else ".dynstr"][0][3]
            for at in range(0, len(table[0][3]), 24):
                name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", table[0][3], at)
                if info & 15 == 2 and section and size:
                    text = names[name:names.index(b"\0", name)].decode(errors="surrogateescape")
                    found.setdefault(text, []).append((value, size))
            break
        return found


def faults(linked, inlined_later=False):
    """What is wrong in a linked file, as texts.  `inlined_later`: functions were inlined after they got their probes."""
    found = []
    for sled, kind in linked.rows:
        if linked.bytes_at(sled, 5) != SLED:
            found.append(f"row: no sled at {sled:#x}")
        if sled % 8 > 3:
            found.append(f"row: the sled at {sled:#x} crosses a word")
        flags = FLAGS.get(kind & 15, -1)
        registers = 0xF00 if kind & HAS_VALUE else 0
        if flags < 0 or kind & ~(15 | flags | registers) or (registers and kind >> 8 == 4):
            found.append(f"row: kind {kind:#x}")
    keys = {}
    for function in linked.functions:
        keys.setdefault(function["key"], set()).add((function["name"], function["file"]))
    found += [f"facts: one key for {sorted(names)}" for names in keys.values() if len(names) > 1]
    if sorted(linked.rows) != sorted((probe[0], probe[2]) for probe in linked.probes):
        found.append(f"facts: {len(linked.rows)} rows, {len(linked.probes)} PROBE facts, not of the same sleds")
    found += [f"facts: the probe at {probe[0]:#x} has no function" for probe in linked.probes if probe[1] not in keys]
    if len({sled for sled, _ in linked.rows}) != len(linked.rows):
        found.append("rows: two of one sled")
    found += loop_faults(linked)
    return found if inlined_later else found + misplaced_entries(linked)


def loop_faults(linked):
    """What is wrong with facts of loops, as texts."""
    loops = {}
    for loop in linked.loops:
        loops.setdefault(loop["key"], []).append(loop)
    found = []
    for same in loops.values():
        loop = same[0]
        if any({**other, "function": 0} != {**loop, "function": 0} for other in same):
            found.append(f"facts: one key for {same}")
        parent = loops.get(loop["parent"], [None])[0]
        if loop["depth"] < 1 or loop["last_line"] < loop["line"] or (parent and parent["depth"] >= loop["depth"]):
            found.append(f"facts: {loop}")
        if loop["flags"] & CONSTANT and not loop["flags"] & COUNTABLE or loop["iterations"] and not loop["flags"] & CONSTANT:
            found.append(f"facts: {loop}")
    for sled, kind, key in linked.loop_probes:
        wanted = COUNTED if kind & 15 == LOOP_COUNT else PROBED
        if key not in loops or not loops[key][0]["flags"] & wanted:
            found.append(f"facts: the probe at {sled:#x} belongs to {loops.get(key)}")
    return found


def misplaced_entries(linked):
    """Each ENTRY lies in the symbol (or cold part) that its function's facts name."""
    symbols = linked.symbols()
    names = {function["key"]: function["name"] for function in linked.functions}
    found = []
    if not linked.sections.get(".symtab"):
        return found
    for sled, key, kind, _ in linked.probes:
        name = names.get(key)
        if "__await_suspend_wrapper__" in str(name):  # Clang's; private, so in no symbol table
            continue
        places = [place for part in (name, f"{name}.cold") for place in symbols.get(part, [])]
        if kind & 15 == ENTRY and not any(begin <= sled < begin + size for begin, size in places):
            found.append(f"facts: the entry at {sled:#x} lies outside of {name}")
    return found
