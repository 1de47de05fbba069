#!/usr/bin/env python3
"""test_packages.py --build BUILD - `make deb`, and its packages put into a bare Debian of this machine's version, used, removed.

The root is kept in $PROF_ROOTS, or in BUILD/roots.  Exit status: 0, 1, or 77 without root, debootstrap or a Debian archive.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TRIED = ("gcc-12", "gcc-11", "clang-14", "clang-19")  # the first of each family that has a package; every one would be gigabytes


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    lines = pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    release = {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}
    if release.get("ID") != "debian" or os.geteuid() or not shutil.which("debootstrap"):
        skip("this needs a Debian, root and debootstrap (make setup-all installs it)")
    root = pathlib.Path(os.environ.get("PROF_ROOTS", build / "roots")) / "packages"
    own = build / "test" / "packages"
    subprocess.run(["make", "deb", "PROF_SETUP=no", f"BUILD={own}"], cwd=ROOT, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    made = sorted(pathlib.Path(f"{own}-deb", "packages").glob("*.deb"))
    debian_root = [ROOT / "scripts" / "debian-root.sh", release["VERSION_CODENAME"], root]
    status = subprocess.run(debian_root, check=False).returncode
    if status:
        skip("no root could be made")
    target = root / "usr" / "src" / "packages"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for package in made:
        shutil.copy(package, target)
    compilers = {}
    for name in TRIED:
        if any(package.name.startswith(f"prof-{name}_") for package in made):
            compilers.setdefault(name.split("-")[0], name)
    return subprocess.run([*debian_root, "packaging/try-packages.sh", "/usr/src/packages", *compilers.values()], check=False).returncode


sys.exit(main())
