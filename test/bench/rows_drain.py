"""Row: how fast the recorder empties the rings of several threads, with two processors over one."""
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import time

from measuring import progress, repeats, row_of, run

BUFFER_MB, EVENT_BYTES, ROUNDS = 512, 16, 100_000_000
THREADS = 8  # of dense_threads.c
LOOK_SECONDS = 0.002


def tasks(pid):
    return [int(entry.name) for entry in pathlib.Path(f"/proc/{pid}/task").iterdir()]


def is_idle(pid):
    """Does none of its threads run, or want to?"""
    for task in tasks(pid):
        try:
            if pathlib.Path(f"/proc/{pid}/task/{task}/stat").read_text().rsplit(")", 1)[1].split()[0] in "RD":
                return False
        except OSError:
            pass  # it has ended
    return True


def wait_until_idle(pid):
    """The moment since when it has been idle in three looks."""
    since, looks = time.perf_counter(), 0
    while looks < 3:
        time.sleep(LOOK_SECONDS)
        if not is_idle(pid):
            since, looks = time.perf_counter(), 0
        else:
            looks += 1
    return since


def child_of(pid):
    while True:
        for task in tasks(pid):
            children = pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()
            if children and os.path.basename(os.readlink(f"/proc/{children[0]}/exe")) == "dense_threads":
                return int(children[0])
        time.sleep(LOOK_SECONDS)


def drain_seconds(builds, program, processors):
    """The program fills its rings while the recorder stands still; then the recorder empties them while the program does."""
    data = builds.folder / "drain.data"
    shutil.rmtree(data, ignore_errors=True)
    command = [builds.prof, "record", "--full", "--light=off", "--sample=off", "--max-size=0", f"--buffer={BUFFER_MB}M", "-o", data, program, str(ROUNDS)]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as recorder:
        try:
            child = child_of(recorder.pid)
            os.kill(recorder.pid, signal.SIGSTOP)
            while len(tasks(child)) < 1 + THREADS:
                time.sleep(LOOK_SECONDS)
            wait_until_idle(child)
            os.kill(child, signal.SIGSTOP)
            for task in tasks(recorder.pid):
                os.sched_setaffinity(task, processors)
            begin = time.perf_counter()
            os.kill(recorder.pid, signal.SIGCONT)
            return wait_until_idle(recorder.pid) - begin
        finally:
            for pid, number in ((child, signal.SIGKILL), (recorder.pid, signal.SIGCONT)):
                os.kill(pid, number)
            recorder.wait()


def drain_rows(builds):
    progress("recorder with two processors")
    program = builds.folder / "dense_threads"
    run([builds.compiler, "-g", "-O2", "-pthread", *builds.plugin_flags, builds.source / "dense_threads.c", "-o", program])
    both = sorted(os.sched_getaffinity(0))[:2]
    taken = {1: [], 2: []}
    for turn in range(repeats()):
        for count in taken:
            taken[count].append(drain_seconds(builds, program, both[:count]))
        progress(f"  turn {turn + 1}: {taken[1][-1]:.3f} s with one, {taken[2][-1]:.3f} s with two")
    one, two = (statistics.median(taken[count]) for count in (1, 2))
    events = BUFFER_MB * 2**20 / EVENT_BYTES
    yield row_of("events/s of the recorder, two processors over one", one / two, 1.7, 1.9, at_least=True,
                 note=f"eight threads, {events / 1e6:.0f} million events in their rings: {one:.3f} and {two:.3f} s, "
                      f"{events / one / 1e6:.0f} and {events / two / 1e6:.0f} million/s")
