"""Rows: how soon `prof view` shows a large recording in Chromium, and how much memory its server takes."""
import pathlib
import sys
import time
import types

import rows_tools
from measuring import Row, progress, row_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "view"))
from playing import Browser  # noqa: E402
from server import Server  # noqa: E402

READ = "!document.querySelector('.reading')"
ZOOMS, STEPS = 40, 12


def peak_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1000


def view_rows(builds):
    """Times include those of pressing a key from outside, and two frames of the page."""
    browser = Browser.find(types.SimpleNamespace(node_folder=builds.build / "npm_view", folder=builds.folder))
    if not browser:
        yield Row("prof view", "not measured", note="no Chromium, node or npm packages here")
        return
    data, events = rows_tools.large_trace(builds)
    progress("prof view of it")
    begun = time.monotonic()
    with Server(builds.prof, "--no-open", "-i", data, folder=builds.folder) as server:
        serves_s = time.monotonic() - begun
        seen = browser.play(server, ["until", READ], ["eval", "read", "performance.now()"], ["key", "2"], ["timed", "zoom", "w", ZOOMS], ["hash", "deep"],
                            ["timed", "pan", "d", STEPS], ["timed", "back", "0", 1])
        peak = peak_mb(server.process.pid)
    progress(f"zoomed to {seen['deep']}")
    yield row_of("prof view: first picture", serves_s + browser.ready_ms / 1000, 2, 0.5, " s", note=f"{events / 1e6:.0f}M events; serves after {serves_s:.2f} s")
    yield row_of("&nbsp; all figures", serves_s + seen["read"] / 1000, None, None, " s")
    for name, must, aim in (("zoom", 300, 100), ("back", 300, 100), ("pan", 100, 16)):
        yield row_of(f"&nbsp; {name}, the slowest", max(seen[name]), must, aim, " ms", digits=0, note=f"of {len(seen[name])}")
    yield row_of("&nbsp; peak memory of the server", peak, 256, 64, " MB", digits=0)
