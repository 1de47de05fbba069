#!/usr/bin/env python3
"""First contact: what a recording of nothing leaves alone, how it ends, what its options look like afterwards."""
import signal
import subprocess
from pathlib import Path

import recording
from recording import PATIENCE_S, contains, equal, wait_for


def nothing_keeps_the_older(bench):
    bench.record("plain", 1000, 0)
    bench.record("plain", 2000, 0)
    result = bench.run([bench.prof, "record", "/bin/true"])
    equal("status", result.returncode, 0)
    contains("stderr", result.stderr, "the earlier recording is kept in prof.data\n")
    equal("folders", sorted(path.name for path in bench.folder.glob("prof.data*")), ["prof.data", "prof.data.old"])
    equal("calls", bench.calls_of("leaf"), 2000)
    equal("calls of the older", bench.calls_of("leaf", "prof.data.old"), 1000)


def something_moves_it(bench):
    bench.record("plain", 1000, 0)
    bench.record("plain", 2000, 0)
    equal("folders", sorted(path.name for path in bench.folder.glob("prof.data*")), ["prof.data", "prof.data.old"])
    equal("calls", bench.calls_of("leaf"), 2000)
    equal("calls of the older", bench.calls_of("leaf", "prof.data.old"), 1000)


def empty_names_the_older(bench):
    bench.run([bench.prof, "record", "/bin/true"])
    equal("folders", [path.name for path in bench.folder.glob("prof.data*")], ["prof.data"])
    contains("stderr", bench.run([bench.prof, "report"]).stderr, "was the program compiled with the plugin?")
    bench.record("plain", 1000, 0, options=["-o", "prof.data.old"])
    contains("stderr", bench.run([bench.prof, "report"]).stderr, "-i prof.data.old")


def all_options(bench):
    many = [f"--level={number % 19 + 1}" for number in range(40)]
    long_name = "x" * 200
    bench.record("plain", 10, 0, options=[*many, "-o", long_name])
    equal("options", bench.info(long_name)["options"], " ".join([*many, f"--output={long_name}"]))


def no_unit(bench):
    for option in ("--delay=5", "--delay=0.5", "--duration=7"):
        result = bench.record("plain", 10, 0, options=[option])
        equal("status", result.returncode, 2)
        contains("stderr", result.stderr, f"{option} has no unit\n  write the unit: ")


def then_stop(bench):
    """The program would run for an hour."""
    result = bench.run([bench.prof, "record", "--duration=300ms", "--then=stop", "sleep", "3600"])
    equal("status", result.returncode, -signal.SIGTERM)
    result = bench.record("plain", 10, 0, options=["--then=stop"])
    equal("status without --duration", result.returncode, 2)
    contains("stderr", result.stderr, "--then=stop needs --duration")


def then_continue(bench):
    result = bench.run([bench.prof, "record", "--duration=50ms", "--then=continue", "sh", "-c", "sleep 0.3; exit 5"])
    equal("status", result.returncode, 5)


def status_of(pid):
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def ignores(pid, number):
    return bool(int(status_of(pid)["SigIgn"], 16) >> (number - 1) & 1)


def ignored_interrupt(bench):
    """Started in the background of a script, prof and program ignore SIGINT; SIGTERM ends both in good order."""
    process = bench.start([bench.prof, "record", bench.program, "waits", 1000],
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    equal("first line", process.stdout.readline(), "ready\n")
    program = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
    equal("ignore SIGINT", [ignores(pid, signal.SIGINT) for pid in [process.pid, *program]], [True, True])
    process.send_signal(signal.SIGINT)
    # It waits only while prof has signals blocked, as to make a thread.
    wait_for("no waiting signals of prof", lambda: [status_of(process.pid)[key] for key in ("SigPnd", "ShdPnd")] == ["0" * 16] * 2)
    equal("runs", process.poll(), None)
    process.send_signal(signal.SIGTERM)
    errors = process.communicate(timeout=PATIENCE_S)[1]
    equal("status", process.returncode, 9)
    contains("stderr", errors, "none lost")
    equal("calls", bench.calls_of("leaf"), 1000)
    equal("complete", bench.info()["complete"], True)


def lines_end(bench):
    """The program's last line may have no end: in a file prof sees that, elsewhere it begins a line of its own."""
    for text, expected in (("no end", "no end\nprof: "), ("an end\\n", "an end\nprof: "), ("", "prof: ")):
        path = bench.folder / "stderr"
        with open(path, "w", encoding="utf-8") as file:
            subprocess.run([bench.prof, "record", "sh", "-c", f"printf '{text}' >&2"], stderr=file, check=True,
                           env=bench.environment(), cwd=bench.folder)
        equal("stderr", path.read_text(encoding="utf-8")[:len(expected)], expected)
    result = bench.run([bench.prof, "record", "sh", "-c", "printf 'no end' >&2"])
    contains("stderr", result.stderr, "no end\nprof: ")


def limited_address_space(bench):
    """Of prof and program, below what a recording for thousands of threads would map."""
    result = bench.run(["sh", "-c", f"ulimit -v 600000; {bench.prof} record {bench.program} plain 1000 0"])
    equal("status", result.returncode, 0)
    equal("calls", bench.calls_of("leaf"), 1000)


if __name__ == "__main__":
    recording.main([nothing_keeps_the_older, something_moves_it, empty_names_the_older, all_options, no_unit, then_stop,
                    then_continue, ignored_interrupt, lines_end, limited_address_space])
