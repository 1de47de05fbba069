"""A page of `prof view`, unpacked into its sections: docs/view-format.md."""
import base64
import gzip
import json
import re
import struct


def data_of(html):
    """The packed data of a page, given as bytes."""
    element = re.search(rb'<script id="prof-data" type="application/octet-stream">([^<]*)</script>', html)
    return gzip.decompress(base64.b64decode(element[1]))


def sections_of(data):
    magic, version, zero = struct.unpack_from("<8sII", data)
    assert (magic, version, zero) == (b"PROFVIEW", 1, 0), (magic, version, zero)
    at, sections = 16, {}
    while True:
        name, length, zero = struct.unpack_from("<16sII", data, at)
        at += 24
        name = name.rstrip(b"\0").decode()
        assert zero == 0 and at % 4 == 0 and name not in sections, name
        if name == "end":
            assert length == 0 and at == len(data)
            return sections
        sections[name] = data[at:at + length]
        assert not any(data[at + length:at + -(-length // 4) * 4]), name
        at += -(-length // 4) * 4


def rows(section, lists=()):
    """The rows of a table of columns, as dictionaries."""
    columns = {key: value for key, value in section.items() if isinstance(value, list) and key not in lists}
    assert len({len(column) for column in columns.values()}) <= 1, {k: len(v) for k, v in columns.items()}
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def varints(data, at, count):
    out = []
    for _ in range(count):
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        out.append(value)
    return out, at


def lanes(data):
    """(shift, [lane]): a lane has kind, thread, depth, calls (begin, length, frame, flags) and cells (bucket, cover, calls, frame)."""
    shift, count = struct.unpack_from("<II", data)
    at, out = 8, []
    for _ in range(count):
        kind, thread, depth, calls, cells, length = struct.unpack_from("<6I", data, at)
        at += 24
        end = at + length
        columns = []
        for number in [calls] * 4 + [cells] * 4:
            column, at = varints(data, at, number)
            columns.append(column)
        assert end - at < 4 and not any(data[at:end])
        at = end
        now = 0
        for i, (gap, long) in enumerate(zip(columns[0], columns[1])):
            columns[0][i] = now + gap
            now += gap + long
        now = 0
        for i, gap in enumerate(columns[4]):
            now = columns[4][i] = now + gap
        out.append({"kind": kind, "thread": thread, "depth": depth, "calls": list(zip(*columns[:4])),
                    "cells": list(zip(*columns[4:]))})
    assert at == len(data)
    return shift, out


class Page:
    def __init__(self, html):
        self.html = html
        raw = sections_of(data_of(html))
        self.shift, self.lanes = lanes(raw.pop("lanes"))
        self.of = {name: json.loads(bytes_) for name, bytes_ in raw.items()}
        self.frames = self.of["frames"]

    def rows(self, name):
        return rows(self.of[name], ("light_thread", "light_begin_ns", "light_end_ns", "burst_begin_ns", "burst_end_ns", "modules", "files", "counters"))

    def name(self, frame):
        return self.frames["name"][frame]

    def file(self, number):
        return self.frames["files"][number] if number >= 0 else ""
