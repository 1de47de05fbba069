#!/usr/bin/env python3
"""What the server answers and whom: address, requests, figures of ranges, calls of spans, sources, damaged recordings, live ones."""
import collections
import concurrent.futures
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "export"))
import tour
from recordings import Bench, loads
from page import lanes
from server import NO_SERVER, Server, table

SKIPPED = 77
CALLS = 0
ROUNDED = 2  # ns


def serve(bench, *arguments, **more):
    return Server(bench.prof_path, *arguments, folder=bench.folder, **more)


def same(seen, expected, what):
    assert seen == expected, f"{what}\n  server: {seen}\n  reader: {expected}"


# ---- who is answered ----

def check_address(bench):
    with serve(bench, "-i", "busy") as one, serve(bench, "-i", "busy") as other:
        assert re.fullmatch(re.escape("http://127.0.0.1:") + r"\d+/[0-9a-f]{32}/", one.address), one.address
        assert one.path != other.path and one.port != other.port
        listening = subprocess.run(["ss", "-Hltn", f"sport = :{one.port}"], capture_output=True, text=True, check=False).stdout if shutil.which("ss") else ""
        assert not listening or f"127.0.0.1:{one.port}" in listening, listening
        with socket.socket() as elsewhere:  # another address of this machine
            assert elsewhere.connect_ex(("127.0.0.2", one.port)) != 0


def check_requests(bench):
    with serve(bench, "-i", "busy") as server:
        token = server.path.strip("/")
        wrong = ("f" if token[0] != "f" else "0") + token[1:]
        for path in ("/", "/progress", f"/{wrong}/progress", f"/{token[:-1]}/progress", f"/{token}", f"/{token}0/progress", "//progress", "/%2e%2e/", "*"):
            answer = server.request(path if path.startswith("/") else "/" + path)
            same((answer.status, answer.body), (403, b""), path)
        for host in (None, "", "example.com", f"example.com:{server.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1:{server.port}0", f"[::1]:{server.port}"):
            answer = server.request("progress", Host=host)
            assert answer.status in ((421, 400) if host in (None, "") else (421,)), (host, answer.status)  # HTTP itself asks for a Host
            assert b"PROFVIEW" not in answer.body
        for host in (f"localhost:{server.port}", f"LOCALHOST:{server.port}", f"127.0.0.1:{server.port}"):
            same(server.request("progress", Host=host).status, 200, host)
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "NONSENSE"):
            answer = server.request("progress", method=method, body=b"t0=1" if method == "POST" else None)
            same((answer.status, answer.headers.get("allow")), (405, "GET"), method)
            same(server.request("/progress", method=method).status, 403, method)
        for path in ("..", "../", "../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/progress", "source/../../etc/passwd", "data/", "nothing", "DATA"):
            assert server.request(path).status in (403, 404), path
        answer = server.request("")
        assert answer.status == 200 and answer.headers["content-type"].startswith("text/html") and b"prof-data\" type" not in answer.body
        policy = answer.headers["content-security-policy"]
        nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)[1]
        same(re.findall(rb"<script[^>]*>", answer.body), [f'<script nonce="{nonce}">'.encode()], "scripts")
        assert "default-src 'none'" in policy and "connect-src 'self'" in policy and "frame-ancestors 'none'" in policy, policy
        for path in ("", "progress", "nothing", "/"):
            headers = server.request(path, Origin="http://example.com").headers
            same((headers["x-content-type-options"], headers["cache-control"], headers["referrer-policy"]), ("nosniff", "no-store", "no-referrer"), path)
            assert not any(key.startswith("access-control") for key in headers), headers


def check_queries(bench):
    """What makes no sense is refused, in words."""
    with serve(bench, "-i", "busy") as server:
        server.data()
        for path, status in (("data", 400), ("data?g=x", 400), ("data?g=2", 409), ("view?g=1", 400), ("view?g=1&t0=0&t1=5", 400),
                             ("view?g=1&t0=5&t1=5&px=100", 400), ("view?g=1&t0=6&t1=5&px=100", 400), ("view?g=1&t0=-1&t1=5&px=100", 400),
                             ("view?g=1&t0=0&t1=99999999999999999999&px=100", 400), ("view?g=1&t0=0&t1=9&px=0", 400),
                             ("view?g=1&t0=0&t1=9&px=16385", 400), ("range?g=1&t0=4", 400), ("source?g=1", 400),
                             ("source?g=1&file=/etc/passwd", 400), ("source?g=1&file=999999", 404), ("source?g=1&file=18446744073709551615", 404)):
            answer = server.request(path)
            same((answer.status, answer.body.count(b"\n"), answer.headers["content-type"][:10]), (status, 1, "text/plain"), path)
        huge = server.request(f"view?g=1&t0=0&t1={2**64 - 1}&px=16384")
        assert huge.status == 200 and huge.sections()["lanes"]
        assert server.request(f"range?g=1&t0={2**64 - 2}&t1={2**64 - 1}").sections()["range"]["empty"] is True
        server.span(0, 10**9, 100, server.ask("view", t0=0, t1=10**9, px=100, frames=10**9, files=10**18, modules=7))


def check_ports(bench):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = serve(bench, "-i", "busy", f"--port={port}")
        assert server.address == "" and server.process.returncode == 1, server.messages
        assert f"port {port}".encode() in server.messages and b"--port=N" in server.messages, server.messages
    with serve(bench, "-i", "busy", f"--port={port}") as server:
        assert server.port == port
    for wrong in ("0", "65536", "x"):
        assert serve(bench, "-i", "busy", f"--port={wrong}").process.returncode == 2, wrong
    for mixed in (("--live",), ("--port=1",), ("--no-open",)):
        server = serve(bench, "-i", "busy", "-o", "-", *mixed)
        assert server.process.returncode == 2 and b"-o does not go with" in server.messages, server.messages


def check_signals(bench):
    for number in (signal.SIGTERM, signal.SIGINT):
        with serve(bench, "-i", "busy") as server:
            server.data()
            idle = socket.create_connection(("127.0.0.1", server.port))  # open connections do not hold it
            same(server.end(number), 0, number)
            idle.close()
            with socket.socket() as again:
                assert again.connect_ex(("127.0.0.1", server.port)) != 0
        with serve(bench, "-i", "large") as server:  # it still reads
            same(server.end(number), 0, f"{number}, reading")
    with serve(bench, "-i", "busy", before=["nohup"]) as server:
        server.process.send_signal(signal.SIGHUP)
        server.data()


def check_browser_opens(bench):
    """xdg-open gets the address where there is a display; not with --no-open."""
    tools = bench.folder / "tools"
    tools.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$1" >{bench.folder}/opened.new\nmv {bench.folder}/opened.new {bench.folder}/opened\n')
    (tools / "xdg-open").chmod(0o755)
    path = {"PATH": f"{tools}:/usr/bin:/bin", "DISPLAY": ":9", "WAYLAND_DISPLAY": ""}
    opened = bench.folder / "opened"
    with serve(bench, "-i", "busy", environment=path) as server:
        while not opened.exists():
            time.sleep(0.05)
        same(opened.read_text().strip(), server.address, "address")
    opened.unlink()
    for arguments, environment in ((("--no-open",), path), ((), {**path, "DISPLAY": ""})):
        with serve(bench, "-i", "busy", *arguments, environment=environment) as server:
            server.data()
        assert not opened.exists(), arguments


# ---- figures ----

def check_range(bench, name, *filters):
    """Each figure of a range is that of `prof report --range` and `prof tree --range`."""
    with serve(bench, "-i", name, *filters) as server:
        data = server.data()
        wall = max(data["threads"]["end_ns"]) or 1
        for low, high in ((0, 1), (0.2, 0.6), (0.5, 0.5001), (0.97, 2)):
            begin, end = int(low * wall), int(high * wall) + 1
            answer = server.ask("range", t0=begin, t1=end, frames=len(server.frames["name"]), files=len(server.frames["files"]), modules=len(server.frames["modules"]))
            server.take_frames(answer["frames"])

            def reader(*arguments):
                run = subprocess.run([bench.prof_path, *arguments, "-i", name, f"--range={begin}ns~{end}ns", "--format=json", *filters],
                                     cwd=bench.folder, capture_output=True, check=False)
                return loads(run.stdout) if run.returncode == 0 else None
            report = reader("report")
            same(answer["range"]["empty"], report is None, f"{name} {begin} {end}")
            if report is None:
                continue
            keys = ("calls", "total_ns", "self_ns", "error_ns", "self_share", "total_share")
            keys += ("running_ns", "self_waiting_ns") if report["functions"] and "running_ns" in report["functions"][0] else ()
            same([(server.name(row["frame"]), *(row[key] for key in keys)) for row in table(answer["functions"])],
                 [(row["name"], *(row[key] for key in keys)) for row in report["functions"]], f"functions of {name} {begin}~{end}")
            same([[counter["key"], *(round(value, 6) for value in counter["values"])] for counter in answer["functions"].get("counters", [])],
                 [[key, *(-1 if row[key] is None else round(row[key], 6) for row in report["functions"])]
                  for key in report["functions"][0] if f"{key}_total" in report["functions"][0] or key in ("instructions_per_cycle", "cache_miss_share", "cache_misses_per_1000")],
                 f"counters of {name} {begin}~{end}")
            report["cover"].pop("untimed_calls", None)  # of the table of prof report
            same(answer["range"]["cover"], report["cover"], f"cover of {name}")
            tree = reader("tree", "--min-share=0")
            nodes = list(table(answer["tree"]))
            paths = collections.Counter()
            for node in nodes:
                path, at = (), node
                while True:
                    path = (server.name(at["frame"]), *path)
                    if at["parent"] < 0:
                        break
                    at = nodes[at["parent"]]
                paths[path, node["calls"], node["total_ns"], node["self_ns"]] += 1
            expected = collections.Counter()

            def walk(found, above):
                for node in found:
                    path = (*above, node["name"])
                    expected[path, node["calls"], node["total_ns"], node["self_ns"]] += 1
                    walk(node["children"], path)
            walk(tree["roots"], ())
            same(paths, expected, f"tree of {name} {begin}~{end}")
            loops = reader("loops", "--sort=self") if data["loops"]["line"] else None
            same([(row["line"], row["entries"], row["self_ns"]) for row in table(answer["loops"])],
                 [(row["line"], number(row, "entries"), number(row, "self_ns")) for row in loops["loops"]] if loops else [], f"loops of {name}")
            lines = reader("lines", "-n", "0") or {"lines": []}
            same(costly(table(answer["lines"])), costly(lines["lines"]), f"lines of {name}")
            calls = replayed(bench, name, f"--range={begin}ns~{end}ns", *filters, whole=True)
            check_slowest(server, answer, calls, data["threads"]["tid"], name)


def costly(rows):
    """Lines without those that only a GPU ran."""
    return sorted((row["line"] or 0, row["function"], row["self_ns"], row["calls"]) for row in rows if row["self_ns"] or row["calls"])


def number(row, key):
    return -1 if row.get(key) is None else row[key]


def near(duration, ends_apart):
    """At most what lies between two times; durations and times are converted from ticks each by itself."""
    return duration <= ends_apart * 1.002 + ROUNDED


def check_slowest(server, answer, calls, tids, name):
    """The five longest calls of each function: the calls of that time that prof replay has."""
    lasts = collections.defaultdict(list)
    for call in calls:
        if call[1] < 256:
            lasts[call[2]].append(call[4] - call[3])
    seen = collections.defaultdict(list)
    for row in table(answer["slowest"]):
        seen[server.name(row["frame"])].append(row["duration_ns"])
        found = [call for call in calls if (call[0], call[2]) == (tids[row["thread"]], server.name(row["frame"])) and abs(call[3] - row["begin_ns"]) <= ROUNDED
                 and (call[1] == row["depth"] or name == "apart")]  # one that goes on beneath another has the depth of its end, behind the range too
        assert any(near(row["duration_ns"], call[4] - call[3]) for call in found), (name, row, found)
    for function, durations in seen.items():
        same(durations, sorted(durations, reverse=True), f"slowest of {name}")
        same(len(durations), min(5, len(lasts[function])), f"slowest {function} of {name}")
        assert near(durations[0], max(lasts[function])), (name, function, durations)


def replayed(bench, name, *filters, whole=False):
    """All calls: (thread, depth, name, begin, end).  whole: one that goes on beneath another is one, at its last depth; else its pieces."""
    run = subprocess.run([bench.prof_path, "replay", "-i", name, "--format=json", "--limit=100000000", *filters], cwd=bench.folder, capture_output=True, check=False)
    if b"no call of this recording passes the filters" in run.stderr:
        return []
    assert run.returncode == 0, run.stderr
    out, open_at, going = [], {}, {}
    for event in loads(run.stdout)["events"]:
        key = event.get("tid"), event.get("depth")
        goes_on = whole and event.get("goes_on")
        if event["event"] == "enter":
            open_at[key] = going.pop((key[0], event["name"])) if goes_on else event["time_ns"]
        elif event["event"] == "leave" and goes_on:
            going[key[0], event["name"]] = open_at[key]
        elif event["event"] == "leave":
            out.append((*key, event["name"], open_at[key], event["time_ns"]))
    return out


def check_spans(bench, name, *filters):
    """Near enough, a span has each of its calls, with its true begin and end; from afar, their number and time."""
    with serve(bench, "-i", name, *filters) as server:
        data = server.data()
        tids = data["threads"]["tid"]
        calls = replayed(bench, name, *filters)
        last = max(call[4] for call in calls)
        for begin, end, columns in ((0, last + 1, 16384), (last // 3, last // 3 + last // 500 + 2, 800), (last // 2, last // 2 + last // 5000 + 2, 800),
                                    (last // 2, last // 2 + 3, 800), (0, last // 7 + 1, 100)):
            step, found = server.span(begin, end, columns)
            assert step <= max(1, (end - begin) / columns) or step == 1 << data["meta"]["index_shift"], (step, begin, end, columns)
            expected = collections.Counter(call for call in calls if call[4] > begin and call[3] < end and call[4] - call[3] >= step)
            seen = collections.Counter((tids[lane["thread"]], lane["depth"], server.name(frame), at, at + length)
                                       for lane in found if lane["kind"] == CALLS for at, length, frame, _ in lane["calls"] if at + length > begin and at < end)
            if step == 1:  # those of no length have no cells to be in
                expected = collections.Counter(call for call in expected.elements() if call[4] > call[3])
                seen = collections.Counter(call for call in seen.elements() if call[4] > call[3])
            same(seen - expected, collections.Counter(), f"calls that replay of {name} does not have, {begin} to {end}")
            same(expected - seen, collections.Counter(), f"calls that the span of {name} does not have, {begin} to {end}")
            short = [call for call in calls if call[4] - call[3] < step and call[3] >= begin and call[3] < end - step]
            cells = [cell for lane in found if lane["kind"] == CALLS for cell in lane["cells"] if cell[0] * step < end]
            assert step == 1 or sum(cell[2] for cell in cells) >= len(short) > 0 or not short, (len(cells), len(short))
        step, found = server.span(0, last + 1, 500)
        whole = sum(len(lane["calls"]) + sum(cell[2] for cell in lane["cells"]) for lane in found if lane["kind"] == CALLS)
        assert whole == len(calls) or any(lane["depth"] == 255 for lane in found), (whole, len(calls))


def check_fine(bench):
    """More calls than the index has records: near enough, the span is decoded."""
    bench.make("vast", "--events=6000000", "--threads=3", "--functions=300", "--jitter=3")
    with serve(bench, "-i", "vast") as server:
        data = server.data()
        assert data["meta"]["index_shift"] > 0
        wall = max(data["threads"]["end_ns"])
        for begin in (0, wall // 3, wall // 2 + 12345, wall - 40000):
            end = begin + 40000
            calls = replayed(bench, "vast", f"--range={max(0, begin - 2000000)}ns~{end + 2000000}ns")
            tids = data["threads"]["tid"]
            step, found = server.span(begin, end, 16384)
            assert step < 1 << data["meta"]["index_shift"], step
            inner = {call for call in calls if begin - 1900000 < call[3] and call[4] < end + 1900000}
            expected = {call for call in inner if call[4] > begin and call[3] < end and call[4] - call[3] >= step}
            seen = {(tids[lane["thread"]], lane["depth"], server.name(frame), at, at + length)
                    for lane in found if lane["kind"] == CALLS for at, length, frame, _ in lane["calls"]}
            assert expected and expected <= seen, sorted(expected - seen)[:5]
            strange = {call for call in seen - expected if begin - 1900000 < call[3] and call[4] < end + 1900000 and call[4] > begin and call[3] < end}
            assert not strange, sorted(strange)[:5]


def check_next(bench, name, *filters):
    """The next call of a function and the one before, from any time: those of prof replay."""
    with serve(bench, "-i", name, *filters) as server:
        data = server.data()
        tids = data["threads"]["tid"]
        calls = [call for call in replayed(bench, name, *filters) if call[1] < 256]
        for frame in data["functions"]["frame"][:4]:
            own = sorted(call[3] for call in calls if call[2] == server.name(frame))
            for time_ns in (0, own[0], own[len(own) // 2], own[-1], own[-1] + 1, own[len(own) // 3] + 1):
                for back in (0, 1):
                    expected = [at for at in own if (at < time_ns if back else at > time_ns)]
                    found = server.request(f"next?g=1&frame={frame}&t={time_ns}&back={back}").sections()["next"]
                    same(found["found"], bool(expected), f"a call of {server.name(frame)} at {time_ns}, back {back}")
                    if expected:
                        same(found["begin_ns"], expected[-1] if back else expected[0], f"{name}: {server.name(frame)} at {time_ns}, back {back}")
                        assert any((tids[found["thread"]], found["depth"], server.name(frame), found["begin_ns"]) == call[:4] and call[4] >= found["end_ns"]
                                   for call in calls), found
        for query in ("frame=999999&t=0", "t=0", "frame=0", "frame=x&t=0"):
            same(server.request(f"next?g=1&{query}").status, 400, query)


def check_gone(bench):
    """Clients that no longer wait do not disturb the others."""
    with serve(bench, "-i", "vast") as server:
        wall = max(server.data()["threads"]["end_ns"])
        for i in range(12):
            client = socket.create_connection(("127.0.0.1", server.port))
            client.sendall(f"GET {server.path}range?g=1&t0={i}&t1={wall} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            client.close()
        answer = server.ask("range", t0=0, t1=wall)
        same(answer["range"]["empty"], False, "range")
        same(server.end(signal.SIGTERM), 0, "end")


def check_sources(bench):
    """The text of a file that the recording names, by its number; names are no paths."""
    folder = bench.folder / "made"
    folder.mkdir()
    (folder / "named.c").write_text("int main(void) {\n  return 0; /* <script> \u20ac */\n}\n")
    (folder / "other.c").write_text("secret\n")
    bench.make_texts(sources=f"module /bin/x\nfunction main file={folder}/named.c line=1\nfunction gone file={folder}/gone.c line=1\n"
                             "thread t\nt +1 enter main\nt +5 enter gone caller=main\nt +10 exit gone\nt +10 exit main\n")
    with serve(bench, "-i", "sources") as server:
        files = server.data()["frames"]["files"]
        named = next(i for i, name in enumerate(files) if name.endswith("named.c"))
        gone = next(i for i, name in enumerate(files) if name.endswith("gone.c"))
        source = server.ask("source", file=named)["sources"]
        same((source["file"], source["first"], source["text"]), ([named], [1], [(folder / "named.c").read_text()]), "source")
        same(server.request(f"source?g=1&file={gone}").status, 404, "a file that is not there")
        for number in range(len(files), len(files) + 50):
            same(server.request(f"source?g=1&file={number}").status, 404, "a number of no file")


# ---- a long reading ----

def spans(server, of):
    """Calls of its thread and depth about that time, one by one."""
    thread, depth, (begin, length, _, _) = of
    found = server.span(max(0, begin - 1000), begin + length + 1000, 16384)[1]
    return [(thread, depth, call) for lane in found if lane["kind"] == CALLS and (lane["thread"], lane["depth"]) == (thread, depth) for call in lane["calls"]]


def check_stages(bench):
    """Long calls first, then all, then figures: what came before stays true."""
    bench.make("long", "--events=6000000", "--threads=2", "--functions=40", "--jitter=3")
    for _ in range(20):  # on a busy machine the reading may be over when the first answer is there
        with serve(bench, "-i", "long") as server:
            early, stage = server.data(early=True), server.progress()["stage"]
            sketch = lanes(early["lanes"])[1]
            whole = server.data()
            calls = [(lane["thread"], lane["depth"], call) for lane in sketch for call in lane["calls"]]
            calls = sorted(calls, key=lambda call: -call[2][1])[:5] + calls[::len(calls) // 10 + 1]
            seen = [(call, [found[2] for found in spans(server, call)]) for call in calls]
            last = server.progress()
        if "functions" not in early:
            break
    same(set(early) - {"lanes"}, {"meta", "frames", "threads", "processes"}, "sections")
    assert stage in ("sketch", "timeline", "whole"), stage
    same((last["stage"], last["done_share"], last["reading"]), ("whole", 1, 1), "the end")
    same([early["threads"][key] for key in ("name", "tid", "begin_ns")], [whole["threads"][key] for key in ("name", "tid", "begin_ns")], "threads")
    same(early["frames"]["name"], whole["frames"]["name"][:len(early["frames"]["name"])], "numbers stay")
    assert seen and all(lane["kind"] == CALLS for lane in sketch)
    for (_, _, (begin, length, frame, _)), found in seen:
        assert any(call[0] == begin and call[1] >= length and call[2] == frame for call in found), (begin, length, frame, found)


# ---- recordings that are not whole ----

def check_damaged(bench):
    whole = (bench.folder / "large" / "trace").read_bytes()
    for name, data in (("cut", whole[:len(whole) * 2 // 3]), ("hole", whole[:len(whole) // 2] + bytes(64) + whole[len(whole) // 2 + 64:])):
        (bench.folder / name).mkdir()
        (bench.folder / name / "trace").write_bytes(data)
        report = subprocess.run([bench.prof_path, "report", "-i", name, "--format=json"], cwd=bench.folder, capture_output=True, check=True)
        with serve(bench, "-i", name) as server:
            data = server.data()
            assert data["meta"]["warning"], name
            same(data["meta"]["cover"]["calls"], json.loads(report.stdout)["cover"]["calls"], f"calls of {name}")
            check = sum(len(lane["calls"]) + sum(cell[2] for cell in lane["cells"]) for lane in server.span(0, 2**62, 1000)[1] if lane["kind"] == CALLS)
            same(check, sum(1 for _ in replayed(bench, name)), f"calls of {name} on the timeline")
            assert not server.progress()["in_progress"]
    for name, data in (("empty", b""), ("short", whole[:20]), ("other", b"no trace at all, but long enough to be read as one" * 9)):
        (bench.folder / name).mkdir()
        (bench.folder / name / "trace").write_bytes(data)
        server = serve(bench, "-i", name)
        assert server.address == "" and server.process.returncode == 1 and server.messages.startswith(b"prof: "), (name, server.messages)
    bench.make_texts(nothing="module /bin/x\nfunction main file=x.c line=1\nthread t\n")
    for arguments in ((), ("--live",)):
        server = serve(bench, "-i", "nothing", *arguments)
        assert server.address == "" and server.process.returncode == 1 and server.messages, server.messages


def check_two_clients(bench):
    with serve(bench, "-i", "large") as server:
        wall = max(server.data()["threads"]["end_ns"])
        asked = [("view", {"t0": i * wall // 9, "t1": (i + 1) * wall // 9 + 1, "px": 700}) for i in range(9)] + [("range", {"t0": 0, "t1": wall})] * 3
        asked += [("data", {}), ("view", {"t0": 0, "t1": wall, "px": 100})] * 3

        def sizes(_):
            return [len(json.dumps(server.ask(path, **query), default=lambda data: data.hex())) for path, query in asked]
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            found = list(pool.map(sizes, range(6)))
        assert all(one == found[0] for one in found), found


def memory_of(server):
    """Most and now, in bytes."""
    status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{server.process.pid}/status").read_text().splitlines())
    return [int(status[key].split()[0]) * 1024 for key in ("VmHWM", "VmRSS")]


def check_memory(bench):
    """With many processes the coldest call paths become [other]: the server stays small, and figures of functions are exact."""
    bench.make_texts(paths=tour.paths())
    with serve(bench, "-i", "paths") as server:
        data = server.data()
        part = server.ask("range", t0=0, t1=10**9)
        server.take_frames(part["frames"])
        for part, cover, more in ((data, data["meta"]["cover"], ()), (part, part["range"]["cover"], ("--range=0ns~1s",))):
            report = loads(bench.prof("report", "-i", "paths", "--format=json", *more))
            same([(server.name(row["frame"]), row["calls"], row["total_ns"], row["self_ns"]) for row in table(part["functions"])],
                 [(row["name"], row["calls"], row["total_ns"], row["self_ns"]) for row in report["functions"]], "functions")
            assert "folded_paths" not in report["cover"] and cover["calls"] == report["cover"]["calls"], cover
            assert cover["folded_paths"] > 0 and "[other]" in map(server.name, part["tree"]["frame"]), cover
        most, now = memory_of(server)
    assert now < most < 256 << 20, (now, most)
    with serve(bench, "-i", "paths", "--max-memory=1G") as server:
        data = server.data()
        assert "folded_paths" not in data["meta"]["cover"] and "[other]" not in data["frames"]["name"]
        more, now = memory_of(server)
    assert more > most and now < 0.75 * more, (now, more, most)  # of its two profiles it keeps one


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        bench.make_texts(busy=tour.busy())
        first = serve(bench, "-i", "busy")
        if not first.address:
            assert NO_SERVER in first.messages or b"without the page" in first.messages, first.messages
            assert b"-o report.html" in first.messages or b"without the page" in first.messages, first.messages
            print("skipped: this prof was built without the page or without libmicrohttpd (apt-get install libmicrohttpd-dev)")
            return SKIPPED
        with first:
            pass
        check_address(bench)
        check_requests(bench)
        check_queries(bench)
        check_ports(bench)
        check_signals(bench)
        check_browser_opens(bench)
        for name in bench.some(0):
            check_range(bench, name)
        for name in bench.some(1):
            check_spans(bench, name)
        check_range(bench, "large", "-D", "3")
        check_spans(bench, "large", "-t", "200ns")
        check_spans(bench, "loops", "--loops")
        check_fine(bench)
        check_next(bench, "large")
        check_next(bench, "large", "-D", "4")
        check_next(bench, "loops")
        check_gone(bench)
        check_sources(bench)
        check_stages(bench)
        check_damaged(bench)
        check_two_clients(bench)
        check_memory(bench)
    return 0


sys.exit(main())
