"""What tests in a browser need: Chromium, and npm packages."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import npm

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("playwright-core@1.65.1", "axe-core@4.14.1")


def modules(folder):
    """The folder with the npm packages; None: they can't be had."""
    return npm.packages(folder, PACKAGES)
