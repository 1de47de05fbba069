#!/usr/bin/env python3
"""The tables of docs/trace-format.md, those of its page for GPUs, and the structs and enums of tools/trace/format.h say the same."""
import re
import tree

SPEC, CODE, GPU_CODE = "docs/trace-format.md", "tools/trace/format.h", "include/proftrace_gpu.h"
SAMPLE_CODE, GPU_SPEC = "include/proftrace_samples.h", "docs/trace-format-gpu.md"
STRUCTS = {"File header": "prof_format_file", "Chunk header": "prof_format_chunk",
           "EVENTS: the payload": "prof_format_events", "SAMPLES and SWITCHES: the payload": "prof_format_samples"}
LISTS = ("kind", "code", "record", "column", "flag")  # tables of numbered names
BYTES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8}
faults = []
looked_at = 0


def compare(where, spec, code):
    global looked_at
    looked_at += 1
    if spec != code:
        faults.append(f"{SPEC}: {where}: the spec has {spec}, {CODE} has {code}")


def tables(text):
    """(heading above, rows of cells) of each table; the head row is left out."""
    heading, rows = "", []
    for line in text + [""]:
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            yield heading, rows[0], rows[2:]
            rows = []


def fields_of(name, code):
    body = re.search(r"struct %s \{[^\n]*\n(.*?)\n\};" % name, code, re.S)[1]
    offset, fields = 0, []
    for kind, field, count in re.findall(r"^\s*(\w+) (\w+)(?:\[(\d+)\])?;", body, re.M):
        fields.append([str(offset), "u%d" % (8 * BYTES[kind]) + (f"[{count}]" if count else ""), field])
        if offset % BYTES[kind]:
            faults.append(f"{CODE}: {name}.{field} isn't aligned: the compiler pads before it")
        offset += BYTES[kind] * int(count or 1)
    asserted = re.search(r"sizeof\(struct %s\) == (\d+)" % name, code)
    compare(name + " size", asserted and asserted[1], str(offset))
    return fields


def main():
    spec, code = tree.lines(SPEC), "\n".join(tree.lines(CODE))
    constants = dict(re.findall(r"PROF_FORMAT_(\w+) = (\d+)", code))
    constants.update(re.findall(r"PROF_(GPU_\w+) = (\d+)", "\n".join(tree.lines(GPU_CODE))))
    constants.update(re.findall(r"PROF_SAMPLE_(KERNEL|PROBE|EXTRA) (\d+)u", "\n".join(tree.lines(SAMPLE_CODE))))
    found = set()
    for heading, head, rows in tables(spec + tree.lines(GPU_SPEC)):
        for start, struct in STRUCTS.items():
            if heading.startswith(start) and head[:3] == ["offset", "type", "field"]:
                found.add(struct)
                compare(struct, [row[:3] for row in rows], fields_of(struct, code))
        if head[:2] in ([first, "name"] for first in LISTS):
            found.add(head[0])
            for row in rows:
                compare(f"{head[0]} {row[1]}", row[0], constants.get(row[1]))
    compare("tables", sorted(found), sorted([*STRUCTS.values(), *LISTS]))
    version = re.search(r"version (\d+)\.(\d+)", spec[0])
    compare("version", version.groups(), tuple(re.search(r"PROF_FORMAT_%s (\d+)" % part, code)[1]
                                               for part in ("MAJOR", "MINOR")))
    history = [rows for heading, _, rows in tables(spec) if heading == "History"][-1]
    compare("last version of the history", history[-1][0], ".".join(version.groups()))
    limit = re.search(r"a reader need not hold more than ([\d,]+) frames", "\n".join(spec))[1].replace(",", "")
    compare("frame limit", limit, re.search(r"PROF_FORMAT_FRAME_LIMIT (\d+)", code)[1])
    tree.finish(faults, looked_at)


main()
