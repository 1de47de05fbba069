"""What several tests of this folder ask of a running program."""
import pathlib
import signal
import struct

from recording import PATIENCE_S, equal, wait_for


def counted(file):
    """What both threads of `endless` say that they have called."""
    try:
        return struct.unpack("qq", file.read_bytes()[:16])
    except (OSError, struct.error):
        return (0, 0)


def until_stopped(bench, name):
    """What `until` shares: a function that says how often it has called, and one that stops it."""
    file = bench.folder / name
    file.write_bytes(bytes(16))

    def stop():
        with file.open("r+b") as page:  # not a new one: the program has it mapped
            page.seek(8)
            page.write(struct.pack("q", 1))
    return file, lambda: counted(file)[0], stop


def naps(pid):
    """How often the process has waited for something."""
    words = pathlib.Path(f"/proc/{pid}/status").read_text().split()
    return int(words[words.index("voluntary_ctxt_switches:") + 1])


def goes_on_whole(bench, process, called, stop):
    """Continues a stopped recorder of `until`: the program goes on to its end, and no call is lost."""
    waited_at = called()
    process.send_signal(signal.SIGCONT)
    wait_for("calls after that", lambda: called() > waited_at + 1000000)
    stop()
    output = process.communicate(timeout=PATIENCE_S)[0]
    equal("status", process.returncode, 5)
    equal("calls", f"{bench.calls_of('leaf')}\n", output)
    equal("lost", bench.info()["lost_events"], 0)
