#!/usr/bin/env python3
"""otf2-print reads our OTF2 archives, and finds every call at its time, in its thread and process."""
import collections
import re
import shutil
import subprocess
import sys
import tempfile

from recordings import Bench, need, plain

EVENT = re.compile(r'(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: "(.*)" <(\d+)>$')
LOCATION = re.compile(r'LOCATION\s+(\d+)\s+Name: "(.*)" <\d+>, Type: CPU_THREAD, # Events: (\d+), Group: "(.*)" <\d+>')
WAIT = "[waiting for the recorder]"


def printed(path, *arguments):
    result = subprocess.run(["otf2-print", *arguments, path / "traces.otf2"], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, errors="replace")
    assert not result.stderr, result.stderr
    return result.stdout.splitlines()


def number_in(text):
    return int(re.search(r"[(\[](\d+)[)\]]$", text)[1])


def check(bench, recording, *arguments):
    path = bench.folder / "archive"
    shutil.rmtree(path, ignore_errors=True)
    bench.prof("export", "-i", recording, "--format=otf2", "-o", path, *arguments)
    places, events = {}, collections.Counter()
    for line in printed(path, "-G"):
        match = LOCATION.match(line)
        if match:
            places[match[1]] = (number_in(match[4]), number_in(match[2]), int(match[3]))
    assert places, recording
    found, stacks, waited = collections.Counter(), collections.defaultdict(list), 0
    last = collections.Counter()
    for line in printed(path):
        match = EVENT.match(line)
        if not match:
            continue
        kind, place, time, name, region = match.groups()
        events[place] += 1
        assert int(time) >= last[place]
        last[place] = int(time)
        if kind == "ENTER":
            stacks[place].append((name, int(time), region))
            continue
        opened, begin, same = stacks[place].pop()
        assert (opened, same) == (name, region)
        if name == WAIT:
            waited += int(time) - begin
        else:
            found[places[place][0], places[place][1], plain(name), begin, len(stacks[place]) + 1] += 1
    assert not any(stacks.values()), recording
    assert all(events[place] == facts[2] for place, facts in places.items()), (recording, events, places)
    wanted = bench.pieces(recording, *arguments)
    assert found == wanted, (recording, arguments, found - wanted, wanted - found)
    return sum(found.values())


def main():
    need("otf2-print")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        result = subprocess.run([bench.prof_path, "export", "--format=otf2", "-o", "x"], cwd=folder, check=False, stderr=subprocess.PIPE,
                                text=True)
        if "built without" in result.stderr:
            print(f"skipped: {result.stderr.strip()}")
            return 77
        reason = bench.real()
        bench.refuses_empty(bench.odd(), "--format=otf2")
        calls = sum(check(bench, recording) for recording in bench.some() if recording != "cut")  # 200,000 lines of text
        for arguments in (("-F", "work"), ("-N", "leaf"), ("-D", "2"), ("-t", "60ns"), ("--tid=77",), ("--range=0~300ns",)):
            check(bench, "two_threads", *arguments)
        check(bench, "loops", "--loops")
        # An existing folder stays as it is; a place that can't be written to is an error.
        for path, words in (("archive", "exists already"), ("/proc/none", "can't write the archive")):
            result = subprocess.run([bench.prof_path, "export", "-i", "loops", "--format=otf2", "-o", path], cwd=folder, check=False,
                                    stderr=subprocess.PIPE, text=True)
            assert result.returncode == 1 and words in result.stderr, result
        print(f"{len(bench.some()) - 1} recordings, {calls} calls" + (f"; no real one: {reason}" if reason else ""))
    return 0


sys.exit(main())
