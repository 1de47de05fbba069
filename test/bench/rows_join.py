"""Rows: how long a thread of a running program is held up while `prof record -p` joins and leaves it (join_pause.c), and loads the runtime."""
import os
import shutil
import statistics
import subprocess
import time

import programs
from measuring import Row, progress, repeats, run

JOINS = 4


def longest_us(builds, program, joins):
    data = builds.folder / "join.data"
    environment = {**os.environ, "PROF_STANDBY": "1", "PROF_RUNTIME": str(builds.build / "runtime" / "libprof-runtime.so.1")}
    with subprocess.Popen([program, "8"], stdout=subprocess.PIPE, env=environment, text=True) as child:
        time.sleep(0.3)
        for _ in range(joins):
            run([builds.prof, "record", "-o", data, "--duration=200ms", "--when-full=drop", "-p", child.pid])
        output, _ = child.communicate()
    shutil.rmtree(data, ignore_errors=True)
    return int(output.split()[0])


def loading_ms(builds, program):
    """As the recorder says it: from the stop of the thread until it goes on, waiting for a processor included."""
    data = builds.folder / "join.data"
    with subprocess.Popen([program, "8"], stdout=subprocess.PIPE, text=True) as child:
        time.sleep(0.3)
        done = subprocess.run([builds.prof, "record", "-o", data, "--duration=20ms", "-p", str(child.pid)], capture_output=True, text=True, check=True)
        child.terminate()
    shutil.rmtree(data, ignore_errors=True)
    return float(done.stderr.split("stopped for ")[1].split()[0])


def join_rows(builds):
    progress("join")
    program = builds.folder / "join_pause"
    run([builds.compiler, "-O2", builds.source / "join_pause.c", "-o", program, *programs.plugin_flags(builds.prof, builds.compiler),
         "-fplugin-arg-prof-min-statements=0"])
    alone = max(longest_us(builds, program, 0) for _ in range(repeats(3, 2)))
    joined = max(longest_us(builds, program, JOINS) for _ in range(repeats(5, 2)))
    yield Row("longest hold-up of a thread while prof record -p joins and leaves, us", f"{joined}", "<= 10000", "1000", joined <= 10000,
              f"without: {alone}; preempted times don't count")
    pauses = [loading_ms(builds, program) for _ in range(repeats(25, 3))]
    median = statistics.median(pauses)
    yield Row("stop of one thread while prof record -p loads the runtime, ms", f"{median}", "<= 10", "1", median <= 10,
              f"median of {len(pauses)}, longest {max(pauses)}")
