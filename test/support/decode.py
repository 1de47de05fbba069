#!/usr/bin/env python3
"""Prints a prof trace as text: a second reader, written only from docs/trace-format.md.
   decode.py DIR        prints the same as trace_text DIR (for complete traces)
Needs only Python's standard library and libzstd.so.1."""
import collections
import ctypes
import os
import struct
import sys
import zlib

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_isError.argtypes = [ctypes.c_size_t]


def unpack_zstd(packed, raw_bytes):
    out = ctypes.create_string_buffer(raw_bytes + 1)
    got = zstd.ZSTD_decompress(out, ctypes.c_size_t(raw_bytes), packed, ctypes.c_size_t(len(packed)))
    if zstd.ZSTD_isError(got) or got != raw_bytes:
        raise ValueError("a chunk doesn't unpack")
    return out.raw[:raw_bytes]


class Bytes:
    """A payload, read from front to back."""
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise ValueError("a payload ends too early")
        self.at += count
        return self.data[self.at - count:self.at]

    def numbers(self, letters):
        return struct.unpack("<" + letters, self.take(struct.calcsize("<" + letters)))

    def appended(self, letters):
        """Numbers; zeros if the trace's minor version hasn't them."""
        return self.numbers(letters) if self.at < len(self.data) else struct.unpack("<" + letters, bytes(struct.calcsize("<" + letters)))

    def string(self):
        return self.take(self.numbers("I")[0])

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


def shown(text):
    text = text.split(b"\0")[0]
    return "".join(chr(c) if 32 <= c <= 126 and c != 92 else "\\x%02x" % c for c in text)


class Trace:
    def __init__(self, path):
        data = open(path, "rb").read()
        magic, major, _, header_bytes, features = struct.unpack_from("<8sHHIQ", data)
        (crc,) = struct.unpack_from("<I", data, 60)
        if magic != b"\x89PRF\r\n\x1a\n" or major != 1 or features or crc != zlib.crc32(data[:60]):
            raise ValueError("not a trace of version 1")
        self.clock, self.processes, self.modules, self.loads = None, {}, {}, []
        self.threads, self.chunks, self.notes, self.files, self.end = {}, {}, [], [], None
        self.called, self.called_names, self.loops, self.loop_count = {}, {}, {}, 0
        takers = {2: self.take_clock, 3: self.take_process, 4: self.take_module, 5: self.take_load,
                  6: self.take_thread, 8: self.take_end, 9: self.take_note, 20: self.take_file, 10: self.take_sites, 11: self.take_loops}
        self.maps, self.sampler, self.samples, self.light, self.slices, self.paths = [], None, [], [], [], {}
        self.states, self.windows, self.rates, self.summary = [], [], [], None
        takers.update({48: self.take_states, 53: self.take_rates})
        takers.update({12: self.take_map, 13: self.take_sampler, 14: self.take_light, 15: self.take_slices, 50: self.take_paths})
        self.found, self.written = collections.Counter(), {}
        at = header_bytes
        while at < len(data):
            head = data[at:at + 64]
            (magic, kind, codec, thread, sequence, events, first, last, packed_bytes, raw_bytes, payload_crc, flags, untimed,
             crc) = struct.unpack("<8sHHIIIQQIIIIII", head)
            payload = data[at + 64:at + 64 + packed_bytes]
            if magic != b"PRFCHNK1" or crc != zlib.crc32(head[:60]) or payload_crc != zlib.crc32(payload):
                raise ValueError("damaged at %d" % at)
            self.found[kind] += 1
            raw = unpack_zstd(payload, raw_bytes) if codec == 1 else payload
            if kind == 7:
                self.chunks.setdefault(thread, {})[sequence] = (events, first, last, raw, flags, untimed)
                self.threads.setdefault(thread, None)
            elif kind in (16, 17):
                self.samples.append((kind, thread, events, first, last, raw))
                if thread:
                    self.threads.setdefault(thread, None)
            elif kind == 56:  # the last one is valid
                self.summary = raw
            elif kind == 49:
                self.windows.append((events, first, last, raw))
            elif kind in takers:
                takers[kind](Bytes(raw))
            at += 64 + packed_bytes + -packed_bytes % 8

    def take_clock(self, data):
        ticks, _, _, hz, step, _, _ = data.numbers("QQQQIII")
        self.clock = (hz, self.clock[1] if self.clock else ticks, step)

    def take_process(self, data):
        fields = data.numbers("IIIIQII")
        self.processes[fields[0]] = fields + (data.string(), data.appended("I")[0], data.appended("I")[0], data.appended("I")[0])

    def take_module(self, data):
        number, id_bytes = data.numbers("II")
        data.take(id_bytes)
        path, _ = data.string(), data.string()
        function_count, site_count = data.numbers("II")
        functions = [list(data.numbers("QIIIHH")[1:5:3]) + [data.string(), data.string()] for _ in range(function_count)]
        sites = [data.numbers("QIII") for _ in range(site_count)]
        for address, _, _, function in sites:
            if function != 0xFFFFFFFF and not functions[function][2]:
                functions[function][2] = b"0x%x" % address
        self.modules[number] = (path, functions, sites)

    def take_load(self, data):
        self.loads.append(data.numbers("IIIIQQQI"))

    def take_thread(self, data):
        fields = data.numbers("IIIIQQQQQQQQ")
        self.threads[fields[0]] = fields + (data.string(), data.appended("QQQ"))

    def take_end(self, data):
        self.end = data.numbers("IIQQQQQQ")
        self.written = dict(data.numbers("II") for _ in range(data.appended("I")[0]))

    def take_file(self, data):
        process, file = data.numbers("II")
        self.files.append("file process=%d %d %s" % (process, file, shown(data.string())))

    def take_note(self, data):
        self.notes.append((data.numbers("II"), data.string())[1])

    def take_sites(self, data):
        _, _, count = data.numbers("III")
        for _ in range(count):
            site, address, number = data.numbers("IQI")
            data.numbers("QIIIHH")
            name, _ = data.string(), data.string()
            self.called[site] = self.called_names.setdefault(number, name or b"0x%x" % address)

    def take_loops(self, data):
        module, loop_count, probe_count = data.numbers("III")
        loops = [data.numbers("QIIQIIII") + (data.string(), data.string()) for _ in range(loop_count)]
        probes = dict(data.numbers("II") for _ in range(probe_count))
        self.loops[module] = (self.loop_count, loops, probes)
        self.loop_count += loop_count

    def take_map(self, data):
        self.maps.append(data.numbers("IIIIQQQQ"))

    def take_sampler(self, data):
        self.sampler = data.numbers("IIQIIQQQQ") + (data.string(),) + data.appended("Q")

    def take_light(self, data):
        thread, _, count = data.numbers("III")
        self.light += [(thread,) + data.numbers("QQQ") for _ in range(count)]

    def take_slices(self, data):
        process, count = data.numbers("II")
        self.slices += [(process,) + data.numbers("QQ") for _ in range(count)]

    def take_rates(self, data):
        self.rates += [data.numbers("QI") for _ in range(data.numbers("I")[0])]

    def take_states(self, data):
        self.states += [data.numbers("QII") for _ in range(data.numbers("I")[0])]

    def take_paths(self, data):
        first, count = data.numbers("II")
        address = 0
        for number in range(first, first + count):
            back, step = data.varint(), data.varint()
            address = address + (step >> 1 ^ -(step & 1)) & 2**64 - 1
            self.paths[number] = (address, number - back if back else 0)

    def name(self, site):
        for _, module, first, count, *_ in self.loads:
            if first <= site < first + count:
                _, functions, sites = self.modules[module]
                first_loop, _, probes = self.loops.get(module, (0, [], {}))
                if site - first in probes:
                    return "loop %d kind=0x%x" % (first_loop + probes[site - first], sites[site - first][1])
                function = sites[site - first][3]
                return "?" if function == 0xFFFFFFFF else shown(functions[function][2])
        return shown(self.called[site]) if site in self.called else "?"


KINDS = dict(enumerate("? SETTINGS CLOCK PROCESS MODULE LOAD THREAD EVENTS END NOTE SITES LOOPS MAP SAMPLER LIGHT SLICES SAMPLES "
                       "SWITCHES COUNTS PACK FILE".split()))
KINDS.update(enumerate("GPU_SOURCE GPU_TEXT GPU_RECORDS GPU_STATUS GPU_CUBIN".split(), 32))
KINDS.update(enumerate("STATES WINDOWS PATHS PART POINTS RATES".split(), 48))
SPECIAL = {1: ("exit", 1), 2: ("landed", 1), 3: ("unmatched", 1), 4: ("stall", 0), 5: ("resume", 0), 6: ("gap", 1),
           7: ("stop", 0), 8: ("nothing", 1), 9: ("value", 2), 10: ("measure", 4), 11: ("around", 1)}


def print_chunk(trace, sequence, events, last, raw, flags, untimed):
    data = Bytes(raw)
    (event_count, edge_count, frame_count, omitted, base, stalled_before, edge_bytes, frame_bytes, op_bytes,
     length_bytes, delta_bytes, side_bytes, inversions, table_bytes) = data.numbers("IIIIQQIIIIIIII")
    edges = [struct.unpack("<II", data.take(8)) for _ in range(edge_count)]
    frames, ops = Bytes(data.take(frame_bytes)), data.take(op_bytes)
    table = struct.unpack("<%dI" % (table_bytes // 4), data.take(table_bytes))
    codes = data.take(event_count) if table else bytes([255]) * event_count
    lengths, escape = data.take(length_bytes), 0
    deltas, side = Bytes(data.take(delta_bytes)), Bytes(data.take(side_bytes))
    assert event_count == events and data.at == len(raw) and edge_bytes == 8 * edge_count
    edge_text = ["%s from=0x%x" % (trace.name(site), caller) for site, caller in edges]
    print(" chunk %d events=%d base=%d last=%d stalled=%d omitted=%d inversions=%d%s%s" %
          (sequence, events, base, last, stalled_before, omitted, inversions, " untimed=%d" % untimed if untimed else "",
           " resumed" if flags & 2 else ""))
    entry = stalled = 0
    for i in range(frame_count):
        edge, step, stall = frames.varint(), frames.varint(), frames.varint()
        entry = base - step if i == 0 else entry + step
        stalled += stall
        print("  open %s entry=%d stalled=%d" % (edge_text[edge], entry, stalled))
    time, no_clock = base, 0
    for i in range(event_count):
        escaped = codes[i] == 255
        bytes_ = (lengths[escape // 4] >> 2 * (escape % 4) & 3) + 1 if escaped else 0
        time += int.from_bytes(deltas.take(bytes_), "little") if escaped else table[codes[i]]
        escape += escaped
        op = ops[i]
        if op == 0:
            text = "exit"
        elif op < 255:
            text = "enter " + edge_text[side.varint() if op == 254 else op - 1]
        else:
            code = side.varint()
            text, fields = SPECIAL[code]
            value = side.varint() if fields else 0
            no_clock += code in (8, 9, 10)
            if code == 8:
                time += value
            elif code in (3, 9):
                text += " " + trace.name(value)
                value = side.varint() if fields == 2 else 0
            elif code == 10:
                caller, first, second = side.varint(), side.varint(), side.varint()
                text += " %d %d %d" % (value, first, second)
                value = caller
            if value and code != 8:
                text += " %d" % value
        print("  %d %s" % (time, text))
    assert untimed in (0, no_clock)  # 0: an older trace, without this count
    assert time == last and side.at == side_bytes and deltas.at == delta_bytes


def print_samples(trace, kind, thread, events, first, last, raw):
    data = Bytes(raw)
    process, tid, count, *sizes = data.numbers("IIIIIIII")
    times, addresses, flags, processors, paths = (Bytes(data.take(size)) for size in sizes)
    assert count == events and data.at == len(raw) and sizes[2] == count
    print("%s process=%d thread=%d tid=%d" % ("samples" if kind == 16 else "switches", process, thread, tid))
    time, address = first, 0
    for _ in range(count):
        time += times.varint()
        if kind == 16:
            step = addresses.varint()
            address += step >> 1 ^ -(step & 1)
        path = paths.varint() if sizes[4] else 0
        print("  %d 0x%x flags=%d processor=%d%s" % (time, address & 2**64 - 1, flags.take(1)[0], processors.varint(),
                                                    " path=%d" % path if path else ""))
    assert time == last and times.at == sizes[0] and addresses.at == sizes[1] and processors.at == sizes[3] and paths.at == sizes[4]


def print_windows(events, first, last, raw):
    data = Bytes(raw)
    begin, latest = first, 0
    count, = data.numbers("I")
    assert count == events
    for _ in range(count):
        begin += data.varint()
        end = begin + data.varint()
        latest = max(latest, end)
        seed, part = data.numbers("QI")
        print("window %d to %d seed=%d part=%d%s" % (begin, end, seed, part, " counts" if data.varint() & 1 else ""))
        for _ in range(data.varint()):
            thread, read, rows = data.varint(), data.varint(), data.varint()
            print("  thread=%d events=%d" % (thread, read))
            for _ in range(rows):
                site, (caller,) = data.varint(), data.numbers("I")
                print("    site=%d caller=0x%x calls=%d iterations=%d" % (site, caller, data.varint(), data.varint()))
    assert latest == last and data.at == len(raw)


def print_summary(raw):
    data = Bytes(raw)

    def row(what, names, values):
        print(what + "".join(" %s=%d" % pair for pair in zip(names.split(), values)))

    def rows(what, names):
        names = names.split()
        for _ in range(data.numbers("I")[0]):
            row("  " + what, " ".join(names), [data.varint() for _ in names])

    row("summary", "first last events lost unmatched skipped inversions stalled cut deep cold", data.numbers("11Q"))
    rows("thread", "number events untimed")
    rows("key", "kind module index caller address")
    rows("node", "parent key calls total uncounted")
    rows("inherited", "node ticks")
    rows("going", "node thread ticks")
    for _ in range(data.numbers("I")[0]):
        key, which, least, most, buckets = [data.varint() for _ in range(5)]
        line, bucket = "  durations key=%d which=%d min=%d max=%d" % (key, which, least, most), 0
        for _ in range(buckets):
            bucket += data.varint()
            line += " %d:%d" % (bucket, data.varint())
        print(line)
    rows("loop", "key known empty iterations min max entries counted")
    rows("sample", "node process thread tid module address where flags count")
    rows("pause", "node flags count ticks")
    for _ in range(data.numbers("I")[0]):
        calls, total, several, own = [data.varint() for _ in range(4)]
        print("  cold calls=%d total=%d sum=%d self=%d" % (calls, total, several, (own >> 1) ^ -(own & 1)))
    if data.at < len(data.data):
        print_summary_bursts(data)


def print_summary_bursts(data):
    """Of a recording with a budget."""
    def row(what, names, sums):
        values = [data.varint() for _ in names.split()]
        numbers = data.numbers(f"{len(sums.split())}d")
        print(what + "".join(" %s=%d" % pair for pair in zip(names.split(), values)) +
              "".join(" %s=%.17g" % pair for pair in zip(sums.split(), numbers)))

    row("  bursts", "changes pooled", "")
    for _ in range(data.numbers("I")[0]):
        row("  resumed", "node thread ticks", "")
    for _ in range(2):
        row("  windows", "count", "weight")
    for what, names, sums in (("in-windows", "thread events", "life met0 ran0 met1 ran1"),
                              ("frame", "thread key", "ran events off on0 ticks0 on1 ticks1"),
                              ("rate", "thread key caller counted iterations", "sum low high squares ran spent least given waiting"),
                              ("place", "key", "calls"), ("chain", "around key kind", "")):
        for _ in range(data.numbers("I")[0]):
            row("  " + what, names, sums)
    while data.at < len(data.data):
        row("  of-sample", "chain", "times")


def main(path):
    trace = Trace(os.path.join(path, "trace") if os.path.isdir(path) else path)
    print("clock hz=%d start=%d step=%d" % trace.clock)
    for number, parent, pid, ppid, start, cost, flags, executable, among, count, counted in trace.processes.values():
        print("process %d pid=%d ppid=%d parent=%d forked=%d start=%d cost=%.3f%s exe=%s" % (
            number, pid, ppid, parent, flags & 1, start, cost / 1000, (" among=%.3f" % (among / 1000) if among else "") + (
                " count=%.3f count-among=%.3f" % (count / 1000, counted / 1000) if count else ""),
            shown(executable)))
    for module, (path_, functions, sites) in trace.modules.items():
        print("module sites=%d path=%s" % (len(sites), shown(path_)))
        for line, language, name, file in functions:
            print("  function line=%d language=%d name=%s file=%s" % (line, language, shown(name), shown(file)))
        for i, loop in enumerate(trace.loops.get(module, (0, [], {}))[1]):
            _, function, parent, iterations, line, last, flags, depth, name, file = loop
            print("  loop %d lines=%d-%d depth=%d parent=%d function=%d flags=0x%x iterations=%d name=%s file=%s" %
                  (i, line, last, depth, *(-1 if n == 0xFFFFFFFF else n for n in (parent, function)), flags, iterations,
                   shown(name), shown(file)))
    order = list(trace.modules)
    for process, module, first, count, bias, *_ in trace.loads:
        print("load process=%d module=%d sites=%d+%d bias=0x%x" % (process, order.index(module) + 1, first, count, bias))
    for process, module, flags, _, start, begin, end, bias in trace.maps:
        print("map process=%d module=%d own=%d start=%d begin=0x%x end=0x%x bias=0x%x" %
              (process, order.index(module) + 1, flags & 1, start, begin, end, bias))
    if trace.sampler:
        print("sampler method=%d hz=%d period=%d flags=%d error=%d lost=%d throttled=%d foreign=%d unsampled=%d reason=%s extra=%d" %
              (*trace.sampler[:9], shown(trace.sampler[9]), trace.sampler[10]))
    for path in sorted(trace.paths):
        print("path %d 0x%x parent=%d" % (path, *trace.paths[path]))
    for state in sorted(trace.states, key=lambda state: state[:2]):
        print("state %d site=%d state=%d" % state)
    for rate in sorted(trace.rates):
        print("rate %d %d" % rate)
    for windows in trace.windows:
        print_windows(*windows)
    for samples in trace.samples:
        print_samples(trace, *samples)
    for light in sorted(trace.light, key=lambda light: (list(trace.threads).index(light[0]), light[1])):
        print("light thread=%d begin=%d end=%d events=%d" % light)
    for one in trace.slices:
        print("slice process=%d begin=%d end=%d" % one)
    for line in trace.files:
        print(line)
    for note in trace.notes:
        print("note " + shown(note))
    for thread in trace.threads:
        (_, process, tid, _, _, _, lost, stalled, inversions, torn, unmatched, skipped, name, usage) = trace.threads[thread]
        print("thread %d process=%d tid=%d lost=%d stalled=%d inversions=%d torn=%d unmatched=%d skipped=%d name=%s%s" %
              (thread, process, tid, lost, stalled, inversions, torn, unmatched, skipped, shown(name),
               " cpu=%d@%d moves=%d" % usage if usage[1] else ""))
        for sequence, (events, _, last, raw, flags, untimed) in sorted(trace.chunks.get(thread, {}).items()):
            print_chunk(trace, sequence, events, last, raw, flags, untimed)
    if trace.summary is not None:
        print_summary(trace.summary)
    for kind, written in sorted(trace.written.items()):
        if trace.found[kind] < written:
            print("lacks %d of %d %s" % (written - trace.found[kind], written, KINDS.get(kind, "unknown")))
    end = trace.end or (0, 0)
    print("end complete=%d reason=%d status=%d" % (trace.end is not None, end[0], end[1]))


if __name__ == "__main__":
    main(sys.argv[1])
