#!/usr/bin/env python3
"""Keeps docs/trace-format-example.md equal to what the writer makes of texts/example.txt.

   example.py --trace-make=... [--rewrite]

The field names are taken from the tables of the spec itself.
"""
import argparse
import difflib
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"
SPEC, EXAMPLE = DOCS / "trace-format.md", DOCS / "trace-format-example.md"
BEGIN, END = "<!-- example: begin -->\n", "<!-- example: end -->\n"
LETTERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}


def table(spec, heading):
    section = spec[spec.index(f"## {heading}"):]
    return re.findall(r"^\| (\d+) \| (u\d+)(?:\[(\d+)\])? \| (\w+) \|", section.split("\n## ")[0], re.M)


def row(offset, data, text):
    return f"{offset:05x}  {data.hex(' '):<47}  {text}\n"


def fields(data, offset, rows):
    """One line per field, as the table has them."""
    out = []
    for at, kind, count, name in rows:
        size = struct.calcsize(LETTERS[kind]) * int(count or 1)
        part = data[offset + int(at):offset + int(at) + size]
        value = "" if count else " " + str(int.from_bytes(part, "little"))
        if name == "magic":
            value = ""
        if name in ("header_crc", "payload_crc"):
            value = ""
        out.append(row(offset + int(at), part, name + value))
    return "".join(out)


def example(data, spec):
    file_rows, chunk_rows = table(spec, "File header"), table(spec, "Chunk header")
    event_rows = table(spec, "EVENTS: the payload")
    kinds = spec[spec.index("## Chunk kinds"):spec.index("## EVENTS")]
    names = dict(re.findall(r"^\| (\d+) \| ([A-Z]+) \|", kinds, re.M))
    out = ["The header:\n\n```\n", fields(data, 0, file_rows), "```\n\nThe chunks:\n\n```\n"]
    at, chunks = 64, []
    while at < len(data):
        kind = struct.unpack_from("<H", data, at + 8)[0]
        (packed_bytes,) = struct.unpack_from("<I", data, at + 40)
        out.append(f"{at:05x}  {names[str(kind)]}, {packed_bytes} bytes\n")
        chunks.append((kind, at, packed_bytes))
        at += 64 + packed_bytes + -packed_bytes % 8
    at, packed_bytes = [(at, size) for kind, at, size in chunks if kind == 7][0]
    out += ["```\n\nThe chunk of the four events:\n\n```\n", fields(data, at, chunk_rows)]
    payload = at + 64
    out.append(fields(data, payload, event_rows))
    head = {name: struct.unpack_from("<" + LETTERS[kind], data, payload + int(offset))[0]
            for offset, kind, _, name in event_rows}
    at = payload + 64
    for column in ("edge", "frame", "op", "length", "delta", "side"):
        size = head[column + "_bytes"]
        for begin in range(0, size, 8 if column == "edge" else 16):
            part = data[at + begin:at + min(size, begin + (8 if column == "edge" else 16))]
            text = "edge: site %d, caller 0x%x" % struct.unpack("<II", part) if column == "edge" else column + "s"
            out.append(row(at + begin, part, text))
        at += size
    if at % 8:
        out.append(row(at, data[at:at + -at % 8], "padding"))
    return "".join(out) + "```\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trace-make", required=True)
    parser.add_argument("--trace-text")
    parser.add_argument("--rewrite", action="store_true")
    options = parser.parse_args()
    text = HERE / "texts" / "example.txt"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.trace_make, f"--text={text}", "-o", folder], check=True)
        data = (pathlib.Path(folder) / "trace").read_bytes()
    spec, page = SPEC.read_text(), EXAMPLE.read_text()
    lines = [line for line in text.read_text().splitlines() if not line.startswith("#")]
    new = "The trace that `trace_make` writes for\n\n" + "".join(f"    {line}\n" for line in lines) + "\n"
    new += example(data, spec)
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    old = page[begin:end]
    if options.rewrite:
        EXAMPLE.write_text(page[:begin] + new + page[end:])
    elif old != new:
        print("\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), "spec", "written now", lineterm="")))
        return 1
    return 0


sys.exit(main())
