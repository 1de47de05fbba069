"""Files of `prof view` in Chromium, without a network: what tests of single subjects have in common."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
import tour
from playing import Browser
from recordings import Bench

SKIPPED = 77
PANELS = ("overview", "timeline", "flame", "tree", "functions", "source", "threads")
NAV = "nav button"
LINK = "button.link"
MOST_CLICKS = 6


class Clicks(Browser):
    def task(self, page, *steps):
        clicks = sum(step[0] in ("click", "point") for step in steps)
        assert clicks <= MOST_CLICKS, clicks
        return self.play(page, *steps)


def run(names, *checks):
    """Writes the pages of these recordings, and calls the checks with (browser, bench).  The exit status."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        found = Browser.find(bench)
        if not found:
            return SKIPPED
        bench.make_texts(**{name: text for name, text in (("busy", tour.busy()), ("many", tour.many()), ("locked", tour.locked()), ("counters", tour.counters())) if name in names})
        for name in names:
            done = subprocess.run([bench.prof_path, "view", "-i", name, "-o", f"{name}.html"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
            if b"without the page" in done.stderr:
                print("skipped: this prof was built without the page (apt-get install esbuild node-preact node-prismjs)")
                return SKIPPED
            assert done.returncode == 0, done.stderr
        browser = Clicks(bench, found.modules, found.path)
        for check in checks:
            check(browser, bench)
    return 0
