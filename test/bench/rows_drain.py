"""Row: how fast the recorder empties the rings of several threads, with two processors over one."""
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import time

from measuring import progress, repeats, row_of, run

THREADS = 256  # of full_rings.c
CALLS = 110_000  # of each thread in a round: 262,000 events fill a ring
LOOK_SECONDS, LOOKS = 0.001, 5


def tasks(pid):
    return [int(entry.name) for entry in pathlib.Path(f"/proc/{pid}/task").iterdir()]


def is_busy(pid):
    """Does one of its threads run, or want to?"""
    for task in tasks(pid):
        try:
            if pathlib.Path(f"/proc/{pid}/task/{task}/stat").read_text().rsplit(")", 1)[1].split()[0] in "RD":
                return True
        except OSError:
            pass  # it has ended
    return False


def drain_seconds(recorder):
    """The program fills its rings while the recorder stands still; then the recorder empties them."""
    os.kill(recorder.pid, signal.SIGSTOP)
    recorder.stdin.write("\n")
    recorder.stdin.flush()
    recorder.stdout.readline()
    os.kill(recorder.pid, signal.SIGCONT)
    while not is_busy(recorder.pid):  # it sleeps for at most 50 ms
        pass
    begin = busy = time.perf_counter()
    looks = 0
    while looks < LOOKS:
        time.sleep(LOOK_SECONDS)
        looks += 1
        if is_busy(recorder.pid):
            busy, looks = time.perf_counter(), 0
    return busy - begin


def use(pid, processors):
    for task in tasks(pid):
        os.sched_setaffinity(task, processors)


def drain_rows(builds):
    progress("recorder with two processors")
    program, data = builds.folder / "full_rings", builds.folder / "drain.data"
    run([builds.compiler, "-g", "-O2", "-pthread", *builds.plugin_flags, builds.source / "full_rings.c", "-o", program])
    shutil.rmtree(data, ignore_errors=True)
    both = sorted(os.sched_getaffinity(0))[:2]
    taken = {1: [], 2: []}
    command = [builds.prof, "record", "--full", "--light=off", "--sample=off", "--buffer=2G", "-o", data, program, CALLS]
    with subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as recorder:
        recorder.stdout.readline()
        drain_seconds(recorder)  # from now on all pages of the rings are there
        for turn in range(repeats(24, 12)):
            for count, seconds in taken.items():
                use(recorder.pid, both[:count])
                seconds.append(drain_seconds(recorder))
            progress(f"  turn {turn + 1}: {taken[1][-1]:.3f} s with one, {taken[2][-1]:.3f} s with two")
        recorder.stdin.close()
    one, two = (statistics.median(seconds) for seconds in taken.values())
    events = 2 * THREADS * CALLS
    yield row_of("events/s of the recorder, two processors over one", one / two, 1.7, 1.9, at_least=True,
                 note=f"{THREADS} threads, {events / 1e6:.0f} million events in their rings: {events / one / 1e6:.0f} and {events / two / 1e6:.0f} million/s")
