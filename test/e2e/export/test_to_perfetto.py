#!/usr/bin/env python3
"""protoc, and trace_processor where it is installed, read our Perfetto traces: calls, waits and GPU work as prof's own readers have them."""
import codecs
import collections
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zlib

from recordings import Bench, need, plain

HERE = pathlib.Path(__file__).resolve().parent
MOST_BYTES = 12  # of a call
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
WAIT = "[waiting for the recorder]"
COUNTERS = [("queue", 220, 7.0), ("queue", 500, 9.0), ("load", 835, 0.25), ("load", 840, float("nan")), ("load", 845, float("-inf"))]


def number(value):
    if value in ("true", "false"):
        return value
    return int(value) if value.lstrip("-").isdigit() else float(value)


def message(lines):
    """protoc's text of a message -> member -> list of values."""
    found = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith(" {"):
            found[line[:-2]].append(message(lines))
        else:
            key, value = line.split(": ", 1)
            found[key].append(codecs.escape_decode(value[1:-1])[0] if value[0] == '"' else number(value))
    return found


def packets(data):
    text = subprocess.run(["protoc", f"--proto_path={HERE}", "--decode=Trace", "perfetto.proto"], input=data, check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    for packet in message(iter(text.splitlines()))["packet"]:
        if packet["compressed_packets"]:
            yield from packets(zlib.decompress(packet["compressed_packets"][0]))
        else:
            yield packet


class Trace:
    """Slices by track, with clocks, names and defaults resolved as the format says."""

    def __init__(self, data):
        self.tracks, self.slices, self.lost, self.flows = {}, collections.defaultdict(list), 0, collections.Counter()
        self.moments, self.counters = [], []
        times, names, tracks, open_slices = {}, {}, {}, collections.defaultdict(list)
        for packet in packets(data):
            for track in packet["track_descriptor"]:
                self.tracks[track["uuid"][0]] = track
            sequence = (packet["trusted_packet_sequence_id"] or [0])[0]
            if packet["trace_packet_defaults"]:
                defaults = packet["trace_packet_defaults"][0]
                assert packet["sequence_flags"] == [1] and defaults["timestamp_clock_id"] == [64]
                clocks = {clock["clock_id"][0]: clock for clock in packet["clock_snapshot"][0]["clocks"]}
                assert clocks[64]["is_incremental"] == ["true"] and clocks[6]["timestamp"] == clocks[64]["timestamp"] == [0]
                assert sequence not in times
                times[sequence], names[sequence] = 0, {}
                tracks[sequence] = defaults["track_event_defaults"][0]["track_uuid"][0]
            for interned in packet["interned_data"]:
                for name in interned["event_names"]:
                    assert name["iid"][0] not in names[sequence]
                    names[sequence][name["iid"][0]] = name["name"][0]
            for event in packet["track_event"]:
                assert packet["sequence_flags"] == [2]
                times[sequence] += packet["timestamp"][0]
                track = tracks[sequence]
                for flow in event["flow_ids"] + event["terminating_flow_ids"]:
                    self.flows[flow] += 1
                if event["type"][0] == BEGIN:
                    name = event["name"][0] if event["name"] else names[sequence][event["name_iid"][0]]
                    open_slices[track].append([name.decode(), times[sequence], None, len(open_slices[track])])
                    self.slices[track].append(open_slices[track][-1])
                elif event["type"][0] == END:
                    open_slices[track].pop()[2] = times[sequence]
                elif event["type"][0] == COUNTER:
                    self.counters.append((self.tracks[track]["name"][0].decode(), times[sequence], float(event["double_counter_value"][0])))
                elif event["debug_annotations"] and event["debug_annotations"][0]["uint_value"]:
                    self.lost += event["debug_annotations"][0]["uint_value"][0]
                else:
                    name = event["name"][0] if event["name"] else names[sequence][event["name_iid"][0]]
                    note = event["debug_annotations"][0] if event["debug_annotations"] else None
                    value = None if not note else note["double_value"][0] if note["double_value"] else note["string_value"][0].decode()
                    self.moments.append((plain(name.decode()), times[sequence], value))
        assert not any(open_slices.values()), open_slices
        assert set(self.slices) <= set(self.tracks)

    def of_kind(self, kind):
        """(name, begin, end, depth) of tracks of that kind: "calls", or what the track's name begins with."""
        for uuid, slices in self.slices.items():
            track = self.tracks[uuid]
            name = "calls" if track["thread"] else track["name"][0].decode()
            if name.startswith(kind):
                yield from slices


def check_calls(bench, recording, trace, arguments):
    """They are those of the CSV of all calls."""
    wanted = collections.Counter()
    for (_, _, *call), times in bench.pieces(recording, *arguments).items():
        wanted[tuple(call)] += times
    found = collections.Counter((plain(name), begin, depth + 1) for name, begin, _, depth in trace.of_kind("calls") if name != WAIT)
    assert found == wanted, (recording, found - wanted, wanted - found)
    return sum(found.values())


def check_times(bench, recording, trace):
    """Time in outermost calls less stalls is the report's elapsed time as measured; waits add up to its waits."""
    cover = bench.covered(recording, "--raw")
    calls = list(trace.of_kind("calls"))
    total = sum((end - begin) * (1 if depth == 0 else -1) for name, begin, end, depth in calls if depth == 0 or name == WAIT)
    assert abs(total - cover["inside_ns"]) <= 2 * len(calls), (recording, total, cover)
    assert trace.lost == cover["lost_events"], recording
    if "waiting_ns" in cover and not cover.get("spinning_ns"):
        slices = list(trace.of_kind("off the processor"))
        if cover.get("waits_estimated"):  # most waits have no place in time: none is shown
            assert not slices, recording
            return
        for kind in ("waiting", "preempted"):
            found = sum(end - begin for name, begin, end, _ in slices if name == kind)
            # A wait for the recorder is no call's time, and a pause may lie partly in it.
            assert abs(found - cover[kind + "_ns"]) <= 2 * len(slices) + cover["stall_ns"], (recording, kind, found, cover)


def check_points(bench):
    """Moments and counters are those of replay; a track of a counter has its unit, and lies in its process."""
    trace = Trace(bench.prof("export", "-i", "points", "--format=perfetto"))
    events = [event for event in bench.json("replay", "-i", "points")["events"] if event["event"] in ("mark", "frame", "value")]
    wanted = collections.Counter((plain(event["name"]), event["time_ns"], event.get("value")) for event in events)
    assert collections.Counter(trace.moments) == wanted, (trace.moments, wanted)
    assert sorted(map(repr, trace.counters)) == sorted(map(repr, COUNTERS)), trace.counters
    units = {track["name"][0].decode(): track["counter"][0]["unit_name"] for track in trace.tracks.values() if track["counter"]}
    assert units["queue"] == [b"items"], units


def check_arguments(bench):
    trace = Trace(bench.prof("export", "-i", "arguments", "--format=perfetto"))
    events = [event for event in bench.json("replay", "-i", "arguments")["events"] if event["event"] in ("argument", "returned")]
    words = {None: "NULL", True: "true", False: "false"}
    wanted = [(event["name"], event["time_ns"], words[event["value"]] if event["value"] is None or event["value"] is True or event["value"] is False else event["value"])
              for event in events]
    assert len(wanted) == 16 and collections.Counter(trace.moments) == collections.Counter(wanted), (trace.moments, wanted)


def check_gpu(bench):
    trace = Trace(bench.prof("export", "-i", "gpu", "--format=perfetto"))
    events = json.loads(bench.prof("export", "-i", "gpu", "--format=chrome"))["traceEvents"]
    for kind, category in (("GPU ", "gpu"), ("CUDA", "cuda")):
        wanted = collections.Counter((event["name"], round(event["ts"] * 1000)) for event in events if event.get("cat") == category)
        found = collections.Counter((name, begin) for name, begin, _, _ in trace.of_kind(kind))
        assert found == wanted and wanted, (kind, found - wanted, wanted - found)
    works = sum(event.get("cat") == "launch" and event["ph"] == "s" for event in events)
    ended = sum(trace.flows.values()) - len(trace.flows)  # each arrow begins once, and ends at each work of its call
    assert 0 < ended <= works and all(count > 1 for count in trace.flows.values()), trace.flows


def ask_processor(processor, path, query):
    out = subprocess.run([processor, "-q", "/dev/stdin", path], input=query, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True).stdout
    return list(csv.reader(io.StringIO(out)))[1:]


def check_processor(bench, processor, recording, trace):
    """Perfetto's own reader has the same slices."""
    path = bench.export(recording, "processor.pftrace", "--format=perfetto")
    rows = ask_processor(processor, path, "select name, count(*), sum(dur) from slice group by name;")
    wanted = collections.defaultdict(lambda: [0, 0])
    for slices in trace.slices.values():
        for name, begin, end, _ in slices:
            wanted[name][0] += 1
            wanted[name][1] += end - begin
    assert {row[0]: [int(row[1]), int(row[2])] for row in rows} == dict(wanted), recording


def main():
    need("protoc")
    processor = shutil.which("trace_processor_shell") or shutil.which("trace_processor")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        reason = bench.real()
        bench.refuses_empty(bench.odd(), "--format=perfetto")
        for recording in bench.some(1):
            data = bench.prof("export", "-i", recording, "--format=perfetto")
            trace = Trace(data)
            calls = check_calls(bench, recording, trace, ())
            forked = any(node["calls"] == 0 for node in bench.json("export", "-i", recording)["nodes"])
            if not forked:
                check_times(bench, recording, trace)
            if calls > 1000:
                assert len(data) <= MOST_BYTES * calls, (recording, len(data), calls)
                print(f"{recording}: {len(data) / calls:.2f} bytes a call")
            if processor:
                check_processor(bench, processor, recording, trace)
        for arguments in (("-F", "work"), ("-N", "leaf"), ("-D", "2"), ("-t", "60ns"), ("--tid=77",), ("--range=0~300ns",)):
            check_calls(bench, "two_threads", Trace(bench.prof("export", "-i", "two_threads", "--format=perfetto", *arguments)), arguments)
        loops = ("--loops",)
        check_calls(bench, "loops", Trace(bench.prof("export", "-i", "loops", "--format=perfetto", *loops)), loops)
        check_points(bench)
        check_arguments(bench)
        check_gpu(bench)
        print(f"{len(bench.some(1))} recordings" + ("" if processor else "; no trace_processor here")
              + (f"; no real one: {reason}" if reason else ""))


sys.exit(main())
