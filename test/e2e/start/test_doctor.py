#!/usr/bin/env python3
"""test_doctor.py --prof PROF - `prof doctor` on this machine: what it finds is true, and JSON is as docs/json.md describes it."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/json.md"


def described():
    """Keys in the section's table, and the keys of checks."""
    section = PAGE.read_text().split("\n## prof doctor\n")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| (`.*?) \| (.*) \|$", section, re.M))
    keys = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
    return keys, set(re.findall(r"`(\w+)`", rows["`checks[].key`"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    options = parser.parse_args()

    def doctor(*arguments):
        done = subprocess.run([options.prof, "doctor", *arguments], capture_output=True, text=True, check=False, timeout=400)
        assert done.stderr == "", done.stderr
        return done

    done = doctor("--format=json")
    found = json.loads(done.stdout)
    keys, kinds = described()
    assert set(found) | {f"checks[].{key}" for check in found["checks"] for key in check} | {"checks[]"} == (keys | {"checks"}), (found, keys)
    checks = {check["key"]: check for check in found["checks"]}
    assert set(checks) <= kinds and {"kernel", "processor", "clock", "samples", "objdump"} <= set(checks), checks
    assert os.uname().release in checks["kernel"]["value"], checks["kernel"]
    assert (checks["objdump"]["state"] == "ok") == (shutil.which("objdump") is not None), checks["objdump"]
    bad = [check for check in found["checks"] if check["state"] == "bad"]
    assert (found["verdict"] == "unfit") == bool(bad) and done.returncode == (1 if bad else 0), (found["verdict"], done.returncode)
    assert all(check["remedy"] for check in bad), bad
    assert found["flops"] > 0 and found["read_bytes_per_second"] > 0, found
    assert "flops" not in json.loads(doctor("--format=json", "--no-peaks").stdout)
    table = doctor("--no-peaks")
    assert table.returncode == done.returncode and table.stdout.startswith("this machine is "), table.stdout
    return 0


sys.exit(main())
