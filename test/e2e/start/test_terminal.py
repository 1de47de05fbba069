#!/usr/bin/env python3
"""What a terminal gets and a pipe doesn't: colour, a pager, a file instead of SVG; and a reader that leaves early."""
import argparse
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile

TRACE = pathlib.Path(__file__).resolve().parents[2] / "golden/traces/two_threads.txt"


def on_terminal(words, folder, **environment):
    """Runs words with a terminal as standard streams; returns what appears there and the exit status."""
    settings = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PAGER": "", **environment}
    for name in ("PROF_PAGER", "NO_COLOR"):
        if name not in environment:
            settings.pop(name, None)
    settings = {name: value for name, value in settings.items() if value is not None}
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(words[0], words, settings)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    return shown, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", type=pathlib.Path, required=True)
    parser.add_argument("--trace-make", type=pathlib.Path, required=True)
    options = parser.parse_args()
    prof = str(options.prof.resolve())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.trace_make.resolve(), f"--text={TRACE}", "-o", f"{folder}/prof.data"], check=True)
        replay = [prof, "replay"]
        escape = b"\x1b["

        shown, status = on_terminal(replay, folder)
        assert status == 0 and escape in shown and b"main()" in shown, shown
        for off in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            shown, _ = on_terminal(replay, folder, **off)
            assert escape not in shown and b"main()" in shown, (off, shown)
        shown, _ = on_terminal([*replay, "--color=always"], folder, NO_COLOR="1")
        assert escape in shown
        piped = subprocess.run(replay, cwd=folder, check=True, stdout=subprocess.PIPE).stdout
        assert escape not in piped and b"main()" in piped

        shown, status = on_terminal(replay, folder, PROF_PAGER="sed s/^/paged:/", PAGER="false")
        assert status == 0 and shown.count(b"paged:") == piped.count(b"\n"), shown
        shown, _ = on_terminal(replay, folder, PAGER="sed s/^/paged:/")
        assert b"paged:" in shown
        for words in ([*replay, "--no-pager"], [*replay, "--format=json"]):
            shown, _ = on_terminal(words, folder, PAGER="sed s/^/paged:/")
            assert b"paged:" not in shown, (words, shown)
        shown, _ = on_terminal(replay, folder, PAGER="no-such-pager")
        assert b"no-such-pager" in shown, shown  # the shell says what is wrong
        bare = pathlib.Path(folder) / "bare"
        bare.mkdir()
        for tool in ("sh", "cat"):
            (bare / tool).symlink_to(shutil.which(tool))
        shown, _ = on_terminal(replay, folder, PATH=str(bare), PAGER=None)
        assert b"main()" in shown and b"not found" not in shown, shown

        shown, status = on_terminal([prof, "flame"], folder)
        assert status == 0 and b"wrote flame.svg" in shown and b"<svg" not in shown, shown
        assert (pathlib.Path(folder) / "flame.svg").read_text().startswith("<?xml")
        mask = os.umask(0)
        os.umask(mask)
        assert (pathlib.Path(folder) / "flame.svg").stat().st_mode & 0o777 == 0o666 & ~mask

        early = subprocess.run(["sh", "-c", f"{prof} replay | head -1; {prof} export --format=chrome | true"], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        assert early.stdout.count(b"\n") == 1 and early.stderr == b"", early
    return 0


sys.exit(main())
