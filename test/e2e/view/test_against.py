#!/usr/bin/env python3
"""`prof view --against`: call paths as `prof flame --against`, verdicts as `prof diff`, in a file and from a server, in Chromium."""
import base64
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from page import Page
from playing import Browser
from recordings import Bench
from server import Server

SKIPPED = 77
TITLE = "{http://www.w3.org/2000/svg}title"
RUNS = 3
NEW = [f"--runs=new.{i}" for i in range(2, RUNS + 1)]


def run_of(side, number):
    """A program before (0) and now (1): parse is slower now, its instance is another one; legacy is gone, fresh is new; names are hostile."""
    parse = ("parse<int>", "parse<long>")[side]
    only = ("legacy", "fresh")[side]
    lines = ["sampler method=1 hz=1000 period=1000000 switches=1 error=10", "setting command ./server\\x00", "module /bin/server"]
    lines += [f"function {name} file={name[:5]}.c line=3" for name in ("main", "serve", parse, "digest", only, "<b>x</b>")]
    lines += ["thread main tid=100", "main @1000 enter main"]
    for i in range(40):
        jitter = 7 * number + i % 3
        lines += ["main +100 enter serve caller=main", f"main +50 enter {parse} caller=serve", "main +300 enter digest caller=" + parse, f"main +{4000 + jitter} exit digest",
                  f"main +{(2000, 5000)[side] + jitter} exit {parse}", f"main +10 enter {only} caller=serve", f"main +{700 + jitter} exit {only}", "main +10 enter <b>x</b> caller=serve",
                  f"main +{900 + jitter} exit <b>x</b>", f"main +{300 + jitter} exit serve"]
    return "\n".join(lines + ["main +1000 exit main", "end wall=600000"]) + "\n"


def plain(name):
    """Without template arguments: as the key of a comparison."""
    return name if name.startswith("<") else name.split("<")[0]


def check_sections(bench):
    """Figures of the other recording are those of `prof report`, with numbers of frames of this one."""
    page = Page(bench.prof("view", "-i", "new.1", "--against=old.?", *NEW, "-o", "-"))
    old = page.of["old"]
    report = json.loads(bench.prof("report", "-i", "old.1", "--format=json"))["functions"]
    seen = {page.name(row["frame"]): (row["calls"], row["total_ns"], row["self_running_ns"]) for row in page.rows("old_functions")}
    assert seen == {row["name"]: (row["calls"], row["total_ns"], row["self_running_ns"]) for row in report}, (seen, report)
    frame = page.frames["name"].index
    assert old["path_as"][frame("parse<int>")] == old["path_as"][frame("parse<long>")] and old["row_as"][frame("parse<int>")] != old["row_as"][frame("parse<long>")], old
    assert len(set(page.frames["name"])) == len(page.frames["name"]), page.frames["name"]
    assert "old" not in Page(bench.prof("view", "-i", "new.1", "-o", "-")).of or not Page(bench.prof("view", "-i", "new.1", "-o", "-")).of["old"]
    diff = json.loads(bench.prof("diff", "--format=json", "old.1", "old.2", "old.3", "--", "new.1", "new.2", "new.3"))
    assert (old["program_verdict"], old["old_runs"], old["new_runs"]) == (diff["verdict"], RUNS, RUNS), old
    for row in diff["rows"]:
        if row["kind"] == "function" and row["metric"] == "running":
            at = [i for i, frame in enumerate(old["frame"]) if page.name(frame) == row["name"] and old["metric"][i] == "running"]
            assert len(at) == 1 and old["verdict"][at[0]] == row["verdict"] and old["ratio"][at[0]] == row["ratio"], (row, at)
    return diff


def check_filter(bench):
    """With a filter both sides have it, and nothing is judged."""
    page = Page(bench.prof("view", "-i", "new.1", "--against=old.1", "-F", "digest", "-o", "-"))
    assert {page.name(row["frame"]) for row in page.rows("old_functions")} == {"digest"} and not page.of["old"]["judged"], page.of["old"]


def check_messages(bench):
    bench.prof("baseline", "save", "kept", "old.1", "old.2")
    for arguments, words in ((["--against=none"], b"(none)"), (["--against=none.*"], b"no recording matches"), (["--runs=new.2"], b"--against=OLD"),
                             (["--against=old.1", "--live"], b"leave out --live"), (["--against=prof.baselines/kept.baseline"], b"no call paths")):
        run = subprocess.run([bench.prof_path, "view", "-i", "new.1", *arguments, *(["--no-open"] if "--live" in arguments else ["-o", "x.html"])], cwd=bench.folder, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=600)
        assert run.returncode in (1, 2) and words in run.stderr and not (bench.folder / "x.html").exists(), (arguments, run)


def shares(nodes, of, out):
    """name: (share now, share before) of the functions that a flamegraph's nodes are."""
    for node in nodes:
        out.append((plain(node["name"]), f"{100 * node['after_share']:.1f}%", f"{100 * node['before_share']:.1f}%"))
        shares(node["children"], of, out)
    return out


def check_flame(browser, bench, page):
    """The saved picture has the shares of `prof flame --against`, callers above and reversed."""
    for reverse in (False, True):
        flame = json.loads(bench.prof("flame", "-i", "new.1", "--against=old.1", "--format=json", "--min-share=0", *(["--reverse"] if reverse else [])))
        seen = browser.play(page, ["go", f"p=flame{'&v=1' if reverse else ''}"], ["wait", ".changes", "only before"], ["save", "svg", "button", "Save SVG"], ["axe", "axe"])
        svg = xml.etree.ElementTree.fromstring(base64.b64decode(seen["svg"]))
        texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
        assert "[only before]" in texts and "10% more" in texts and not seen["axe"], (texts, seen["axe"])
        drawn = set()
        for title in svg.iter(TITLE):
            name, _, rest = title.text.rpartition(": ")
            now, before = rest.split(", was ")
            drawn.add((plain(name), now, before))
        expected = set(shares(flame["roots"], flame, []))
        assert drawn - {one for one in drawn if one[0] in ("all", "[only before]")} == expected, (reverse, drawn ^ expected)


def check_functions(browser, page, diff):
    """Side by side, with the verdicts of `prof diff`; a link shows the same; the key b shows one recording alone."""
    seen = browser.play(page, ["see", "card", ".changed"], ["click", ".changed button.link", "functions"], ["wait", ".main .tools", "beside"],
                        ["click", ".main .tools button", "Copy text"], ["wait", "#said.shown"], ["eval", "copied", "navigator.clipboard.readText()"], ["axe", "axe"],
                        ["click", ".main button.link", "legacy"], ["wait", "aside", "only in the recording before"],
                        ["key", "b"], ["wait", ".main .head", "Share"], ["hash", "alone"], ["key", "b"], ["wait", ".main .tools", "beside"], ["hash", "both"],
                        ["click", "nav button", "Flamegraph"], ["wait", ".changes"], ["key", "b"], ["until", "!document.querySelector('.changes')"])
    rows = {row["Function"]: row for row in csv.DictReader(io.StringIO(seen["copied"]), delimiter="\t")}
    assert set(rows) == {"main", "serve", "parse<int>", "parse<long>", "digest", "legacy", "fresh", "<b>x</b>"}, rows
    verdict = "Verdict on a call"
    assert rows["legacy"][verdict] == "gone" and rows["fresh"][verdict].endswith("; was legacy"), rows
    assert rows["parse<int>"][verdict] == "gone" and rows["parse<long>"][verdict] == "new", rows
    for row in diff["rows"]:
        if row["kind"] == "function" and row["metric"] == "running" and row["ratio"] is not None and row["name"] in rows:
            assert rows[row["name"]][verdict].startswith(row["verdict"]), (row, rows[row["name"]])
    assert seen["card"][0].startswith("Since old.1") and "flamegraph of changes" in seen["card"][0] and not seen["axe"], seen
    assert "&b=0" in seen["alone"] and "&b=" not in seen["both"], seen


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        bench.make_texts(**{f"{name}.{i}": run_of(side, i) for side, name in enumerate(("old", "new")) for i in range(1, RUNS + 1)})
        run = subprocess.run([bench.prof_path, "view", "-i", "new.1", "-o", "-"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if b"without the page" in run.stderr:
            print("skipped: this prof was built without the page (apt-get install esbuild node-preact node-prismjs)")
            return SKIPPED
        diff = check_sections(bench)
        check_filter(bench)
        check_messages(bench)
        browser = Browser.find(bench)
        if not browser:
            return SKIPPED
        bench.prof("view", "-i", "new.1", "--against=old.?", *NEW, "-o", "both.html")
        check_flame(browser, bench, "both.html")
        check_functions(browser, "both.html", diff)
        with Server(bench.prof_path, "-i", "new.1", "--against=old.?", *NEW, folder=bench.folder) as server:
            if not server.address:
                print("skipped: a prof without a server")
                return SKIPPED
            server.data()
            check_functions(browser, server, diff)
    return 0


sys.exit(main())
