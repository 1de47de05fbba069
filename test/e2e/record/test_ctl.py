#!/usr/bin/env python3
"""prof ctl: finds recordings in progress by pid and name, asks for snapshots; of what can't be asked it says why."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import struct
import sys
import threading
import time

import recording
from recording import PATIENCE_S, children, contains, equal, wait_for

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from code_in_memory import changed_bytes  # noqa: E402 (lies there)


def start(bench, options, program):
    file = bench.folder / "page"
    shutil.rmtree(bench.folder / "prof.data", ignore_errors=True)
    file.write_bytes(bytes(16))
    process = bench.start([bench.prof, "record", *options, program, "until", file])
    wait_for("calls", lambda: struct.unpack("q", file.read_bytes()[:8])[0] > 1000)
    pid = children(process.pid)[0]
    wait_for("its recorder", lambda: ctl(bench, pid).returncode == 0)
    return file, process, pid


def stop(file, process):
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))
    output, errors = process.communicate(timeout=PATIENCE_S)
    equal("status", process.returncode, 5)
    equal("output", output, f"{struct.unpack('q', file.read_bytes()[:8])[0]}\n")
    return errors


def ctl(bench, *words):
    return bench.run([bench.prof, "ctl", *words])


def refused(bench, words, what, remedy, status=2):
    result = ctl(bench, *words)
    equal(f"status of {words}", result.returncode, status)
    contains(f"what {words} says", result.stderr, what)
    contains(f"remedy of {words}", result.stderr, remedy)
    equal(f"stdout of {words}", result.stdout, "")


def snapshots(bench):
    """By the program's pid, prof's pid, and the name; each is whole when ctl has ended."""
    named = bench.folder / f"n{os.getpid()}"
    shutil.copy(bench.program, named)
    file, process, pid = start(bench, ["--mode=ring", "--keep=512M"], named)
    for number, who in enumerate((pid, process.pid, named.name), start=1):
        asked = ctl(bench, who, "snapshot")
        equal(f"{who}: {asked.stderr}", asked.returncode, 0)
        equal("answer", asked.stdout, f"snapshot written: prof.data/snapshot-{number:04}\n")
        equal("verify", bench.run([bench.prof, "verify", f"prof.data/snapshot-{number:04}"]).returncode, 0)
        equal("calls", bench.calls_of("leaf", f"prof.data/snapshot-{number:04}") > 0, True)
    for words in ((pid, "status"), (pid,), ()):
        shown = ctl(bench, *words)
        contains("status", shown.stdout, f"process {pid}, recorded for ")
        contains("status", shown.stdout, "for prof.data, snapshots: 3\n")
    refused(bench, [pid, "jump"], "unknown word 'jump'", "status snapshot start stop")
    refused(bench, [pid, "snapshot", "now", "too"], "takes a program and a word", "prof ctl")
    refused(bench, ["no-such-name"], "no program called no-such-name is being recorded", f"{pid} {named.name}")
    refused(bench, [1], "process 1 is not being recorded", "being recorded: ")
    contains("at the end", stop(file, process), "prof: 4 snapshots")
    refused(bench, [pid, "snapshot"], f"process {pid} does not exist", "record")  # others may be recorded or not


def the_next_part(bench):
    file, process, pid = start(bench, ["--split=1h"], bench.program)
    asked = ctl(bench, pid, "snapshot")
    equal("answer", asked.stdout, "the recording goes on in prof.data/part-0002\n")
    contains("status", ctl(bench, pid).stdout, "in prof.data, part 2\n")
    contains("at the end", stop(file, process), "prof: 2 parts")
    for part in ("part-0001", "part-0002"):
        equal(f"verify {part}", bench.run([bench.prof, "verify", f"prof.data/{part}"]).returncode, 0)


def an_ordinary_one(bench):
    file, process, pid = start(bench, [], bench.program)
    refused(bench, [pid, "snapshot"], "has no snapshots", "--mode=ring")
    contains("status", ctl(bench, pid).stdout, "in prof.data\n")
    process.send_signal(signal.SIGUSR2)  # no effect
    stop(file, process)
    equal("complete", bench.info()["complete"], True)


def the_recorder_dies(bench):
    """Nothing is left behind: the name is free, and no message waits for ever."""
    file, process, pid = start(bench, ["--mode=ring"], bench.program)
    process.kill()
    process.wait(timeout=PATIENCE_S)
    wait_for("its end", lambda: ctl(bench, pid).returncode != 0)
    refused(bench, [pid, "snapshot"], f"process {pid} is not being recorded", "record")
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))
    wait_for("the program's end", lambda: not os.path.exists(f"/proc/{pid}"))


def calls_now(file):
    return struct.unpack("q", file.read_bytes()[:8])[0]


def more_calls(file, number=1000):
    before = calls_now(file)
    wait_for("more calls", lambda: calls_now(file) > before + number)


def done(bench, words, answer):
    asked = ctl(bench, *words)
    equal(f"{words}: {asked.stderr}", asked.returncode, 0)
    equal(f"answer to {words}", asked.stdout, f"{answer}\n")


def off_and_on(bench):
    """While it is off no call is recorded, and probes are nops; the frames that are open when it goes on are no new calls."""
    file, process, pid = start(bench, ["--sample=off"], bench.program)
    equal("probes are on", changed_bytes(pid) > 0, True)
    done(bench, [pid, "stop"], "recording is off")
    refused(bench, [pid, "stop"], "nothing is being recorded now", "prof ctl NAME start")
    contains("status", ctl(bench, pid).stdout, "in prof.data, off\n")
    wait_for("nops", lambda: changed_bytes(pid) == 0)
    off = calls_now(file)
    more_calls(file, 100000)
    on = calls_now(file)
    done(bench, [pid, "start"], "recording goes on")
    refused(bench, [pid, "start"], "recording is on already", "status")
    wait_for("probes are on again", lambda: changed_bytes(pid) > 0)
    more_calls(file)
    stop(file, process)
    calls, made = bench.calls_of("leaf"), calls_now(file)
    if not 0 < calls <= made - (on - off):
        raise AssertionError(f"{calls} calls of {made}, of which {on - off} were made while recording was off")
    equal("main is one call", bench.calls_of("main"), 1)
    info = bench.info()
    equal("events", [control["what"] for control in info["controls"]], ["stop", "start"])
    times = [control["time_ns"] for control in info["controls"]]
    equal("in order", times, sorted(times))
    equal("slices", [(one["begin_ns"], one["end_ns"]) for one in info["slices"]], [(None, times[0]), (times[1], None)])
    equal("unmatched, lost", (info["unmatched_exits"], info["lost_events"]), (0, 0))
    equal("verify", bench.run([bench.prof, "verify", "prof.data"]).returncode, 0)
    contains("prof info", bench.run([bench.prof, "info"]).stdout, "stop at ")


def filters(bench):
    file, process, pid = start(bench, ["--sample=off"], bench.program)
    done(bench, [pid, "filter", "-F", "nothing*", "-t", "1h"],
         "-F nothing*: no function of the program has such a name; patterns are globs on the whole name: try '*part*'")
    more_calls(file, 100000)
    done(bench, [pid, "filter", "-N", "leaf"], "the filter holds from now on")
    contains("status", ctl(bench, pid).stdout, "in prof.data, filtered: -N leaf\n")
    refused(bench, [pid, "filter", "-F", "leaf", "-N", "leaf"], "-F and -N contradict each other: both have leaf", "leave it out")
    more_calls(file, 100000)
    done(bench, [pid, "filter", "off"], "there is no filter any more")
    more_calls(file)
    refused(bench, [pid, "filter"], "which filter?", "filter off")
    refused(bench, [pid, "filter", "off", "-D", "2"], "filter off takes no filters", "filter off")
    refused(bench, [pid, "filter", "--slower-than=1ms"], "--slower-than needs -F", "-F handle")
    refused(bench, [pid, "filter", "-F", "x" * 5000], "too long for one message", "fewer or shorter")
    refused(bench, [pid, "overhead", "2%"], "this recording has no budget", "--overhead=5%")
    refused(bench, [pid, "overhead"], "how much?", "overhead 2%")
    refused(bench, [pid, "stop", "now"], "too many words", "prof ctl server stop")
    stop(file, process)
    calls, made = bench.calls_of("leaf"), calls_now(file)
    if not 0 < calls < made - 200000:
        raise AssertionError(f"{calls} calls of {made}, of which 200000 were left out")
    controls = bench.info()["controls"]
    equal("events", [(one["what"], one["text"]) for one in controls],
          [("filter", "-F nothing* --time-filter 3600000000000ns"), ("filter", "-N leaf"), ("filter", "")])
    equal("verify", bench.run([bench.prof, "verify", "prof.data"]).returncode, 0)


def budgets(bench):
    file, process, pid = start(bench, ["--overhead=5%", "--sample=off"], bench.program)
    done(bench, [pid, "overhead", "2%"], "the budget is 2%")
    contains("status", ctl(bench, pid).stdout, "in prof.data, budget 2%, overhead about ")
    refused(bench, [pid, "overhead", "90%"], "90%", "1%")
    refused(bench, [pid, "overhead", "full"], "a running recording can't become full", "dev")
    refused(bench, [pid, "filter", "-F", "leaf"], "filters can't be used with a budget", "prof report -F")
    done(bench, [pid, "stop"], "recording is off")
    more_calls(file, 100000)
    done(bench, [pid, "start"], "recording goes on")
    more_calls(file)
    contains("at the end", stop(file, process), "(budget 2%)")
    equal("events", [one["what"] for one in bench.info()["controls"]], ["overhead", "stop", "start"])
    equal("verify", bench.run([bench.prof, "verify", "prof.data"]).returncode, 0)


def is_stopped(process):
    return pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "T"


def a_stopped_recorder(bench):
    """By Ctrl-Z, or with its program: each word says so at once, and changes nothing."""
    file, process, pid = start(bench, ["--mode=ring"], bench.program)
    process.send_signal(signal.SIGSTOP)
    wait_for("it is stopped", lambda: is_stopped(process))
    for words in ([], ["status"], ["snapshot"], ["stop"], ["start"], ["filter", "-D", "2"]):
        refused(bench, [pid, *words], f"prof record of process {pid} is stopped", f"kill -CONT {process.pid}", status=1)
    contains("list", ctl(bench).stdout, f"process {pid}: prof record ({process.pid}) is stopped\n")
    top = bench.run([bench.prof, "top", pid, "--once"])
    equal("status of top", top.returncode, 1)
    contains("top", top.stderr, "is stopped")
    process.send_signal(signal.SIGCONT)
    done(bench, [pid, "snapshot"], "snapshot written: prof.data/snapshot-0001")
    stop(file, process)
    equal("controls", bench.info("prof.data/snapshot-0001").get("controls", []), [])


def a_late_answer(bench):
    """A recorder that a busy machine keeps from running is waited for, unlike one that is stopped.  This process stands for one."""
    def answer(client):
        with client, contextlib.suppress(OSError):  # `prof ctl` of another test asks all recorders, and goes
            client.recv(100)
            time.sleep(6)  # more than the patience with one that is stopped
            client.sendall(b"ok here I am\n")

    def serve(server):
        known = set()
        with contextlib.suppress(OSError):  # the end
            while True:
                client = server.accept()[0]
                asker = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4]
                if asker in known:
                    threading.Thread(target=answer, args=(client,)).start()
                else:
                    client.close()  # its word had not come in time
                known.add(asker)

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0prof-control-{os.getppid()}-{os.getpid()}")
        server.listen()
        thread = threading.Thread(target=serve, args=(server,))
        thread.start()
        done(bench, [os.getppid(), "status"], "here I am")
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def another_user(bench):
    if os.geteuid() != 0:
        print("another_user: not root, can't become another one")
        return
    file, process, pid = start(bench, ["--mode=ring"], bench.program)
    home = {"HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"}
    asked = bench.run([bench.prof, "ctl", pid, "snapshot"], home, folder="/", preexec_fn=lambda: os.setuid(65534))
    equal("status", asked.returncode, 1)
    contains("what it says", asked.stderr, "is another user's")
    listed = bench.run([bench.prof, "ctl"], home, folder="/", preexec_fn=lambda: os.setuid(65534))
    equal("list", (listed.returncode, f"process {pid}," in listed.stdout), (0, False))
    if not listed.stdout:  # another test may have recordings of that user
        contains("list", listed.stderr, "none of your programs is being recorded")
    contains("at the end", stop(file, process), "prof: 1 snapshot;")


if __name__ == "__main__":
    recording.main([snapshots, the_next_part, an_ordinary_one, off_and_on, filters, budgets, the_recorder_dies, a_stopped_recorder, a_late_answer, another_user])
