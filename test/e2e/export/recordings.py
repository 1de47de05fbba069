"""Recordings to export, and what every test here needs."""
import argparse
import pathlib
import subprocess

TRACES = pathlib.Path(__file__).resolve().parents[2] / "golden/traces"


class Bench:
    """prof, a folder, and recordings in it."""

    def __init__(self, folder):
        parser = argparse.ArgumentParser()
        parser.add_argument("--prof", type=pathlib.Path, required=True)
        parser.add_argument("--trace-make", type=pathlib.Path, required=True)
        parser.add_argument("--node-folder", type=pathlib.Path, required=True)
        options = parser.parse_args()
        self.prof_path = options.prof.resolve()
        self.node_folder = options.node_folder.resolve()
        self.folder = pathlib.Path(folder)
        self.recordings = []
        for text in sorted(TRACES.glob("*.txt")):
            self._make(options.trace_make, text.stem, f"--text={text}")
        self._make(options.trace_make, "large", "--events=30000", "--threads=3", "--functions=80", "--jitter=3")

    def _make(self, trace_make, name, *arguments):
        subprocess.run([trace_make.resolve(), *arguments, "-o", self.folder / name], check=True,
                       stdout=subprocess.DEVNULL)
        self.recordings.append(name)

    def prof(self, *arguments):
        """Standard output as bytes; messages pass through."""
        return subprocess.run([self.prof_path, *arguments], cwd=self.folder, check=True, stdout=subprocess.PIPE).stdout

    def export(self, recording, name, *arguments):
        """Exports into a file and returns its path."""
        path = self.folder / name
        subprocess.run([self.prof_path, "export", "-i", recording, "-o", path, *arguments], cwd=self.folder, check=True)
        return path
