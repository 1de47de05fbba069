"""What the tests of `prof tui` share: recordings from golden texts, what commands print, and the program in a terminal."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import screen

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "golden" / "traces"
SKIP = 77


def same(seen, expected, what):
    assert seen == expected, f"{what}\n  screen:  {seen}\n  command: {expected}"


class Bench:
    def __init__(self, options, folder):
        self.prof, self.trace_make, self.folder = options.prof, options.trace_make, pathlib.Path(folder)
        if "without ncurses" in subprocess.run([self.prof, "tui", "-i", "none"], stdin=subprocess.DEVNULL, capture_output=True,
                                               text=True, check=False).stderr:
            print("skipped: prof was built without ncurses")
            sys.exit(SKIP)

    def recording(self, name, text=None):
        """Of a golden trace, or of a text."""
        path = self.folder / f"{name}.data"
        source = GOLDEN / f"{name}.txt"
        if text is not None:
            source = self.folder / f"{name}.txt"
            source.write_bytes(text if isinstance(text, bytes) else text.encode())
        if not path.exists():
            subprocess.run([self.trace_make, f"--text={source}", "-o", path], check=True, stdout=subprocess.DEVNULL)
        return path

    def run(self, *words):
        done = subprocess.run([self.prof, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              errors="replace")
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def json(self, *words):
        return json.loads(self.run(*words, "--format=json"))

    def table(self, width, titles, *words):
        """The lines of a command's table: titles and rows."""
        lines = self.run(*words, f"--width={width}", "--color=never").splitlines()
        first = next(i for i, line in enumerate(lines) if all(title in line for title in titles))
        rows = []
        for line in lines[first + 1:]:
            if not line or line.startswith(("...", "next:", "hottest", "~:", "-:", "- in ", "entries ")):
                break
            rows.append(line)
        return lines[first], rows

    def tui(self, recording, *words, width=160, height=50, **more):
        return screen.Terminal([self.prof, "tui", *words, recording], width, height, **more)


def rows_of(terminal, warned=False):
    """Titles and rows on the screen."""
    lines = terminal.screen.lines()
    first = 2 if warned else 1
    return lines[first], [line for line in lines[first + 1:-1] if line]


def main(tests):
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--trace-make", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="prof-tui-") as folder:
        bench = Bench(options, folder)
        for test in tests:
            if not options.names or test.__name__ in options.names:
                print(test.__name__, flush=True)
                test(bench)
