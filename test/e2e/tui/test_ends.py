#!/usr/bin/env python3
"""Every end leaves the terminal as it was; what can't be shown is a clear error; damaged and live recordings are shown."""
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import termios
import time

import bench
import screen


def signals(setup):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT):
        with setup.tui(setup.recording("recursion")) as terminal:
            terminal.has("q quit")
            terminal.key("2", "e")
            terminal.has("A::get")
            assert terminal.screen.alternate
            terminal.process.send_signal(number)
            assert terminal.end() == (-number, True), (number, terminal.process.returncode, terminal.screen.alternate)
    with setup.tui(setup.recording("recursion")) as terminal:
        terminal.has("q quit")
        terminal.key("\x03")  # the terminal's own key
        assert terminal.end() == (-signal.SIGINT, True)


def shell(words):
    """Runs a job as an interactive shell does: says when it stops, and continues it after a line of input.

    The line `bg` continues it in the background, where the shell has other modes, until the job wants the terminal.
    """
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(words[0], words)
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(status):
            sys.exit(os.waitstatus_to_exitcode(status))
        canonical = bool(termios.tcgetattr(0)[3] & termios.ICANON)
        print(f"stopped, lines of input: {canonical}", flush=True)
        if sys.stdin.readline() == "bg\n":
            ours = termios.tcgetattr(0)
            termios.tcsetattr(0, termios.TCSANOW, [*ours[:3], ours[3] & ~(termios.ICANON | termios.ECHO), *ours[4:]])
            os.killpg(job, signal.SIGCONT)
            assert os.WSTOPSIG(os.waitpid(job, os.WUNTRACED)[1]) == signal.SIGTTOU
            termios.tcsetattr(0, termios.TCSANOW, ours)
            print("wants the terminal", flush=True)
            sys.stdin.readline()
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)


def in_shell(setup, recording=None):
    command = [sys.executable, "-B", pathlib.Path(__file__).resolve(), "shell", setup.prof, "tui", recording or setup.recording("recursion")]
    return screen.Terminal(command, 80, 24)


def stopping(setup):
    """^Z gives the terminal back; fg draws again."""
    with in_shell(setup) as terminal:
        terminal.has("q quit")
        terminal.key("2")
        terminal.has("[2 tree]")
        terminal.key("\x1a")
        terminal.has("stopped, lines of input: True")
        assert not terminal.screen.alternate and terminal.screen.visible
        terminal.key("\n")
        terminal.has("[2 tree]", "CALL TREE")
        assert terminal.screen.alternate
        terminal.key("q")
        assert terminal.end() == (0, True)


def waits_to_write(pid):
    """Sleeps in a system call whose first argument is standard output: the terminal takes no more."""
    words = pathlib.Path(f"/proc/{pid}/syscall").read_text().split()
    return words[1:2] == ["0x1"]


def stopping_while_drawing(setup):
    """The signal comes while ncurses draws: nobody reads, so prof waits in the middle of it."""
    with in_shell(setup) as terminal:
        terminal.has("q quit")
        job = os.tcgetpgrp(terminal.master)
        while not waits_to_write(job):
            if not terminal.unread():  # else, if prof stands still, keys pile up until this test waits for it, as it does for this test
                terminal.key("2", "1")
            time.sleep(0.001)
        os.kill(job, signal.SIGTSTP)
        terminal.has("stopped, lines of input: True")
        terminal.key("\n")
        terminal.lacks("stopped")
        terminal.has("q quit")
        terminal.key("q")
        assert terminal.end() == (0, True)


def background(setup):
    """bg: the shell's modes of then are not those that the end restores."""
    with in_shell(setup) as terminal:
        terminal.has("q quit")
        terminal.key("\x1a")
        terminal.has("stopped, lines of input: True")
        terminal.key("b", "g", "\n")
        terminal.has("wants the terminal")
        terminal.key("\n")
        terminal.has("[1 functions]", "q quit")
        terminal.key("q")
        assert terminal.end() == (0, True)


def stopped_by_escape(setup):
    """Escape ends a reading: the panel before stays, other keys are kept, and the panel's key reads again."""
    recording = setup.folder / "long.data"
    subprocess.run([setup.trace_make, "--events=3000000", "--functions=40", "-o", recording], check=True, stdout=subprocess.DEVNULL)
    with setup.tui(recording) as terminal:
        terminal.has("[1 functions]", "q quit")
        terminal.key("2\x1b")  # both are there before the reading begins
        terminal.has("FUNCTION", "stopped by Escape")
        terminal.key("2")
        terminal.has("[2 tree]")
        terminal.key("q")
        assert terminal.end() == (0, True)


def stopped_in_reading(setup, recording):
    """^Z, then Escape behind the shell's line: did that stop the reading?  Else it was over before."""
    note, ends = b"reading the recording", ("stopped by Escape", "q quit")
    with in_shell(setup, recording) as terminal:
        terminal.has("[1 functions]", "q quit")
        terminal.key("2")
        terminal.until("the note", lambda _: note in terminal.raw)
        terminal.key("\x1a")
        terminal.has("stopped, lines of input: True")
        assert not terminal.screen.alternate and terminal.screen.visible
        terminal.key("\n\x1b")
        terminal.lacks("stopped, lines")
        lines = terminal.until(" or ".join(ends), lambda lines: any(end in line for line in lines for end in ends))
        terminal.key("q")
        assert terminal.end() == (0, True)
        return any(ends[0] in line for line in lines)


def stopping_while_reading(setup):
    """fg after ^Z while prof reads: Escape is a key again."""
    recording = setup.folder / "reading.data"
    subprocess.run([setup.trace_make, "--events=6000000", "--functions=40", "-o", recording], check=True, stdout=subprocess.DEVNULL)
    assert any(stopped_in_reading(setup, recording) for _ in range(20))


def hang_up(setup):
    """The terminal goes away: the program ends."""
    master, slave = pty.openpty()
    process = subprocess.Popen([setup.prof, "tui", setup.recording("recursion")], stdin=slave, stdout=slave, stderr=slave,
                               env={**os.environ, "TERM": "xterm"})
    os.close(slave)
    seen = b""
    while b"quit" not in seen:  # which may come in two parts
        seen += os.read(master, 65536)
    os.close(master)
    process.wait(timeout=900)


def error_of(setup, *words, environment=None, **more):
    done = subprocess.run([setup.prof, "tui", *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **(environment or {})}, **more)
    return done.returncode, done.stderr


def no_terminal(setup):
    status, text = error_of(setup, setup.recording("recursion"), stdin=subprocess.DEVNULL)
    assert status == 2 and "needs a terminal" in text and "prof report" in text, text
    master, slave = pty.openpty()
    status, text = error_of(setup, setup.recording("recursion"), stdin=slave)
    assert status == 2 and "standard output is none" in text, text
    os.close(slave)
    os.close(master)


def in_terminal(setup, *words, environment=None):
    """Status and text of a run that fails in a terminal."""
    terminal = setup.tui("none", environment=environment) if not words else screen.Terminal(
        [setup.prof, "tui", *words], 160, 50, environment=environment)
    with terminal:
        status = terminal.end()
        return status, " ".join(line for line in terminal.screen.lines() if line)


def errors(setup):
    recording = setup.recording("recursion")
    for words, environment, wanted, code in (
            (["none.data"], {}, "none.data", 2),
            ([recording, "other"], {}, "only one recording", 2),
            (["--format=json", recording], {}, "prof report --format=json", 2),
            (["-F", "nothing", recording], {}, "no function", 2),
            (["--time=waiting", recording], {}, "no scheduler switches", 1),
            ([recording], {"TERM": "dumb"}, "can't draw on a terminal of type 'dumb'", 2),
            ([recording], {"TERM": "no-such-type"}, "can't draw on a terminal of type 'no-such-type'", 2)):
        status, text = in_terminal(setup, *words, environment=environment)
        assert status == (code, True) and wanted in text, (words, status, text)


def damaged(setup):
    """Cut at many places, and with bytes changed: an error, or a screen with a warning; never a crash."""
    whole = (setup.recording("switches") / "trace").read_bytes()
    folder = setup.folder / "damaged.data"
    shutil.copytree(setup.recording("switches"), folder)
    shown = warned = 0
    for cut in [0, 1, 8, *range(16, len(whole), max(len(whole) // 25, 1)), -1, -2, -3]:
        data = bytearray(whole[:cut] if cut >= 0 else whole)
        if cut < 0:
            for at in range(-cut * 40, len(data), 97):
                data[at] ^= 0x5a
        (folder / "trace").write_bytes(data)
        with setup.tui(folder, width=80, height=24) as terminal:
            try:
                terminal.has("q quit")
            except AssertionError:
                assert terminal.process.returncode in (1, 2), (cut, terminal.process.returncode)
                assert any("prof: " in line for line in terminal.screen.lines()), terminal.screen.lines()
                continue
            shown += 1
            if "details: prof info" in setup.run("report", "-i", folder):
                warned += 1
                terminal.has("details: prof info")
            terminal.key("2", "e", "3", "e", "6", "1", "q")
            assert terminal.end() == (0, True), cut
    assert shown > 3 and warned > 3, (shown, warned)


def empty(setup):
    recording = setup.recording("empty", "process 1\nmodule /bin/app\nfunction main file=a.c\nthread main\nend wall=10\n")
    status, text = in_terminal(setup, recording)
    expected = subprocess.run([setup.prof, "report", "-i", recording], capture_output=True, text=True, check=False)
    assert status[0] == expected.returncode, (status, expected)
    assert expected.stderr.split("\n")[0].split(":")[-1].strip()[:30] in text, (text, expected.stderr)


def live(setup):
    with setup.tui(setup.recording("unfinished"), width=100) as terminal:
        terminal.has("details: prof info", "q quit")
        terminal.key("2", "e", "u")
        terminal.has("[2 tree]")
        terminal.key("q")
        assert terminal.end() == (0, True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["shell"]:
        shell(sys.argv[2:])
    bench.main([signals, stopping, stopping_while_drawing, stopping_while_reading, background, stopped_by_escape, hang_up, no_terminal, errors, damaged, empty, live])
