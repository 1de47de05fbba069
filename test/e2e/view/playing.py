"""What tests in a browser need: Chromium, and npm packages."""
import subprocess

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("playwright-core@1.65.1", "axe-core@4.14.1")


def modules(folder):
    """The folder with the npm packages; None: they can't be had."""
    names = [package.split("@")[0] for package in PACKAGES]
    if not all((folder / "node_modules" / name / "package.json").exists() for name in names):
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, *PACKAGES],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=240)
    found = all((folder / "node_modules" / name / "package.json").exists() for name in names)
    return folder / "node_modules" if found else None
