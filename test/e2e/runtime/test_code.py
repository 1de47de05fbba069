#!/usr/bin/env python3
"""What the runtime's machine code may use: no vector registers, and no libc where a probe may come."""
import argparse
import pathlib
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--runtime", required=True)
parser.add_argument("--objects", required=True, help="the object files, separated by commas")
options = parser.parse_args()
faults = []

# What trampolines may reach; those of pthread are called with vector registers saved, or at attach.
PROBE_FILES = {f"{name}.c.o" for name in ("context", "fork", "gates", "image", "log", "ring", "rows", "segments", "slow_path",
                                          "thread", "usage", "wait", "windows")}
ALLOWED = {"pthread_setspecific", "pthread_key_create", "pthread_atfork", "_GLOBAL_OFFSET_TABLE_"}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


code = output("objdump", "-d", "--no-show-raw-insn", options.runtime)
faults += [f"vector register: {line.strip()}" for line in code.splitlines() if re.search(r"%([xyz]?mm\d|st\b)", line)]

exported = {line.split()[-1] for line in output("nm", "-D", "--defined-only", options.runtime).splitlines()}
if exported != {"prof_runtime_attach_v1", "prof_runtime_capture_v1", "prof_runtime_detach_v1", "prof_runtime_instrument_v1", "prof_runtime_late_v1"}:
    faults.append(f"exports {sorted(exported)}")

needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", options.runtime)))
if not needed <= {"libc.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}:
    faults.append(f"needs {sorted(needed)}")

seen = set()
for name in options.objects.split(","):
    path = pathlib.Path(name)
    if path.name in PROBE_FILES:
        seen.add(path.name)
        undefined = {line.split()[-1] for line in output("nm", "-u", name).splitlines()}
        faults += [f"{path.name} calls {symbol}" for symbol in sorted(undefined)
                   if not symbol.startswith("prof_") and symbol not in ALLOWED]
faults += [f"{name} was not looked at" for name in sorted(PROBE_FILES - seen)]

print("\n".join(faults))
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
