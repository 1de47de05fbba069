"""npm packages for tests, in a folder of the build; tests that run at once share it."""
import fcntl
import shutil
import subprocess


def packages(folder, wanted):
    """The folder node_modules with these packages ("name@version"); None: they can't be had.

    A mark tells that all their files are there: npm writes a package's files one by one."""
    modules, mark = folder / "node_modules", folder / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not mark.exists() or mark.read_text(encoding="ascii").split() != list(wanted):
            mark.unlink(missing_ok=True)
            shutil.rmtree(modules, ignore_errors=True)
            try:
                done = subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, *wanted],
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, check=False)
            except subprocess.TimeoutExpired:
                return None
            if done.returncode == 0:
                mark.write_text(" ".join(wanted), encoding="ascii")
        return modules if mark.exists() else None
