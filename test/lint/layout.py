#!/usr/bin/env python3
""".clang-format decides the layout of C and C++; skipped where that program is missing or of another major version."""
import re
import shutil
import subprocess
import tree

MAJOR = "14"  # layouts differ between versions; this is Debian 12's


def main():
    program = shutil.which(f"clang-format-{MAJOR}") or shutil.which("clang-format")
    if not program:
        tree.skip("skipped: no clang-format (make setup-all)")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if not re.search(rf"version {MAJOR}\.", version):
        tree.skip(f"skipped: not clang-format {MAJOR}, but {version.strip()}")
    paths = tree.files({".c", ".h", ".cc", ".cpp"})
    result = subprocess.run([program, "--dry-run", "--Werror", *map(str, paths)], cwd=tree.ROOT,
                            capture_output=True, text=True, check=False)
    faults = sorted({re.sub(r":\d+: error:.*", ": run clang-format -i", line)
                     for line in result.stderr.splitlines() if "error:" in line})
    if result.returncode and not faults:
        faults = [result.stderr.strip()]
    tree.finish(faults, len(paths))


main()
