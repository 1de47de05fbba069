#!/usr/bin/env python3
"""PROF_RECORD=1 without `prof record`: the runtime starts a recorder of its own, which nobody notices."""
import os
import shutil
import signal

import recording
from recording import PATIENCE_S, contains, equal, recorders, wait_for


def variables(bench, **more):
    runtime = bench.prof.parent.parent / "runtime" / "libprof-runtime.so.1"
    return {"PROF_RECORD": "1", "PROF_RUNTIME": str(runtime), "PROF_HELPER": str(bench.prof), **more}


def ended(bench, data="prof.data"):
    """The recorder ends a moment after the program."""
    def complete():
        result = bench.run([bench.prof, "info", "-i", data, "--format", "json"])
        return result.returncode == 0 and '"complete":true' in result.stdout
    wait_for("the end of the recorder", complete)


def alone(bench):
    result = bench.run([bench.program, "plain", 5000, 3], variables(bench))
    equal("status", result.returncode, 3)
    equal("output", result.stdout, "done\n")
    equal("stderr", result.stderr, "")
    ended(bench)
    equal("calls", bench.calls_of("leaf"), 5000)
    info = bench.info()
    contains("command", info["command"], "plain 5000 3")
    equal("lost", info["lost_events"], 0)


def whole_tree(bench):
    """Shell, forked and exec'd programs join one recording."""
    result = bench.run([bench.program, "execs", 2000], variables(bench))
    equal("status", result.returncode, 7)
    ended(bench)
    equal("calls", bench.calls_of("leaf"), 3 * 2000)
    equal("processes", bench.info()["processes"], 3)


def no_child_to_wait_for(bench):
    """The recorder is no child of the program: wait() finds only the program's own."""
    result = bench.run([bench.program, "forks", 3, 100], variables(bench), timeout=PATIENCE_S)
    equal("status", result.returncode, 0)
    ended(bench)
    equal("calls", bench.calls_of("leaf"), 300)


def nothing_is_held_open(bench):
    """A reader of the program's output sees its end at once: the recorder keeps no pipe of it."""
    equal("descriptors", bench.run([bench.program, "descriptors"], variables(bench)).stdout,
          bench.run([bench.plain, "descriptors"]).stdout)
    ended(bench)


def options(bench):
    result = bench.run([bench.program, "plain", 100, 0],
                       variables(bench, PROF_OPTIONS="-o named.data --when-full=drop"))
    equal("status", result.returncode, 0)
    ended(bench, "named.data")
    equal("calls", bench.calls_of("leaf", "named.data"), 100)
    shutil.rmtree(bench.folder / "named.data")


def interrupted(bench):
    """SIGTERM to the recorder ends the recording; the program goes on."""
    process = bench.start([bench.program, "waits", 1000], variables(bench))
    wait_for("the recording", (bench.folder / "prof.data" / "trace").exists)
    equal("first line", process.stdout.readline(), "ready\n")
    recorder, = recorders(bench)
    os.kill(recorder, signal.SIGTERM)
    ended(bench)
    contains("end", bench.info()["end"], "interrupted")
    equal("goes on", process.poll(), None)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE_S)
    equal("status", process.returncode, 9)


def bad_folder(bench):
    """What is wrong is said once, and the program runs."""
    (bench.folder / "mine").mkdir()
    (bench.folder / "mine" / "letter").write_text("dear")
    result = bench.run([bench.program, "plain", 100, 6], variables(bench, PROF_OPTIONS="-o mine"))
    equal("status", result.returncode, 6)
    equal("output", result.stdout, "done\n")
    contains("stderr", result.stderr, "something else than a recording")
    equal("lines of stderr", result.stderr.count("\n"), 1)


def no_helper(bench):
    result = bench.run([bench.program, "plain", 100, 6], variables(bench, PROF_HELPER="/nowhere/prof"))
    equal("status", result.returncode, 6)
    equal("output", result.stdout, "done\n")
    equal("lines of stderr", result.stderr.count("\n"), 1)


if __name__ == "__main__":
    recording.main([alone, whole_tree, no_child_to_wait_for, nothing_is_held_open, options, interrupted, bad_folder, no_helper])
