#!/usr/bin/env python3
"""Writes files/*.trace anew: whole and damaged traces, made byte by byte from docs/trace-format.md.

   fixtures.py --trace-make=BUILD/test/support/trace_make

What each is for stands beside it below.  Run compare.py --rewrite afterwards and read the differences.
"""
import argparse
import ctypes
import pathlib
import struct
import subprocess
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent


def file_header(major=1, minor=0, header_bytes=64, features=0):
    head = struct.pack("<8sHHIQQ16s12x", b"\x89PRF\r\n\x1a\n", major, minor, header_bytes, features, 1600000000 * 10**9,
                       b"\1" + bytes(15))
    return head + struct.pack("<I", zlib.crc32(head)) + bytes(header_bytes - 64)


def chunk(kind, payload, codec=0, thread=0, sequence=0, events=0, first=0, last=0, raw_bytes=None, packed_bytes=None, untimed=0):
    head = struct.pack("<8sHHIIIQQIIIII", b"PRFCHNK1", kind, codec, thread, sequence, events, first, last,
                       len(payload) if packed_bytes is None else packed_bytes,
                       len(payload) if raw_bytes is None else raw_bytes, zlib.crc32(payload), 0, untimed)
    return head + struct.pack("<I", zlib.crc32(head)) + payload + bytes(-len(payload) % 8)


def string(text):
    return struct.pack("<I", len(text)) + text


CLOCK = chunk(2, struct.pack("<QQQQIII", 1000, 1, 1, 10**9, 1, 1, 1))
PROCESS = chunk(3, struct.pack("<IIIIQII", 1, 0, 100, 1, 1000, 0, 0) + string(b"/bin/app"))
FUNCTION = struct.pack("<QIIIHH", 1, 7, 3, 0, 1, 0) + string(b"main") + string(b"app.c")
SITES = b"".join(struct.pack("<QIII", 0x1000 + 16 * kind, kind, 7, 0) for kind in (1, 2))
MODULE_HEAD = struct.pack("<II", 1, 0) + string(b"/bin/app") + string(b"GNU C 12")
MODULE = chunk(4, MODULE_HEAD + struct.pack("<II", 1, 2) + FUNCTION + SITES)
LOAD = chunk(5, struct.pack("<IIIIQQQI", 1, 1, 1, 2, 0x400000, 0x400000, 0x500000, 0))
CALLER = chunk(4, MODULE_HEAD + struct.pack("<II", 0, 0)) + chunk(5, struct.pack("<IIIIQQQI", 1, 1, 1, 0, 0x400000, 0x400000, 0x500000, 0))


def called(site, number, name):
    return struct.pack("<IQI", site, 0x1000 * site, number) + struct.pack("<QIIIHH", 0x1000 * site, 0, 0, 0, 0, 0) + string(name) + string(b"")


def sites(*entries, module=1, count=None):
    return chunk(10, struct.pack("<III", 1, module, len(entries) if count is None else count) + b"".join(entries))


def loops(*entries, probes=((1, 0),), module=1, count=None, probe_count=None):
    return chunk(11, struct.pack("<III", module, len(entries) if count is None else count,
                                 len(probes) if probe_count is None else probe_count) + b"".join(entries) +
                 b"".join(struct.pack("<II", *probe) for probe in probes))


def loop(parent=0xffffffff, depth=1, function=0):
    return struct.pack("<QIIQIIII", 5, function, parent, 0, 8, 9, 0x20, depth) + string(b"") + string(b"app.c")


LOOP_SITES = b"".join(struct.pack("<QIII", 0x1000 + 16 * kind, kind, 7, 0) for kind in (1, 2, 0x2c, 13))
LOOP_MODULE = chunk(4, MODULE_HEAD + struct.pack("<II", 1, 4) + FUNCTION + LOOP_SITES)
LOOP_LOAD = chunk(5, struct.pack("<IIIIQQQI", 1, 1, 1, 4, 0x400000, 0x400000, 0x500000, 0))
LOOPS = loops(loop(), loop(0, 2), probes=((2, 0), (3, 0)))
THREAD = chunk(6, struct.pack("<IIII8Q", 1, 1, 100, 1, 1000, 9000, 0, 0, 0, 0, 0, 0) + string(b"main"))
END = chunk(8, struct.pack("<II6Q", 1, 0, 8000, 0, 0, 0, 4, 0))
COUNTING_END = chunk(8, struct.pack("<II6Q", 1, 0, 8000, 0, 0, 0, 4, 0) +
                     struct.pack("<13I", 6, 2, 1, 3, 1, 4, 1, 5, 2, 7, 3, 40, 7))
FACTS = CLOCK + PROCESS + MODULE + LOAD


def payload(base, ops=b"\1\0", deltas=b"\0\5", lengths=b"\0", edges=((1, 0x10),), frames=b"", frame_count=0, side=b"",
            table=(), codes=b"", **wrong):
    sizes = dict(event_count=len(ops), edge_count=len(edges), frame_count=frame_count, omitted=0, base=base, stalled=0,
                 edge_bytes=8 * len(edges), frame_bytes=len(frames), op_bytes=len(ops), length_bytes=len(lengths),
                 delta_bytes=len(deltas), side_bytes=len(side), inversions=0, table_bytes=4 * len(table))
    sizes.update(wrong)
    return (struct.pack("<IIIIQQIIIIIIII", *sizes.values()) + b"".join(struct.pack("<II", *e) for e in edges) + frames +
            ops + struct.pack("<%dI" % len(table), *table) + codes + lengths + deltas + side)


def events(base, sequence=0, last=None, count=2, untimed=0, **columns):
    return chunk(7, payload(base, **columns), thread=1, sequence=sequence, events=count, first=base,
                 last=base + 5 if last is None else last, untimed=untimed)


def samples(times=b"\0\5", addresses=b"\x20\3", flags=b"\0\2", processors=b"\1\0", count=2, last=2005, kind=16, process=1):
    head = struct.pack("<8I", process, 100, count, len(times), len(addresses), len(flags), len(processors), 0)
    return chunk(kind, head + times + addresses + flags + processors, thread=1, events=2, first=2000, last=last)


def mapped(module=1, begin=0x700000, end=0x701000):
    return chunk(12, struct.pack("<IIIIQQQQ", 1, module, 1, 0, 5, begin, end, 0x6ff000))


def varints(*values):
    out = b""
    for value in values:
        while value > 0x7f:
            out, value = out + bytes([value & 0x7f | 0x80]), value >> 7
        out += bytes([value])
    return out


def summary(**other):
    """main, called 3 times, and in it a loop; 500 of its calls are one row, and one path was too cold to be kept."""
    lists = dict(threads=[(1, 1000, 20)], keys=[(1, 1, 0, 0, 0), (1, 1, 0, 1, 0x1010), (3, 1, 0, 0, 0)],
                 nodes=[(0, 1, 0, 0, 0), (1, 1, 3, 900000, 0), (2, 5, 3, 500000, 1), (2, 3, 500, 90000, 0), (2, 0, 7, 50, 0), (1, 4, 0, 70, 0)],
                 inherited=[(2, 400)], going=[(2, 1, 77)],
                 durations=[(0, 1, 5, 400000, 2, 5, 1, 300, 2), (0, 2, 5, 9, 1, 5, 3), (1, 0, 10, 300, 1, 10, 500)],
                 loops=[(2, 2, 1, 30, 10, 20, 0, 0)], samples=[(4, 1, 1, 100, 1, 0x1004, 0, 0, 40), (0, 1, 0, 101, 0, 0x7f0012, 3, 0, 2)],
                 pauses=[(2, 1, 3, 5000)], cold=[(7, 50, 60, 9), (0, 0, 0, 0), (0, 0, 0, 0)])
    lists.update(other)
    return (struct.pack("<11Q", 1100, 9000, 1000, 0, 1, 2, 0, 30, 1, 0, 1) +
            b"".join(struct.pack("<I", len(rows)) + b"".join(varints(*row) for row in rows) for rows in lists.values()))


def budgeted(**other):
    """The same with a budget: main was in bursts, and 3 windows with events and 2 that count saw calls of it."""
    sums = dict(windows=[((3,), (900.0,)), ((2,), (800.5,))], threads=[((1, 12), (5000.0, 900.0, 850.0, 800.5, 700.0))],
                frames=[((1, 0), (4000.0, 9.5, 0.0, 600.0, 6e4, 800.5, 8e4))],
                rates=[((1, 0, 1, 7, 0), (2.5, 2.25, 3.0, 4.0, 150.0, 20.0, 2.0, 4.0, 1.0)), ((1, 0, 2, 90, 0), (30.0, 29.0, 31.0, 500.0, 90.0, 1.0, 28.0, 0.0, 0.0)),
                       ((1, 0, 0, 2, 0), (0.5, 0.25, 1.0, 1.0, 50.0, 5.0, 0.5, 6.0, 0.5)), ((1, 0, 3, 5, 0), (2.0, 2.0, 2.0, 3.0, 100.0, 15.0, 1.5, 20.0, 2.0))],
                places=[((1,), (6.5,))], chains=[((0, 0, 0), ()), ((1, 0, 1), ()), ((0, 0, 3), ())], of_samples=[((2,), (40.0,)), ((3,), (2.5,))])
    sums.update(other)
    out = summary() + varints(5, 1) + struct.pack("<I", 1) + varints(3, 1, 55)
    for name, rows in sums.items():
        out += b"" if name in ("windows", "of_samples") else struct.pack("<I", len(rows))
        out += b"".join(varints(*row) + struct.pack(f"<{len(numbers)}d", *numbers) for row, numbers in rows)
    return out


def summed(payload=None, **other):
    return file_header(minor=2) + CLOCK + PROCESS + LOOP_MODULE + LOOPS + LOOP_LOAD + chunk(56, payload or summary(**other)) + THREAD + END


def summed_in_bursts(**other):
    states = chunk(48, struct.pack("<IQII", 1, 1000, 1, 1))
    return summed(budgeted(**other)).replace(THREAD, states + THREAD)


def compressed(data):
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_compress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(len(data) + 1000)
    got = zstd.ZSTD_compress(out, ctypes.c_size_t(len(out)), data, ctypes.c_size_t(len(data)), 1)
    return out.raw[:got]


def flip(data, at, bit=0x10):
    return data[:at] + bytes([data[at] ^ bit]) + data[at + 1:]


FIRST, SECOND, THIRD = events(2000), events(3000, 1), events(4000, 2)
WHOLE = file_header() + FACTS + FIRST + SECOND + THIRD + THREAD + END
AT_FIRST = 64 + len(FACTS)
AT_SECOND = AT_FIRST + len(FIRST)


def beside(bad):
    """A chunk with right checksums and wrong contents between two good ones."""
    return file_header() + FACTS + FIRST + bad + THIRD + THREAD + END


def with_loops(chunk_of_loops, untimed=0):
    """main { loop { } } with 300 iterations."""
    return (file_header(minor=2) + CLOCK + PROCESS + LOOP_MODULE + chunk_of_loops + LOOP_LOAD +
            events(2000, ops=b"\1\2\xff\0\0", deltas=b"\0\1\0\2\2", lengths=b"\0\0", edges=((1, 0x10), (3, 0)), side=b"\x09\3\xac\2",
                   count=5, untimed=untimed) + THREAD + END)


FILES = {
    # good: everything in them counts
    "good-plain": WHOLE,
    "good-nothing-recorded": file_header() + CLOCK + END,
    # Functions found while they ran: with a name, without one, and one that is found again under another site.
    "good-sites": file_header(minor=1) + CLOCK + PROCESS + CALLER + sites(called(2, 0, b"main"), called(3, 1, b"")) +
                  events(1000, ops=b"\1\2\3\0", edges=((2, 0x10), (3, 0x20), (4, 0x30)), deltas=b"\0\1\1\3", lengths=b"\0", count=4) +
                  sites(called(4, 0, b"")) + THREAD + END,
    "bad-sites-count": file_header(minor=1) + CLOCK + PROCESS + CALLER + sites(called(2, 0, b"main"), count=9) + FIRST + THREAD + END,
    "bad-sites-module": file_header(minor=1) + CLOCK + PROCESS + CALLER + sites(called(2, 0, b"main"), module=7) + FIRST + THREAD + END,
    "good-later-minor": file_header(minor=7, header_bytes=96) + FACTS + chunk(40, b"of a later version") + FIRST + THREAD + END,
    "good-facts-last": file_header() + FIRST + THREAD + FACTS + END,  # the order of facts is free
    "good-packed": file_header() + FACTS + chunk(7, compressed(payload(2000)), 1, 1, 0, 2, 2000, 2005, len(payload(2000)))
    + THREAD + END,
    "good-table": beside(events(3000, 1, table=(0, 5), codes=b"\0\1", lengths=b"", deltas=b"")),
    "good-table-escape": beside(events(3000, 1, table=(0,), codes=b"\0\xff", lengths=b"\0", deltas=b"\5")),
    # A loop: entered, its iterations, left; and one inside it without events.
    # END counts a LOAD, an EVENTS and seven of a later version's kind that aren't there.
    "good-lacking": file_header(minor=2) + FACTS + FIRST + SECOND + THREAD + COUNTING_END,
    "good-loops": with_loops(LOOPS),
    "good-untimed": with_loops(LOOPS, 1),
    "bad-untimed-too-many": with_loops(LOOPS, 6),
    # Parents that go round, functions and sites that aren't there: the loops stay, what they name is unknown.
    "bad-loops-astray": with_loops(loops(loop(1, 1, 7), loop(0, 1), loop(9, 2), probes=((2, 0), (3, 0), (4, 0), (1, 3)))),
    # A map, samples and switches.
    "good-map": file_header(minor=2) + FACTS + mapped() + FIRST + samples() + samples(addresses=b"", flags=b"\3\1", kind=17) + THREAD + END,
    "bad-map-module": file_header(minor=2) + FACTS + mapped(module=9) + FIRST + THREAD + END,
    "bad-map-empty": file_header(minor=2) + FACTS + mapped(end=0x700000) + FIRST + THREAD + END,
    "bad-samples-time": beside(samples(last=2004)),
    "bad-samples-column": beside(samples(addresses=b"\x20\3\3")),
    "bad-samples-varint": beside(samples(processors=b"\1\x80")),
    "bad-samples-count": beside(samples(count=3)),
    "bad-samples-flags": beside(samples(flags=b"\0")),
    "bad-samples-process": beside(samples(process=9)),
    "bad-switches-addresses": beside(samples(kind=17)),
    "good-summary": summed(),
    "good-summary-twice": summed(summary(nodes=[], inherited=[], going=[], samples=[], pauses=[])).replace(END, b"") + chunk(56, summary()) + END,
    "bad-summary-short": summed(summary()[:-1]),
    "bad-summary-figures": summed(summary()[:80]),
    "bad-summary-key-twice": summed(keys=[(1, 1, 0, 0, 0)] * 3),
    "bad-summary-parent": summed(nodes=[(0, 1, 0, 0, 0), (2, 1, 3, 900000, 0)], inherited=[], going=[], samples=[], pauses=[]),
    "bad-summary-node-key": summed(nodes=[(0, 1, 0, 0, 0), (1, 7, 3, 900000, 0)], inherited=[], going=[], samples=[], pauses=[]),
    "bad-summary-node-twice": summed(nodes=[(0, 1, 0, 0, 0), (0, 1, 3, 900000, 0)], inherited=[], going=[], samples=[], pauses=[]),
    "bad-summary-node": summed(samples=[(99, 1, 1, 100, 1, 0x1004, 0, 0, 40)]),
    "bad-summary-bucket": summed(durations=[(0, 0, 5, 400000, 2, 0xffffff, 1, 300, 2)]),
    "bad-summary-durations": summed(durations=[(0, 0, 5, 4, 1, 5, 1)]),
    "bad-summary-count": summed(summary()[:88] + b"\xff\xff\xff\x7f" + summary()[92:]),
    "good-summary-bursts": summed_in_bursts(),
    "bad-summary-bursts-short": summed(budgeted()[:-1]),
    "bad-summary-bursts-sum": summed_in_bursts(windows=[((3,), (float("nan"),)), ((2,), (1.0,))]),
    "bad-summary-bursts-negative": summed_in_bursts(places=[((1,), (-1.0,))]),
    "bad-summary-bursts-key": summed_in_bursts(frames=[((1, 3), (1.0,) * 7)]),
    "bad-summary-bursts-caller": summed_in_bursts(rates=[((1, 0, 6, 5, 0), (1.0,) * 9)]),
    "bad-summary-bursts-chain": summed_in_bursts(chains=[((1, 0, 0), ())]),
    "bad-summary-bursts-chain-twice": summed_in_bursts(chains=[((0, 0, 1), ()), ((0, 0, 1), ())]),
    "bad-summary-bursts-kind": summed_in_bursts(chains=[((0, 0, 4), ()), ((1, 0, 1), ()), ((0, 0, 3), ())]),
    "bad-summary-bursts-sample": summed_in_bursts(of_samples=[((4,), (40.0,)), ((3,), (2.5,))]),
    # Sums as large as can be, twice, and a thread that isn't there.
    "bad-summary-bursts-astray": summed_in_bursts(windows=[((2**63,), (1e308,)), ((2**63,), (1e308,))], threads=[((1, 2**63), (1e308,) * 5)] * 2 + [((9, 1), (1.0,) * 5)],
                                                  frames=[((1, 0), (1e308,) * 7)] * 2, rates=[((1, 0, 1, 2**63, 2**63), (1e308,) * 9), ((1, 0, 3, 2**63, 1), (1e308,) * 9)] * 2,
                                                  places=[((1,), (1e308,))] * 2, of_samples=[((2,), (1e308,)), ((3,), (1e308,))]),
    # Modules, threads and processes that aren't there, and figures as large as can be: they are shown as not known.
    "bad-summary-astray": summed(threads=[(9, 2**63, 2**63 - 1)], keys=[(1, 9, 0, 9, 0), (7, 1, 0, 1, 0), (3, 1, 9, 0, 0)],
                                 nodes=[(0, 9, 0, 0, 0), (1, 1, 2**63, 2**63, 2**63), (2, 5, 3, 1, 1), (2, 3, 500, 2, 0)], inherited=[(2, 2**63)],
                                 going=[(2, 9, 2**63)], samples=[(3, 9, 9, 100, 9, 5, 0, 0, 2**62)], pauses=[(2, 1, 3, 2**62)],
                                 durations=[(0, 0, 5, 2**63, 1, 1800, 2**47)]),
    # unsupported: refused, with the version
    "unsupported-major": file_header(major=2) + FACTS + END,
    "unsupported-feature": file_header(features=1 << 40) + FACTS + END,
    # bad: damage, as a disk or a kill leaves it
    "bad-empty": b"",
    "bad-header-cut": WHOLE[:40],
    "bad-header-flipped": flip(WHOLE, 30),
    "bad-magic-flipped": flip(WHOLE, 2),
    "bad-cut-in-chunk": WHOLE[:AT_SECOND + 70],
    "bad-no-end": WHOLE[:-len(END)],
    "bad-chunk-header-flipped": flip(WHOLE, AT_SECOND + 20),
    "bad-payload-flipped": flip(WHOLE, AT_SECOND + 100),
    "bad-rubbish-between": WHOLE[:AT_SECOND] + b"\xde\xad" * 36 + WHOLE[AT_SECOND:],
    "bad-sequence-twice": file_header() + FACTS + FIRST + SECOND + SECOND + THIRD + THREAD + END,
    "bad-time-goes-back": file_header() + FACTS + SECOND + events(2000, 2) + THREAD + END,
    # bad: right checksums, hostile contents
    "bad-codec": beside(chunk(7, payload(3000), 9, 1, 1, 2, 3000, 3005)),
    "bad-frame-too-big": beside(chunk(7, compressed(bytes(1 << 20)), 1, 1, 1, 2, 3000, 3005, 100)),
    "bad-raw-too-big": beside(chunk(7, compressed(bytes(100)), 1, 1, 1, 2, 3000, 3005, (16 << 20) + 1)),
    "bad-packed-too-big": WHOLE[:AT_SECOND] + chunk(7, payload(3000), 0, 1, 1, 2, 3000, 3005, packed_bytes=0x7fffffff),
    "bad-payload-short": beside(chunk(7, b"short", 0, 1, 1, 2, 3000, 3005)),
    "bad-column-sum": beside(events(3000, 1, delta_bytes=3)),
    "bad-column-wraps": beside(events(3000, 1, delta_bytes=0xfffffff2, side_bytes=16)),
    "bad-lengths-past-deltas": beside(events(3000, 1, lengths=b"\x0f")),
    "bad-code-beyond-table": beside(events(3000, 1, table=(0, 5), codes=b"\0\2", lengths=b"", deltas=b"")),
    "bad-code-escapes-nothing": beside(events(3000, 1, table=(0, 5), codes=b"\0\xff", lengths=b"", deltas=b"")),
    "bad-table-too-long": beside(events(3000, 1, table=range(256), codes=b"\0\1", lengths=b"", deltas=b"")),
    "bad-table-uneven": beside(events(3000, 1, table=(0, 5), codes=b"\0\1", lengths=b"", deltas=b"", table_bytes=6)),
    "bad-loops-count": with_loops(loops(loop(), count=0xfffffff0)),
    "bad-loops-probes": with_loops(loops(loop(), probe_count=3)),
    "bad-loops-module": with_loops(loops(loop(), module=7)),
    "bad-loops-twice": with_loops(LOOPS + LOOPS),
    "bad-value-ends": beside(events(3000, 1, ops=b"\1\xff", side=b"\x09\3")),
    "bad-value-site": beside(events(3000, 1, ops=b"\1\xff", side=b"\x09\xff\xff\xff\xff\x1f\1")),
    "bad-edge-missing": beside(events(3000, 1, ops=b"\2\0")),
    "bad-far-edge-missing": beside(events(3000, 1, ops=b"\xfe\0", side=b"\x50")),
    "bad-side-ends": beside(events(3000, 1, ops=b"\xfe\0", side=b"\x80")),
    "bad-special-unknown": beside(events(3000, 1, ops=b"\0\xff", side=b"\x7f")),
    "bad-varint-too-long": beside(events(3000, 1, ops=b"\xff\0", side=b"\6" + b"\xff" * 10 + b"\1")),
    "bad-frame-edge": beside(events(3000, 1, frames=b"\5\1\0", frame_count=1)),
    "bad-frame-before-zero": beside(events(3000, 1, frames=b"\0\xff\xff\xff\x7f\0", frame_count=1)),
    "bad-frame-after-base": beside(events(3000, 1, frames=b"\0\1\0\0\2\0", frame_count=2)),
    "bad-frames-end": beside(events(3000, 1, frames=b"\0\1\0", frame_count=2)),
    "bad-no-events": beside(events(3000, 1, count=0, ops=b"", deltas=b"", lengths=b"")),
    "bad-string-too-long": file_header() + chunk(9, struct.pack("<III", 0, 0, 0xffffffff) + b"x") + END,
    "bad-count-too-big": file_header() + chunk(4, MODULE_HEAD + struct.pack("<II", 0xffffffff, 2) + FUNCTION) + END,
    "bad-sites-too-many": file_header() + chunk(4, MODULE_HEAD + struct.pack("<II", 1, 99) + FUNCTION + SITES) + END,
    "bad-build-id": file_header() + chunk(4, struct.pack("<II", 1, 21) + bytes(21) + string(b"") * 2 + bytes(8)) + END,
    "bad-module-twice": file_header() + CLOCK + MODULE + MODULE + LOAD + END,
    "bad-load-of-nothing": file_header() + CLOCK + LOAD + FIRST + END,
    "bad-clock-stands": file_header() + chunk(2, struct.pack("<QQQQIII", 1000, 1, 1, 0, 1, 1, 1)) + FACTS + FIRST + END,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trace-make", required=True)
    options = parser.parse_args()
    for name, data in FILES.items():
        (HERE / "files" / f"{name}.trace").write_bytes(data)
    for text in sorted(HERE.glob("texts/*.txt")):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([options.trace_make, f"--text={text}", "-o", folder], check=True)
            (HERE / "files" / f"good-{text.stem}.trace").write_bytes((pathlib.Path(folder) / "trace").read_bytes())


main()
