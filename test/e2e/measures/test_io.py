#!/usr/bin/env python3
"""`prof record --io` and `prof io`: see README.md."""
import collections
import pathlib
import re
import shutil
import sys
import tempfile

from bench import Bench

CALLS = {"read": "read", "pread64": "pread", "readv": "readv", "preadv": "preadv", "write": "write", "pwrite64": "pwrite", "writev": "writev",
         "pwritev": "pwritev", "openat": "open", "close": "close", "fsync": "fsync", "fdatasync": "fdatasync", "sendfile": "sendfile",
         "recvfrom": "receive", "sendto": "send", "connect": "connect", "accept": "accept", "pwritev2": "pwritev", "preadv2": "preadv",
         "copy_file_range": "copy", "sendmsg": "sendmsg", "sendmmsg": "sendmsg", "recvmmsg": "recvmsg"}


def check(bench, done, flags):
    io = bench.read("io")
    got = collections.Counter()
    for site in io.get("sites", []):
        udp = re.sub(r"^udp (?:127\.0\.0\.1:(\d+)|socket)$", lambda found: f"udp:{found[1]}" if found[1] else "udp_socket", site["path"])
        name = udp if udp != site["path"] else "clients" if site["path"].startswith("tcp clients of 127.0.0.1:") else "tcp" if site["path"].startswith("tcp 127.0.0.1:") else pathlib.PurePath(site["path"]).name
        got[site["function"], site["operation"], name, "calls"] += site["calls"]
        got[site["function"], site["operation"], name, "bytes"] += site["bytes"]
    bench.equal(f"{flags}: one row for all clients", [site["calls"] for site in io.get("sites", []) if site["operation"] == "accept"], [3])
    wants = re.findall(r"^want (\S+) (\S+) (\d+) (\d+) (\S+)$", done.stdout, re.M)
    bench.equal(f"{flags}: wants", len(wants), 32)
    for function, operation, calls, size, name in wants:
        bench.equal(f"{flags}: {function} {operation} {name}", [got[function, operation, name, key] for key in ("calls", "bytes")], [int(calls), int(size)])
    for operation in ("read", "write"):
        bench.equal(f"{flags}: stream {operation}", got["stream", operation, "stream", "bytes"], 15000)
    failed = collections.Counter()
    for site in io.get("sites", []):
        failed[site["operation"]] += site["failed"]
    bench.equal(f"{flags}: failed", {key: count for key, count in failed.items() if count}, {"read": 1, "open": 5})
    bench.equal(f"{flags}: how they failed", sorted((site["operation"], site["path"], site["failed"], site["errors"]) for site in io.get("sites", []) if site["failed"]),
                [("open", "", 1, "EFAULT"), ("open", "missing/file", 1, "ENOENT"), ("open", "missing/file", 1, "ENOENT"), ("open", "missing/stream", 1, "ENOENT"), ("open", "plain/below", 1, "ENOTDIR"),
                 ("read", "", 1, "EBADF")])
    for key in ("calls", "bytes", "wait_ns"):
        bench.equal(f"{flags}: sum of {key}", sum(site[key] for site in io.get("sites", [])), io.get(key))
        for by in ("file", "operation"):  # times are rounded in each row
            bench.equal(f"{flags}: --by={by}: {key}", abs(bench.read("io", f"--by={by}").get(key) - io.get(key)) <= (100 if key == "wait_ns" else 0), True)
    by_path = collections.Counter()
    for site in bench.read("io", "--paths")["sites"]:
        bench.equal(f"{flags}: {site['call_path']} ends in {site['function']}", site["call_path"][-1:], [site["function"]])
        by_path[site["function"], site["operation"], site["path"]] += site["calls"]
    by_place = collections.Counter()
    for site in io.get("sites", []):
        by_place[site["function"], site["operation"], site["path"]] += site["calls"]
        bench.equal(f"{flags}: median and longest", site["p50_ns"] <= site["p99_ns"] <= site["max_ns"] <= site["wait_ns"], True)
    bench.equal(f"{flags}: paths add up to places", by_path, by_place)
    return io


def outcome(done):
    """Status and output, without the ports, which the system chooses."""
    return done.returncode, re.sub(r"udp:\d+", "udp", done.stdout)


def strace(bench, program):
    """Operations and bytes as strace counts them, without the loader's; None: it can't be used here."""
    if not shutil.which("strace"):
        return None
    done = bench.run("strace", "-f", "-y", "-o", "strace.txt", "-e", "trace=" + ",".join(CALLS), program)
    if done.returncode != 7:
        return None
    counts = collections.Counter()
    for line in (bench.folder / "strace.txt").read_text(errors="replace").splitlines():
        line = re.sub(r"^\d+ +", "", line)
        begun = re.match(r"(?:<\.\.\. )?(\w+)(?:\(| resumed>)", line)
        result = re.search(r"= (-?\d+)(?:<.*>)?(?: E\w+ \(.*\))?$", line)
        if not begun or begun[1] not in CALLS or not result or re.search(r"[</\"]lib|ld\.so", line):
            continue
        operation = CALLS[begun[1]]
        counts[operation, "calls"] += 1
        sizes = re.findall(r"msg_len=(\d+)", line) if begun[1].endswith("mmsg") else [max(int(result[1]), 0)]
        counts[operation, "bytes"] += sum(map(int, sizes)) if operation not in ("open", "accept") else 0
    return counts


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        for flags in ([], ["-D_FORTIFY_SOURCE=2", "-O2"], ["-D_FILE_OFFSET_BITS=64", "-no-pie"]):
            program = bench.build("io.c", "io", *flags)
            alone = bench.run(program)
            done = bench.run(bench.prof, "record", "-o", "data", "--io", program)
            bench.equal(f"{flags}: status and output", outcome(done), outcome(alone))
            io = check(bench, done, flags)
        counted = strace(bench, program)
        own = collections.Counter()
        for site in io.get("sites", []):
            own[site["operation"], "calls"] += site["calls"]
            own[site["operation"], "bytes"] += site["bytes"]
        if counted is not None:
            bench.equal("strace", dict(counted - own), {})
            bench.equal("more than strace", dict(own - counted), {})
        strict = bench.run(program, "strict")
        done = bench.run(bench.prof, "record", "-o", "data", "--io", "--memory", "--locks", program, "strict")
        bench.equal("strict", outcome(done), outcome(strict))
        return bench.end("input and output are as the program does it" + ("" if counted is None else ", and as strace counts it"))


sys.exit(main())
