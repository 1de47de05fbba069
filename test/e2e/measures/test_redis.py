#!/usr/bin/env python3
"""test_redis.py --prof PROF --folder FOLDER --compiler COMMAND - redis-server answers the same with every measure, and ends as alone."""
import argparse
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import programs  # noqa: E402

MACHINE = ("--machine=100ms", "--counters=page-faults,context-switches")
MEASURES = ((), ("--memory",), ("--locks",), ("--io",), MACHINE, ("--memory", "--locks", "--io", *MACHINE))
COMMANDS = ["PING", "SET a 1", "INCR a", "GET a", "GET nothing", "INCR", "RPUSH list a b c d", "LRANGE list 0 -1", "HSET h x 1 y 2", "HGETALL h",
            "ZADD z 3 c 1 a 2 b", "ZRANGE z 0 -1 WITHSCORES", "MULTI", "SET b 2", "INCR b", "EXEC", "EVAL return{KEYS[1],redis.call('GET','a')} 1 k",
            "SAVE", "SETRANGE long 100000 x", "STRLEN long", "DEBUG SLEEP 0", "OBJECT ENCODING z", "DEL list long", "DBSIZE", "NONSENSE"]


def encoded(command):
    words = command.split(" ")
    return "".join([f"*{len(words)}\r\n", *(f"${len(word)}\r\n{word}\r\n" for word in words)]).encode()


def ask(path):
    """All answers of one client, as bytes."""
    until, text = time.monotonic() + 120, b""
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.02)
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(120)
        while client.connect_ex(str(path)) != 0 and time.monotonic() < until:
            time.sleep(0.02)
        for i in range(40):
            for command in [*COMMANDS, f"SET key:{i} value"]:
                client.sendall(encoded(command))
        client.sendall(encoded("ECHO the-end"))
        while not text.endswith(b"the-end\r\n"):
            part = client.recv(65536)
            if not part:
                return text + b"[closed]"
            text += part
    return text


def behaviour(before, server, folder, end):
    """(status, answers) of a server that a command or a signal ends."""
    path = folder / "socket"
    for left in (path, folder / "dump.rdb"):
        left.unlink(missing_ok=True)
    command = [*before, server, "--port", "0", "--unixsocket", str(path), "--save", "", "--dir", str(folder), "--pidfile", str(folder / "pid"), "--enable-debug-command", "yes"]
    with subprocess.Popen([str(word) for word in command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        answers = ask(path)
        if end == "command":
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
                client.sendall(b"SHUTDOWN NOSAVE\r\n")
                client.recv(100)
        else:
            os.kill(int((folder / "pid").read_text()), signal.SIGTERM)
        status = process.wait(timeout=300)
    return status, answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prof", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    compiler = programs.compiler_or_skip(options.compiler)
    prof = options.prof.resolve()
    server = programs.build("redis", f"measured-{pathlib.Path(compiler).name}", compiler, ["-g", "-O1", *programs.plugin_flags(prof, compiler)], options.folder)
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shutil.copy(server, folder / "redis-server")
        for end in ("command", "signal"):
            alone = behaviour([], folder / "redis-server", folder, end)
            for measures in MEASURES:
                recorded = behaviour([prof, "record", "-o", folder / "data", *measures, "--"], folder / "redis-server", folder, end)
                if recorded != alone:
                    faults.append(f"{measures}, ended by a {end}: status {recorded[0]}, not {alone[0]}; {len(recorded[1])} bytes of answers, not {len(alone[1])}")
    print("\n".join(faults) or f"redis-server does the same in {len(MEASURES)} ways")
    return 1 if faults else 0


sys.exit(main())
