"""Row: how long a thread of a running program is held up while `prof record -p` joins and leaves it (join_pause.c)."""
import os
import shutil
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


def join_rows(builds):
    progress("join")
    program = builds.folder / "join_pause"
    run([builds.compiler, "-O2", builds.source / "join_pause.c", "-o", program, *programs.plugin_flags(builds.prof, builds.compiler),
         "-fplugin-arg-prof-min-statements=0"])
    alone = max(longest_us(builds, program, 0) for _ in range(repeats(3, 2)))
    joined = max(longest_us(builds, program, JOINS) for _ in range(repeats(5, 2)))
    yield Row("longest hold-up of a thread while prof record -p joins and leaves, us", f"{joined}", "<= 10000", "1000", joined <= 10000,
              f"without: {alone}; preempted times don't count")
