#!/usr/bin/env python3
"""The page from a server, in Chromium: zoom to single calls, exact ranges, sources, a live recording that ends, a server that ends."""
import csv
import http.server
import io
import json
import pathlib
import struct
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
import tour
from page import sections_of
from playing import Browser
from recordings import Bench
from server import Server
from test_live import Growing

SKIPPED = 77
POLL_SECONDS = 0.05
ALL = "document.querySelector('aside h2')"


class Told:
    """Does something when the browser has got so far: steps tell it by making the file `path`."""

    def __init__(self, bench, what):
        self.path = bench.folder / "told"
        self.path.unlink(missing_ok=True)
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._wait, args=(what,), daemon=True)

    def _wait(self, what):
        while not self.path.exists():
            if self.over.wait(POLL_SECONDS):
                return
        what()

    def __enter__(self):
        self.thread.start()
        return str(self.path.resolve())

    def __exit__(self, *_):
        if not self.path.exists():
            self.over.set()
        self.thread.join()


def check_figures(browser, bench):
    report = json.loads(bench.prof("report", "-i", "busy", "--time=elapsed", "--format=json"))
    with Server(bench.prof_path, "-i", "busy", folder=bench.folder) as server:
        seen = browser.play(server, ["click", "nav button", "Functions"], ["wait", ".table .row"], ["see", "rows", ".main .table .row"], ["axe", "axe"])
    shown = {row.split("\n")[0]: row.split("\n")[1] for row in seen["rows"]}
    assert shown == {row["name"]: f"{row['calls']:,}" for row in report["functions"]}, shown
    assert not seen["axe"], seen["axe"]
    assert seen["requests"] == ["", "progress", "data"], seen["requests"]


def check_zoom(browser, bench):
    """A call far too short for the overview: zoomed to by its time, selected by keys, and back."""
    with Server(bench.prof_path, "-i", "vast", folder=bench.folder) as server:
        data = server.data()
        shift = data["meta"]["index_shift"]
        at = max(data["threads"]["end_ns"]) // 3
        _, lanes = server.span(at, at + 3000, 1000)
        calls = [(lane["thread"], lane["depth"], *call) for lane in lanes if lane["kind"] == 0 for call in lane["calls"]]
        thread, depth, begin, length, frame, _ = next(call for call in calls if 0 < call[3] < 1 << shift and call[2] > at)
        name = server.name(frame)
        following = server.ask("next", frame=frame, t=begin)["next"]
        seen = browser.play(server, ["click", "nav button", "Timeline"], ["wait", ".time canvas"],
                            ["go", f"p=timeline&t={begin - 2000}-{begin + length + 2000}&c={thread}.{depth}.{begin}"],
                            ["until", f"{ALL} && {ALL}.textContent === {json.dumps(name)}"], ["see", "took", "aside dl"],
                            ["key", "n"], ["until", f"!location.hash.includes('c={thread}.{depth}.{begin}')"], ["hash", "next"], ["see", "next_name", "aside h2"],
                            ["key", "p"], ["until", f"location.hash.includes('c={thread}.{depth}.{begin}')"],
                            ["key", "ArrowUp"], ["see", "outer", "aside h2"], ["key", "ArrowDown"], ["see", "inner", "aside h2"],
                            ["key", "f"], ["hash", "near"], ["key", "d", "d", "d", "a", "a", "s", "s"], ["key", "0"], ["hash", "far"])
    assert any(text.startswith("took") for text in seen["took"]), seen
    assert seen["outer"] != ["Timeline"] and seen["inner"] != ["Timeline"], seen
    assert seen["next_name"] == [name] and "&c={thread}.{depth}.{begin_ns}".format(**following) in seen["next"], (following, seen["next"])
    near = next(part for part in seen["near"].split("&") if part.startswith("t="))[2:].split("-")
    assert int(near[1]) - int(near[0]) <= max(2 * length, 60), (near, length)
    assert "&t=" not in seen["far"], seen["far"]
    assert seen["requests"].count("view") >= 1 and "range" not in seen["requests"], seen["requests"]


RANGES = "performance.getEntriesByType('resource').filter(entry => /\\/range\\?/.test(entry.name)).length"  # that were answered


def check_range(browser, bench):
    """A range has the figures of `prof report --range`, exactly, though most of its calls are too short for the overview."""
    with Server(bench.prof_path, "-i", "vast", folder=bench.folder) as server:
        wall = max(server.data()["threads"]["end_ns"])
        begin, end = wall // 5, wall // 2
        expected = json.loads(bench.prof("report", "-i", "vast", f"--range={begin}ns~{end}ns", "--time=elapsed", "--format=json"))["functions"]
        seen = browser.play(server, ["go", f"p=functions&r={begin}-{end}"], ["wait", ".main .tools", "in the range"], ["wait", ".rangenote"],
                            ["until", "!/follow/.test(document.querySelector('.rangenote').textContent)"],
                            ["click", ".main .tools button", "Copy CSV"], ["wait", "#said.shown"], ["eval", "copied", "navigator.clipboard.readText()"],
                            ["click", ".main .table button.link"], ["wait", "aside p", ", in the range"], ["see", "slowest", "aside .slow li"],
                            ["go", f"p=timeline&r={begin}-{end}"], ["wait", "aside p", "Exact"],
                            ["drag", ".time canvas", 0.2, 0.6, 200], ["until", f"{RANGES} >= 2"], ["wait", "aside p", "Exact"], ["see", "range", "aside h2"],
                            ["click", "aside button", "Clear"], ["see", "left", "aside h2"])
    rows = {row["function"]: row for row in csv.DictReader(io.StringIO(seen["copied"]))}
    assert {name: (int(row["calls"]), int(row["total_ns"])) for name, row in rows.items()} == \
        {row["name"]: (row["calls"], row["total_ns"]) for row in expected}, (len(rows), len(expected))
    assert 1 <= len(seen["slowest"]) <= 5, seen["slowest"]
    assert seen["range"][0].startswith("Range of") and seen["left"] == ["Timeline"], seen
    assert 2 <= seen["requests"].count("range") <= 6, seen["requests"]  # while dragging too, if that takes long


def check_source(browser, bench):
    (bench.folder / "shown.c").write_text("int main(void) {\n  return 7; /* <b>served</b> */\n}\n")
    bench.make_texts(shown=f"module /bin/x\nfunction main file={bench.folder}/shown.c line=1\nthread t\nt +1 enter main\nt +9 exit main\n")
    with Server(bench.prof_path, "-i", "shown", folder=bench.folder) as server:
        seen = browser.play(server, ["click", "nav button", "Functions"], ["click", ".main button.link", "main"], ["click", "aside .buttons button", "Source"],
                            ["wait", ".codeline", "return 7"], ["see", "lines", ".codeline code"])
    assert any("<b>served</b>" in line for line in seen["lines"]), seen


def check_search(browser, bench):
    """Source files are found by some of their letters, though the page has no text yet."""
    folder = bench.folder / "searched"
    folder.mkdir()
    (folder / "unusual_name.c").write_text("int main(void) {\n  return 7;\n}\n")
    bench.make_texts(searched=f"module /bin/x\nfunction main file={folder}/unusual_name.c line=1\nfunction inner file={folder}/unusual_name.c line=2\nthread t\n"
                              "t +1 enter main\nt +5 enter inner caller=main\nt +9 exit inner\nt +9 exit main\n")
    with Server(bench.prof_path, "-i", "searched", folder=bench.folder) as server:
        seen = browser.play(server, ["key", "/"], ["type", "unusualnm"], ["see", "found", "#found .found"])
    assert any("unusual_name.c" in row and "source" in row for row in seen["found"]), seen


class Frozen:
    """The server as it was: its page, and `data` of an early stage until `thaw`; then that of all."""

    def __init__(self, pages, early, whole):
        outer = self
        self.thawed = False

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("/")[-1].split("?")[0]
                if path == "progress":
                    body = outer.progress("whole" if outer.thawed else "timeline")
                elif path == "data":
                    body = whole if outer.thawed else early
                else:
                    body = pages.get(path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html" if path == "" else "application/octet-stream")
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/token/"

    @staticmethod
    def progress(stage):
        body = json.dumps({"reading": 1, "stage": stage, "done_share": 0.5, "live": False, "in_progress": False, "data_age_ns": 0, "empty": False}).encode()
        return sections({"progress": body})

    def thaw(self):
        self.thawed = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def sections(named):
    """docs/view-format.md, "Frame"."""
    out = b"PROFVIEW" + struct.pack("<II", 1, 0)
    for name, body in {**named, "end": b""}.items():
        out += name.encode().ljust(16, b"\0") + struct.pack("<II", len(body), 0) + body + bytes(-len(body) % 4)
    return out


def check_early(browser, bench):
    """The timeline is there before the figures; what is looked at stays when they come."""
    with Server(bench.prof_path, "-i", "busy", folder=bench.folder) as server:
        server.data()
        pages = {"": server.request("").body}
        whole = server.request("data?g=1").body
    parts = sections_of(whole)
    meta = json.loads(parts["meta"])
    del meta["cover"]
    early = sections({"meta": json.dumps({**meta, "has_switches": False}).encode(), **{name: parts[name] for name in ("frames", "threads", "processes", "lanes")}})
    with Frozen(pages, early, whole) as server, Told(bench, server.thaw) as path:
        seen = browser.play(server, ["wait", ".reading", "the figures follow"], ["axe", "axe"], ["click", "nav button", "Functions"], ["see", "functions", "main"],
                            ["click", "main button", "Timeline"], ["wait", ".time canvas"], ["key", "w", "w", "ArrowRight"], ["see", "call", "aside h2"],
                            ["tell", path], ["until", "!document.querySelector('.reading')"], ["see", "later", "aside h2"], ["hash", "where"],
                            ["click", "nav button", "Functions"], ["wait", ".table .row"])
    assert not seen["axe"] and "follow" in seen["functions"][0], seen
    assert seen["call"] == seen["later"] != ["Timeline"] and "p=timeline" in seen["where"] and "&t=" in seen["where"], seen
    with Frozen(pages, early, whole) as server, Told(bench, server.thaw) as path:  # the first panel is the overview, when it is there
        seen = browser.play(server, ["wait", ".reading"], ["wait", ".time canvas"], ["tell", path], ["wait", "h2", "Look at next"])


def check_names(browser, bench):
    """Short names keep what tells functions apart: scopes without a name and parameters go first."""
    names = {"_ZN7leveldb12_GLOBAL__N_117PosixWritableFile5FlushEv": "leveldb::PosixWritableFile::Flush", "_ZZN3app3runEiENKUlvE_clEv": "app::run::{lambda()#1}::operator()",
             "_ZN3app5TableISt6vectorIiSaIiEEElsERKS3_": "app::Table::operator<<"}
    functions = "".join(f"function {name} file=x.cc line=1\n" for name in names)
    bench.make_texts(named="module /bin/x\n" + functions + "thread t\n" + "".join(f"t +1 enter {name}\nt +99 exit {name}\n" for name in names))
    with Server(bench.prof_path, "-i", "named", folder=bench.folder) as server:
        seen = browser.play(server, ["click", "nav button", "Functions"], ["wait", ".table .row"], ["see", "names", ".main .table button.link"])
    assert sorted(name.strip() for name in seen["names"]) == sorted(names.values()), seen["names"]


def check_many_threads(browser, bench):
    """Of many threads those are shown that live in the part of the time in view."""
    threads = "".join(f"thread t{i}\nt{i} +{1 + 1000 * i} enter main\nt{i} +900 exit main\n" for i in range(60))
    bench.make_texts(many_threads="module /bin/x\nfunction main file=x.c line=1\n" + threads)
    with Server(bench.prof_path, "-i", "many_threads", folder=bench.folder) as server:
        ends = server.data()["threads"]["end_ns"]
        seen = browser.play(server, ["click", "nav button", "Timeline"], ["wait", ".time canvas"], ["see", "whole", "aside"],
                            ["go", "p=timeline&t=10100-12100"], ["wait", ".time canvas"], ["see", "part", "aside"])
    over = sum(end < 10100 for end in ends)
    assert "hidden" not in seen["whole"][0] and over > 1 and f"{over} threads that ended before" in seen["part"][0], (over, seen)


def check_cold(browser, bench):
    """The overview counts call paths that became [other]."""
    with Server(bench.prof_path, "-i", "busy", "--max-memory=1K", folder=bench.folder) as server:
        seen = browser.play(server, ["wait", "h2", "Cost and losses"], ["see", "overview", ".cards"])
    assert "cold call paths in [other]" in seen["overview"][0], seen


def check_live(browser, bench):
    growing = Growing(bench, "alive", (bench.folder / "vast" / "trace").read_bytes())
    growing.grow(0.3)
    with Server(bench.prof_path, "-i", "alive", "--live", folder=bench.folder) as server:
        with Told(bench, growing.end) as path:
            seen = browser.play(server, ["wait", ".live", "Live, data up to"], ["until", "!document.querySelector('.reading')"],
                                ["click", "nav button", "Flamegraph"], ["wait", ".flame canvas"], ["point", ".flame canvas", 0.1, 27], ["hash", "zoomed"], ["see", "zoomed_to", ".line"],
                                ["click", "nav button", "Functions"], ["wait", ".main .table .row"],
                                ["see", "before", ".main .table .row"], ["tell", path], ["wait", ".live", "has ended"],
                                ["see", "after", ".main .table .row"], ["hash", "panel"], ["click", "nav button", "Flamegraph"], ["see", "still", ".line"])

    def count(rows):
        return {row.split("\n")[0]: int(row.split("\n")[1].replace(",", "")) for row in rows}
    before, after = count(seen["before"]), count(seen["after"])
    shared = before.keys() & after.keys()
    assert shared and all(before[name] <= after[name] for name in shared) and any(before[name] < after[name] for name in shared), (before, after)
    assert "p=functions" in seen["panel"], seen["panel"]
    zoom = seen["zoomed"][seen["zoomed"].index("&z="):]
    assert zoom in seen["panel"], (zoom, seen["panel"])  # the flamegraph stays zoomed while the recording grows
    assert seen["still"][0].split(" ")[0] == seen["zoomed_to"][0].split(" ")[0] and "Whole" not in seen["still"][0], seen


def check_gone(browser, bench):
    """The page reports that its server ended."""
    server = Server(bench.prof_path, "-i", "busy", folder=bench.folder)
    with server, Told(bench, server.process.terminate) as path:
        seen = browser.play(server, ["wait", "nav button"], ["go", "p=timeline&r=20000-80000"], ["wait", "aside p", "Exact"], ["tell", path],
                            ["until", "fetch('progress').then((answer) => answer.text()).then(() => false, () => true)"], ["go", "p=timeline&r=30000-70000"],
                            ["wait", ".banner", "the server has ended"], ["see", "banner", ".banner"], clean=False)
    assert seen["banner"], seen


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        browser = Browser.find(bench)
        if not browser:
            return SKIPPED
        bench.make_texts(busy=tour.busy())
        server = Server(bench.prof_path, "-i", "busy", folder=bench.folder)
        if not server.address:
            print(f"skipped: {server.messages.decode()}")
            return SKIPPED
        with server:
            pass
        bench.make("vast", "--events=6000000", "--threads=3", "--functions=30", "--jitter=3")
        check_figures(browser, bench)
        check_zoom(browser, bench)
        check_range(browser, bench)
        check_source(browser, bench)
        check_search(browser, bench)
        check_early(browser, bench)
        check_names(browser, bench)
        check_many_threads(browser, bench)
        check_cold(browser, bench)
        check_live(browser, bench)
        check_gone(browser, bench)
    return 0


if __name__ == "__main__":
    sys.exit(main())
