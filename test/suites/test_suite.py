#!/usr/bin/env python3
"""test_suite.py --prof PROF --folder FOLDER --suite NAME --compiler CC - a test suite says the same plain, off and on.

plain: built without the plugin; off: with it; on: the whole test run under `prof record`.  Prints the verdicts compared, and
what was recorded.  Exit status: 0 the same, 1 not, 77 no sources or no such compiler.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

import suites

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "programs"))
import programs  # noqa: E402

FLAGS = ["-g", "-O2"]
RECORD_BYTES = "1G"
TEST_SECONDS = 3000


def cxx_of(compiler):
    return compiler.replace("clang", "clang++").replace("gcc", "g++")


def run(command, folder, environment, log, timeout):
    """(status, text); the text also goes to the file `log`."""
    with open(log, "wb") as out:
        status = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=subprocess.STDOUT, timeout=timeout, check=False).returncode
    return status, log.read_text(errors="replace")


def build(suite, source, folder, environment):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, symlinks=True)
    log = folder.with_suffix(".build.log")
    status, text = run(suites.shell(suite["build"]), folder, environment, log, 3000)
    if status:
        sys.exit(f"the build failed with status {status}: {log}\n{text[-3000:]}")


def outcome(suite, status, text):
    return [("exit status", str(status)), *suite["verdicts"](text)]


def differences(way, plain, other):
    if len(plain) != len(other):
        yield f"{way}: {len(other)} verdicts, plain {len(plain)}"
    yield from (f"{way}: {b} instead of {a}" for a, b in zip(plain, other) if a != b)


def recorded(prof, data):
    """What the recording holds, after it has been read to its end."""
    info = subprocess.run([prof, "info", "-i", data, "--format=json"], capture_output=True, text=True, check=True)
    report = subprocess.run([prof, "report", "-i", data, "--format=json"], capture_output=True, text=True, check=False)
    facts = json.loads(info.stdout)
    return facts, report.returncode, report.stderr[-500:]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--suite", required=True, choices=suites.SUITES)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--keep", action="store_true", help="leave the built trees and the recording")
    return parser.parse_args()


def main():
    options = arguments()
    suite = suites.SUITES[options.suite]
    if not shutil.which(options.compiler) or not shutil.which(cxx_of(options.compiler)):
        programs.skip(f"{options.compiler} is missing")
    fetched = subprocess.run([programs.ROOT / "scripts" / "fetch-source.sh", suite["package"]], stdout=subprocess.PIPE, text=True,
                             check=False)
    if fetched.returncode == programs.SKIP:
        programs.skip(f"no source of {suite['package']}")
    source = pathlib.Path(fetched.stdout.strip())
    work = (options.folder / f"{options.suite}-{options.compiler}").resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")}
    environment |= {"CC": options.compiler, "CXX": cxx_of(options.compiler), "JOBS": str(os.cpu_count() or 1), "LC_ALL": "C"}

    # Each build lies at the same path when its tests run: some print where they are.
    tree, found = work / "tree", {}
    plugin = programs.plugin_flags(options.prof, options.compiler)
    record = [options.prof, "record", "-o", str(work / "prof.data"), f"--max-size={RECORD_BYTES}", "--"]
    for way, flags, prefix in (("plain", FLAGS, []), ("off", FLAGS + plugin, []), ("on", None, record)):
        environment["FLAGS"] = suites.quoted(flags or FLAGS + plugin)
        if flags:
            build(suite, source, tree, environment)
        found[way] = outcome(suite, *run([*prefix, *suites.shell(suite["test"])], tree, environment, work / f"{way}.log",
                                         TEST_SECONDS))
    faults = [*differences("off", found["plain"], found["off"]), *differences("on", found["plain"], found["on"])]
    count = suite.get("count", lambda verdicts: len(verdicts) - 1)(found["plain"])
    if count < suite["least"]:
        faults.append(f"only {count} tests were seen: {work}/plain.log")
    facts, status, errors = recorded(options.prof, work / "prof.data")
    if status or facts["events"] == 0 or facts["damaged_chunks"]:
        faults.append(f"the recording: {facts['events']} events, prof report ended with {status}: {errors}")
    for fault in faults[:40]:
        print(fault)
    if not options.keep:
        shutil.rmtree(tree, ignore_errors=True)
        shutil.rmtree(work / "prof.data", ignore_errors=True)
    print(f"{options.suite} {options.compiler}: {count} tests, plain status {found['plain'][0][1]}, {len(faults)} differences; "
          f"{facts['events']} events in {facts['processes']} processes, {facts['lost_events']} lost")
    return 1 if faults else 0


sys.exit(main())
