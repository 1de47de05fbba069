#!/usr/bin/env python3
"""Names that attack a terminal, very long, wide and invalid ones; many functions, deep recursion; screens of any size."""
import random
import re

import bench
import screen

PLAIN_OUTPUT = re.compile(rb"\x1b\[[?>]?[0-9;]*[A-Za-z@`]|\x1b[()][0-9A-Za-z]|\x1b[=>78M]|[\r\n\x08\x0f]")


def harmless(terminal):
    """Only what ncurses writes reached the terminal: no other escape or control character."""
    rest = PLAIN_OUTPUT.sub(b"", terminal.raw)
    assert not re.search(rb"[\x00-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]", rest), re.findall(rb".{0,30}[\x00-\x1f\x7f].{0,30}", rest)[:5]
    assert b"\x1b]" not in terminal.raw and b"\x1b[31mred" not in terminal.raw
    assert not terminal.screen.unknown, terminal.screen.unknown


def tour(terminal, done="q quit"):
    """All panels, branches, menus and the help."""
    for keys, wanted in ((["2", "e"], "CALL TREE"), (["3", "e", "end"], "CALLED IT"), (["6"], "THREAD"), (["t"], "ONLY THREAD"), (["q"], done),
                         (["1", "s"], "SORT BY"), (["q", "?"], "KEYS"), (["q"], done)):
        terminal.key(*keys)
        terminal.has(wanted)
    terminal.key("q")
    status = terminal.end()
    assert status == (0, True), status
    harmless(terminal)


def hostile_names(setup):
    recording = setup.recording("hostile")
    for locale in ("C.UTF-8", "C"):
        with setup.tui(recording, width=160, height=30, environment={"LC_ALL": locale}) as terminal:
            terminal.has("\\x1b[31mred\\x1b[0m", "line\\x0aend;semi", "q quit")
            terminal.has("größe_日本" if locale == "C.UTF-8" else "gr??e_??")
            tour(terminal)
    with setup.tui(recording, width=160, height=30) as terminal:
        terminal.has("q quit")
        for text in ("\x1b", "f", "\x07\x01\xff", "escape", "/größe", "enter"):
            terminal.key(text)
        terminal.on("größe_日本")
        harmless(terminal)


def long_names(setup):
    """Of 64 KiB, which differ at their ends."""
    names = ["n" * 65000 + end for end in ("first", "second")] + ["日" * 20000, "\\xff" * 15000, "e\u0301" * 20000]
    text = ["process 1", "module /bin/app"] + [f'function "{name}" file=a.c' for name in names] + ["thread main"]
    text += [f'main +{10 + i} enter "{name}"' for i, name in enumerate(names)] + [f'main +1000 exit "{name}"' for name in reversed(names)]
    recording = setup.recording("long", "\n".join([*text, "end wall=100000", ""]))
    with setup.tui(recording, width=80, height=24) as terminal:
        terminal.has("first", "second", "日", "\\xff", "q quit")
        assert all(screen.columns_of(line) <= 80 for line in terminal.screen.lines())
        terminal.key("/second", "enter")
        terminal.on("second")
        for width, height in ((40, 10), (20, 4), (200, 50), (80, 24)):
            terminal.resize(width, height)
            terminal.has("FUNCTION" if width > 20 else "n")
        tour(terminal)


def many_functions(setup):
    """Only visible rows are drawn: what comes to the terminal doesn't grow with the rows."""
    count = 50000
    text = ["process 1", "module /bin/app"] + [f"function f{i:05} file=a.c" for i in range(count)] + ["thread main"]
    for i in range(count):
        text += [f"main +1 enter f{i:05}", f"main +{2 * count - i} exit f{i:05}"]
    recording = setup.recording("big", "\n".join([*text, "end wall=900000000000", ""]))
    rows = setup.json("report", "-i", recording)["functions"]
    assert len(rows) == count, len(rows)
    with setup.tui(recording, width=80, height=24) as terminal:
        terminal.has("q quit")
        before = len(terminal.raw)
        terminal.key("end")
        terminal.on(rows[-1]["name"][-8:])
        terminal.key("home")
        terminal.on(rows[0]["name"][-8:])
        terminal.key("pagedown", "down", "up")
        terminal.on(rows[21]["name"][-8:])
        assert len(terminal.raw) - before < 20000, len(terminal.raw) - before
        name = rows[len(rows) // 2]["name"]
        terminal.key(f"/{name}", "enter")
        terminal.until(f"a row with {name}", lambda _: name in (terminal.cursor() or ""))
        tour(terminal)


def deep_recursion(setup):
    """65,000 levels open, close and are searched."""
    depth = 65000
    text = ["process 1", "module /bin/app", "function main file=a.c", "function f file=a.c", "function last file=a.c", "thread main", "main +1 enter main"]
    text += ["main +1 enter f"] * depth + ["main +1 enter last", "main +1 exit last"] + ["main +1 exit f"] * depth
    recording = setup.recording("deep", "\n".join([*text, "main +1 exit main", "end wall=900000", ""]))
    with setup.tui(recording, width=80, height=24) as terminal:
        terminal.has("q quit")
        terminal.key("2", "e", "end")
        terminal.on("last")
        assert "65001>" in terminal.cursor(), terminal.cursor()
        terminal.key("home", "c", "/last", "enter")
        terminal.on("last")
        terminal.key("home", "c")
        terminal.on("+ main")
        tour(terminal)


def sizes(setup):
    with setup.tui(setup.recording("switches"), width=80, height=24) as terminal:
        terminal.has("q quit")
        for width, height in ((40, 10), (20, 4), (10, 2), (1, 1), (300, 100), (80, 24)):
            terminal.resize(width, height)
            if width < 10:
                continue
            terminal.until(f"a screen of {width}x{height}", lambda lines, width=width: any("too small"[:width] in line if width < 20 else "q quit" in line for line in lines))
            assert all(screen.columns_of(line) <= width for line in terminal.screen.lines())
        terminal.key("2")
        terminal.has("[2 tree]")
        terminal.resize(40, 10)
        terminal.has("tree  1-6 other  ? help  q quit", "CALL TREE")
        terminal.key("?")
        terminal.has("KEYS AND PANELS")
        terminal.key("q", "q")
        assert terminal.end() == (0, True)
        harmless(terminal)


def every_resize_counts(setup):
    """The signal may come between drawing and reading a key, when nobody waits for it."""
    with setup.tui(setup.recording("switches"), width=80, height=24) as terminal:
        terminal.has("q quit")
        for turn in range(400):
            width = 60 + turn % 7
            terminal.key("j")
            for _ in range(turn * 10):  # while it draws for the key, or then
                pass
            terminal.resize(width, 10)
            terminal.until(f"a screen of {width}x10 (resize {turn})", lambda lines: any("q quit" in line for line in lines))


def colors(setup):
    """Hot rows are coloured, but not with NO_COLOR or --color=never."""
    for options, environment, wanted in (([], {}, True), ([], {"NO_COLOR": "1"}, False), (["--color=never"], {}, False),
                                         (["--color=always"], {"NO_COLOR": "1"}, True)):
        with setup.tui(setup.recording("recursion"), *options, environment=environment) as terminal:
            terminal.has("q quit")
            assert terminal.screen.colored == wanted, (options, environment)


def any_keys(setup):
    """Keys in any order, and resizes between them; then it still quits by q."""
    draw = random.Random(3)
    words = ["up", "down", "left", "right", "pageup", "pagedown", "home", "end", "enter", "escape", "tab", "backspace",
             *"jkgGhlecarstwf/nNu?q123456ibx+"]
    for trace in ("recursion", "loops", "bursts", "hostile", "gpu"):
        terminal = setup.tui(setup.recording(trace), width=80, height=24, echo=False)  # of keys that come after its end
        with terminal:
            terminal.has("q quit")
            for _ in range(300):
                word = draw.choice(words)
                if word == "q" and draw.random() < 0.8:
                    continue
                if terminal.process.poll() is not None:
                    break
                terminal.key(word)
                if draw.random() < 0.05:
                    terminal.resize(draw.choice([20, 40, 80, 120]), draw.choice([4, 10, 24]))
                while terminal.ready():
                    terminal.read()
            while terminal.process.poll() is None:
                terminal.key("escape", "q")
                if terminal.ready(0.1):
                    terminal.read()
            assert terminal.end() == (0, True), trace
            harmless(terminal)


if __name__ == "__main__":
    bench.main([hostile_names, long_names, many_functions, deep_recursion, sizes, every_resize_counts, colors, any_keys])
