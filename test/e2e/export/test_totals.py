#!/usr/bin/env python3
"""Every format holds the same time and can be parsed by a parser that isn't ours."""
import csv
import io
import json
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree

from recordings import Bench

WAIT = "[waiting for the recorder]"


def folded(data):
    return sum(int(line.rsplit(b" ", 1)[1]) for line in data.splitlines())


def speedscope(data):
    return sum(sum(profile["weights"]) for profile in json.loads(data)["profiles"])


def timeline(data):
    """Time while any call is open, less waits, and how many of both there are: each may be rounded by a nanosecond."""
    total = calls = 0
    document = json.loads(data)
    waits = {i for i, frame in enumerate(document["shared"]["frames"]) if frame["name"] == WAIT}
    for profile in document["profiles"]:
        stack = []
        for event in profile["events"]:
            if event["type"] == "O":
                stack.append(event)
                continue
            opened = stack.pop()
            assert opened["frame"] == event["frame"] and opened["at"] <= event["at"]
            if not stack or event["frame"] in waits:
                total += (event["at"] - opened["at"]) * (1 if not stack else -1)
                calls += 1
        assert not stack
    return total, calls


def chrome(data):
    """Time of the outermost calls less waits: intervals nest strictly."""
    total = 0
    threads = {}
    for event in json.loads(data)["traceEvents"]:
        if event["ph"] == "X" and event.get("cat") not in ("gpu", "cuda"):
            threads.setdefault((event["pid"], event["tid"]), []).append(event)
    for events in threads.values():
        ends = []
        for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
            while ends and ends[-1] <= event["ts"]:
                ends.pop()
            end = event["ts"] + event["dur"]
            assert not ends or end <= ends[-1] + 1e-6, "calls overlap"
            if not ends or event["name"] == WAIT:
                total += event["dur"] * (1000 if not ends else -1000)
            ends.append(end)
    return total


def check_call_bytes(data):
    """A call takes at most 160 bytes, however long its name is; names are told apart, and stand in full once."""
    calls = [line for line in data.split(b'\n"otherData"')[0].splitlines() if line.startswith(b'{"ph":"X"') and b'"cat":"gpu"' not in line
             and b'"cat":"cuda"' not in line]
    assert calls and max(map(len, calls)) < 160, max(calls, key=len)
    document = json.loads(data)
    full = document.get("otherData", {}).get("full_names", {})
    names = {event["name"] for event in document["traceEvents"] if event["ph"] == "X"}
    assert set(full) <= names and len(set(full.values())) == len(full), full


def tree_rows(data):
    rows = list(csv.DictReader(io.StringIO(data.decode())))
    assert all(int(row["parent"]) == 0 or int(row["parent"]) < int(row["id"]) for row in rows)
    return sum(int(row["self_ns"]) for row in rows)


def profile(data):
    document = json.loads(data)
    assert {node["function"] for node in document["nodes"]} <= {function["id"] for function in document["functions"]}
    return sum(node["self_ns"] for node in document["nodes"])


def check_functions(bench, recording):
    """A function has one answer: the exported profile's figures are those of prof report, which folds otherwise."""
    rows = json.loads(bench.prof("report", "-i", recording, "-n", "0", "--format=json"))["functions"]
    exported = json.loads(bench.prof("export", "-i", recording, "--format=json"))["functions"]
    assert len(rows) == len(exported) > 0
    for row, other in zip(*(sorted(some, key=lambda row: (row["module"], row["name"], row["line"] or 0, row["self_ns"]))
                            for some in (rows, exported))):
        for key in set(row) & set(other):
            same = abs(row[key] - other[key]) <= 2 if isinstance(row[key], (int, float)) and other[key] is not None else row[key] == other[key]
            assert same, f"{recording}: {row['name']}: {key} is {row[key]} in prof report, {other[key]} in prof export"


def check(bench, recording):
    check_functions(bench, recording)
    def data(name, *arguments):
        return bench.prof("export", "-i", recording, f"--format={name}", *arguments)
    whole = folded(data("folded", "--time=elapsed"))
    assert whole > 0
    for name, total in [("speedscope", speedscope), ("csv", tree_rows), ("json", profile)]:
        found = total(data(name, "--time=elapsed"))
        assert found == whole, f"{recording}: {name} holds {found} ns, folded {whole}"
    cover = json.loads(bench.prof("report", "-i", recording, "--format=json"))["cover"]
    for time in ("running", "waiting") if "waiting_ns" in cover else ():
        found = folded(data("folded", f"--time={time}"))
        assert found == speedscope(data("speedscope", f"--time={time}")), f"{recording}: {time}"
        assert abs(found - cover[time + "_ns"]) <= cover["threads"], f"{recording}: {found} ns {time}, report {cover}"
    whole = folded(data("folded", "--raw", "--time=elapsed"))  # timestamps stay as they were measured
    found, calls = timeline(data("speedscope", "--timeline"))
    assert abs(found - whole) <= calls, f"{recording}: the timeline holds {found} ns, folded {whole}"
    found = chrome(data("chrome"))
    check_call_bytes(data("chrome"))
    check_call_bytes(data("chrome", "--loops"))
    assert abs(found - whole) <= 2 * calls, f"{recording}: chrome holds {found} ns, folded {whole}"
    for arguments in [(), ("--reverse",), ("--icicle",)]:
        root = xml.etree.ElementTree.fromstring(bench.prof("flame", "-i", recording, "--raw", *arguments))
        scripts = [element for element in root.iter() if element.tag.endswith("}script")]
        assert len(scripts) == 1 and "alert(1)" not in scripts[0].text


UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def check_list(bench, recording):
    """--list names every format; its sizes are those of the files, and estimates (~) of long time lines are near."""
    rows, estimates = 0, 0
    for line in bench.prof("export", "-i", recording, "--list").decode().splitlines()[1:]:
        match = re.match(r"(\w+) +(-|~?[\d.]+ \w+) +(-|~?[\d.]+ \w+) +(.*)", line)
        assert match, line
        rows += 1
        if "not built in" in line:
            continue
        for size, more in ((match[2], ()), (match[3], ("--timeline",))):
            if size == "-":
                continue
            if match[1] in ("chrome", "perfetto", "otf2"):
                more = ()
            shutil.rmtree(bench.folder / "listed", ignore_errors=True)
            path = bench.export(recording, "listed", f"--format={match[1]}", *more)
            found = sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())
            number, unit = size.lstrip("~").split()
            wanted = float(number) * UNITS[unit]
            estimates += size[0] == "~"
            assert abs(found - wanted) <= found * (0.3 if size[0] == "~" else 0.06), (line, found)
            if path.is_file():
                path.unlink()
    formats = re.findall(r"^ {30}(\w+)  ", bench.prof("export", "--help").decode().split("--output")[0], re.M)
    assert rows == len(formats) > 10, (rows, formats)
    bare = bench.prof("export", "--list").decode()
    assert [line.split()[:3] for line in bare.splitlines()[1:]] == [[name, "-", "-"] for name in formats], bare
    return estimates


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        empty = bench.odd()
        for format in ("folded", "speedscope", "csv", "json", "chrome"):
            bench.refuses_empty(empty, f"--format={format}")
        for recording in bench.some(1):
            check(bench, recording)
        assert check_list(bench, "large") == check_list(bench, "switches") == 0
        bench.make("huge", "--events=1200000", "--threads=2", "--functions=60", "--jitter=3")
        assert check_list(bench, "huge") >= 4
        print(f"{len(bench.some(1))} recordings, 6 formats, 3 pictures each")


sys.exit(main())
