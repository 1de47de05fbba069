"""The files of the source tree, and how a lint test reports."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("PROF_LINT_ROOT") or pathlib.Path(__file__).resolve().parents[2])
CODE = {".c", ".h", ".cc", ".cpp", ".hpp", ".inc", ".def"}
SCRIPTS = {".py", ".sh"}
SKIP = 77


def files(suffixes=None):
    """Paths relative to ROOT under version control (or not yet added to it, but not ignored), sorted."""
    try:
        listing = subprocess.run(
            ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-co", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True).stdout
        paths = [pathlib.PurePosixPath(line) for line in listing.splitlines()]
    except (OSError, subprocess.CalledProcessError):  # a source package: no repository
        paths = [pathlib.PurePosixPath(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]
        paths = [p for p in paths if not p.parts[0].startswith("build") and ".git" not in p.parts
                 and "__pycache__" not in p.parts]
    return sorted(p for p in paths if (ROOT / p).is_file() and (suffixes is None or p.suffix in suffixes))


def lines(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace").splitlines()


def finish(faults, looked_at):
    """Prints the faults and ends; to have looked at nothing is a fault too."""
    if not looked_at:
        faults = ["nothing was looked at"]
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults in {looked_at} places")
    sys.exit(1 if faults else 0)


def skip(reason):
    print(reason)
    sys.exit(SKIP)
