"""What tests in a browser need: Chromium, npm packages, and steps that a user takes there (browser.mjs)."""
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import npm

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("playwright-core@1.65.1", "axe-core@4.14.1")


def modules(folder):
    """The folder with the npm packages; None: they can't be had."""
    return npm.packages(folder, PACKAGES)


class Browser:
    def __init__(self, bench, node_modules, path):
        self.bench, self.modules, self.path = bench, node_modules, path
        self.ready_ms = None  # of the last page

    @staticmethod
    def find(bench):
        """None: there is none, which was said."""
        path = next(filter(None, map(shutil.which, BROWSERS)), None)
        if not path or not shutil.which("node"):
            print("skipped: no Chromium or no node (make setup-all installs both)")
            return None
        node_modules = modules(bench.node_folder)
        if not node_modules:
            print(f"skipped: npm can't get {' and '.join(PACKAGES)}")
        return Browser(bench, node_modules, path) if node_modules else None

    def play(self, page, *steps, clean=True):
        """What was seen, by name; page: a file, or a server.  Nothing else is loaded, and the console stays clean."""
        served = getattr(page, "address", None)
        run = subprocess.run(["node", HERE / "browser.mjs", self.modules, self.path, served or self.bench.folder / page, self.bench.folder,
                              json.dumps(steps)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             timeout=900)
        assert run.returncode == 0, run.stderr[-3000:]
        out = json.loads(run.stdout)
        self.ready_ms = out["ready_ms"]  # from its address to the first picture
        assert not clean or not out["console"], out["console"]
        assert all(request.startswith(served or "file:") for request in out["requests"]), out["requests"]
        assert served or len(out["requests"]) == 1, out["requests"]
        if served:
            out["seen"]["requests"] = [request[len(served):].split("?")[0] for request in out["requests"]]
        return out["seen"]
