#!/usr/bin/env python3
"""Instructions beside the source: the figures of `prof annotate --asm`, chains of inlined calls, in a file and from a server."""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from page import Page
from playing import Browser
from recordings import Bench
from server import Server

SKIPPED = 77
SOURCE = HERE / "code.c"


def line_of(mark):
    return 1 + next(i for i, line in enumerate(SOURCE.read_text().splitlines()) if f"/* {mark} */" in line)


def record(bench):
    """A real program; False: there is no compiler for it."""
    flags = subprocess.run([bench.prof_path, "config", "--cflags", "--compiler=gcc"], capture_output=True, text=True, check=False)
    if flags.returncode:
        return False
    subprocess.run(["gcc", "-g", "-O2", *flags.stdout.split(), SOURCE, "-o", "code"], cwd=bench.folder, check=True)
    subprocess.run([bench.prof_path, "record", "-o", "code.data", "./code"], cwd=bench.folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return True


def rows_of(code, frame):
    """The rows of a function: (address, text, samples, calls, calls_ns), and the chain of each, innermost first."""
    at = code["frame"].index(frame)
    begin = sum(code["instructions"][:at])
    rows = []
    for i in range(begin, begin + code["instructions"][at]):
        place, chain = code["place"][i], []
        while place >= 0:
            chain.append((code["place_function"][place], code["place_line"][place]))
            place = code["place_outer"][place]
        rows.append((tuple(code[key][i] for key in ("address", "text", "samples", "calls", "calls_ns")), tuple(chain)))
    return rows


def check_figures(bench, code, frame):
    """Each instruction that annotate shows; the page has those of no line too."""
    shown = json.loads(bench.prof("annotate", "-i", "code.data", "churn", "--asm", "--format=json"))["sources"][0]
    expected = {(int(row["address"], 16), row["text"], row["samples"], row["calls"], row["calls_ns"])
                for line in shown["lines"] for row in line.get("instructions", [])}
    rows = rows_of(code, frame)
    assert expected and expected <= {row for row, _ in rows}, (expected, rows)
    chains = {chain for _, chain in rows}
    assert (("mix", line_of("INLINED")), ("churn", line_of("CALLER"))) in chains, chains
    return rows


def check_file(bench):
    page = Page(bench.prof("view", "-i", "code.data", "-o", "-"))
    code = page.of["code"]
    assert len(code["address"]) == sum(code["instructions"]) and page.of["meta"]["left_out"]["code_functions"] == 0
    return check_figures(bench, code, page.frames["name"].index("churn"))


def check_server(bench, in_file):
    with Server(bench.prof_path, "-i", "code.data", folder=bench.folder) as server:
        data = server.data()
        assert not data["code"]
        frame = data["frames"]["name"].index("churn")
        assert check_figures(bench, server.ask("code", frame=frame)["code"], frame) == in_file
        for query, status in (("", 400), ("frame=999999", 400), ("frame=99999999999", 400)):
            assert server.request(f"code?g={server.reading}&{query}").status == status, query
        (bench.folder / "code").rename(bench.folder / "gone")
    with Server(bench.prof_path, "-i", "code.data", folder=bench.folder) as server:
        frame = server.data()["frames"]["name"].index("churn")
        answer = server.request(f"code?g={server.reading}&frame={frame}")
        assert answer.status == 404 and b"instructions" in answer.body, (answer.status, answer.body)
    (bench.folder / "gone").rename(bench.folder / "code")


def check_page(bench, browser):
    """By keys and clicks: the instructions of a line, and what was inlined there."""
    bench.prof("view", "-i", "code.data", "-o", "code.html")
    pages = ["code.html"]
    with Server(bench.prof_path, "-i", "code.data", folder=bench.folder) as server:
        server.data()
        for page in [*pages, server]:
            seen = browser.play(page, ["click", "nav button", "Source"], ["wait", ".codeline", "INLINED"], ["key", "i"], ["wait", ".asm .codeline"],
                                ["click", ".split > .main .codeline", "CALLER"], ["see", "on", ".asm .codeline.on"], ["click", ".asm .twist", str(line_of("INLINED"))],
                                ["wait", ".codeline.step"], ["see", "step", ".codeline.step"], ["click", ".codeline.step button"],
                                ["see", "line", ".split > .main .codeline.chosen .number"], ["hash", "hash"], ["axe", "axe"])
            assert seen["on"] and f"inlined into churn at code.c:{line_of('CALLER')}" in seen["step"][0], seen
            assert seen["line"] == [str(line_of("CALLER"))] and "&i=1" in seen["hash"] and not seen["axe"], seen


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        run = subprocess.run([bench.prof_path, "view", "-i", "two_threads", "-o", "-"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if b"without the page" in run.stderr or not record(bench):
            print("skipped: no page in this build, or no backend for gcc")
            return SKIPPED
        in_file = check_file(bench)
        check_server(bench, in_file)
        browser = Browser.find(bench)
        if browser:
            check_page(bench, browser)
    return 0


sys.exit(main())
