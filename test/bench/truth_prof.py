"""What prof says of a recording, as `make bench-truth` compares it: self time per function, clones merged."""
import collections
import json
import shutil
import subprocess

from truth_perf import merged


def ask(prof, *arguments):
    result = subprocess.run([str(part) for part in (prof, *arguments)], capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"prof {arguments[0]} ended with {result.returncode}: {result.stderr.strip()[-300:]}")
    return json.loads(result.stdout)


def knows(prof, command, option):
    """Has this build that option (or command)?"""
    text = subprocess.run([str(prof), command, "--help"], capture_output=True, text=True, check=False)
    return text.returncode == 0 and option in text.stdout


def record(prof, data, command, run, *options):
    shutil.rmtree(data, ignore_errors=True)
    return run([prof, "record", "-o", data, "--max-size=40G", *options, "--", *command])


def report(prof, data, *options):
    return ask(prof, "report", "-i", data, "--format=json", "--demangle=no", *options)


def self_key(report_json):
    """Of its own time, what a function ran: perf sees no other.  Without scheduler switches, and from samples, all of it."""
    switches = "self_running_ns" in report_json["functions"][0]
    return "self_running_ns" if switches and not report_json["cover"]["sampled_threads"] else "self_ns"


def by_function(report_json, key="self_ns"):
    """function -> figure of it and its clones."""
    figures = collections.Counter()
    for row in report_json["functions"]:
        figures[merged(row["name"])] += row[key]
    return figures
