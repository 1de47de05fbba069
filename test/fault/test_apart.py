#!/usr/bin/env python3
"""Programs that can't reach the recorder: another user, another pid namespace, no /proc.  They run as plain, and one line says why
nothing of them is recorded."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e" / "record"))
import recording  # noqa: E402
from recording import contains, equal  # noqa: E402

NOBODY = "65534"


def may(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def other_user(bench):
    if os.geteuid():
        return
    bench.folder.chmod(0o755)
    other = f"setpriv --reuid {NOBODY} --clear-groups {bench.program} plain 20 3"
    result = bench.record("-c", f"{bench.program} plain 10 0; {other}", program="sh")
    equal("output and status", (result.stdout, result.returncode), ("done\ndone\n", 3))
    contains("stderr", result.stderr, "no permission for the recording region")
    equal("calls", bench.calls_of("leaf"), 10)


def other_pid_namespace(bench):
    space = ["unshare", "-pf", "--mount-proc"]
    if not may(*space, "true"):
        print("other_pid_namespace: no right to make one")
        return
    result = bench.record(*space[1:], bench.program, "plain", 20, 3, program="unshare")
    equal("output and status", (result.stdout, result.returncode), ("done\n", 3))
    contains("stderr", result.stderr, "another pid namespace")


def no_proc(bench):
    space = ["unshare", "-m", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh"]
    if not may(*space, "true"):
        print("no_proc: no right to take it away")
        return
    environment = {"PROF_RUNTIME": str(next(bench.prof.parent.parent.glob("runtime/libprof-runtime.so.1")))}
    result = bench.run([*space, bench.prof, "record", bench.program, "plain", 20, 3], environment)
    equal("nothing is run", (result.stdout, result.returncode), ("", 1))
    contains("stderr", result.stderr, "mount -t proc")
    alone = bench.run([*space, bench.program, "plain", 20, 3], {**environment, "PROF_RECORD": "1", "PROF_HELPER": str(bench.prof)})
    equal("alone: output and status", (alone.stdout, alone.returncode), ("done\n", 3))
    contains("alone: stderr", alone.stderr, "mount -t proc")
    inside = " ".join(map(str, [*space[:3], "-c", f"'umount -l /proc; {bench.program} plain 20 3'"]))
    result = bench.record("-c", f"{bench.program} plain 10 0; {inside}", program="sh")
    equal("inside: output and status", (result.stdout, result.returncode), ("done\ndone\n", 3))
    contains("inside: stderr", result.stderr, "/proc isn't mounted here")
    equal("calls", bench.calls_of("leaf"), 10)


if __name__ == "__main__":
    recording.main([other_user, other_pid_namespace, no_proc])
