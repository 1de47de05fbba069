"""One program, one compiler, one level: built plain and with the plugin, run plain, off and on, compared.

In: sources and flags.  Out: a verdict and, where it isn't "same", what was seen.  A program that does not build or pass plain,
or not twice the same, says nothing about the plugin: its verdict is "skipped: why".  A program that checks itself needs the
plain build only where it does not pass with the plugin (`passes`).  Used by torture.py and random_programs.py.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import types

SAME, PASSED, DIFFERS, REFUSED, CRASHED, TRACE = "same", "passed", "differs", "refused", "compiler crashed", "trace"
COMPILE_S, PLAIN_CPU_S, RUN_CPU_S, WALL_S = 120, 10, 60, 900
RECORD_LINES = re.compile(rb"\n(?:^(?:prof: |  ).*\n?)+\Z", re.MULTILINE)  # on a line of their own, whatever stands before them
CRASH = re.compile(r"internal compiler error|PLEASE submit a bug report|PLEASE ATTACH|Stack dump:|LLVM ERROR|unable to execute command")
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("PROF_")} | {"LC_ALL": "C"}
ADDRESS = re.compile(rb"\b(0x)?([0-9a-f]{6,16})\b")
LEAVES = re.compile(r"longjmp|chk_fail|#\s*include\s*\"|goto|context|unwind|pthread|fork")
FAMILIES = {"gcc": "g++", "clang": "clang++"}
# What links objects in a fifth of the time that clang takes to run the default linker.
LINKERS = {"c": "gcc", "cxx": "g++"}
QUICK_LINK = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
# Of Clang, what it refuses by default though the standard that the tests were written for allows it.
CLANG_C = ["-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion", "-Wno-return-mismatch",
           "-Wno-incompatible-function-pointer-types", "-Wno-ignored-optimization-argument", "-Wno-unused-command-line-argument"]


def compiler_new(name, plugin, prof):
    """The compiler called NAME (gcc-12) with the plugin file, or None and why not."""
    family, _, major = name.partition("-")
    backend = plugin.parent / f"prof-{name}.so"
    if family not in FAMILIES or not backend.exists():
        return None, f"no backend for {name} was built"
    commands = {"c": name, "cxx": f"{FAMILIES[family]}-{major}"}
    for command in commands.values():
        if not shutil.which(command):
            return None, f"{command} is not installed"
    version = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    digest = hashlib.sha256(version.encode())
    plain = digest.hexdigest()[:16]
    for file in (plugin, backend, prof, prof.parent.parent / "runtime" / "libprof-runtime.so.1"):
        digest.update(file.read_bytes())
    return types.SimpleNamespace(name=name, family=family, commands=commands, version=version, plugin=plugin, prof=prof,
                                 plain_digest=plain, digest=digest.hexdigest()[:16]), None


def run(command, folder, cpu_s=RUN_CPU_S, environment=None):
    """(status, stdout, stderr); status "time" where a limit was reached.  `environment`: more variables."""
    # By a shell, because a function between fork and exec costs Python more than that.
    limited = ["sh", "-c", f"ulimit -c 0; ulimit -S -t {cpu_s}; exec \"$@\"", "sh", *command]
    try:
        result = subprocess.run(limited, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                env=ENVIRONMENT | (environment or {}), timeout=WALL_S)
    except subprocess.TimeoutExpired:
        return "time", b"", b""
    if result.returncode in (-24, 128 + 24):  # SIGXCPU: by itself or from `prof record`
        return "time", b"", b""
    return result.returncode, result.stdout, result.stderr


def compile_command(compiler, language, flags, sources, probed):
    return [compiler.commands[language], *(CLANG_C if compiler.family == "clang" else []), *flags,
            *([f"-fplugin={compiler.plugin}"] if probed else []), *map(str, sources)]


def build(compiler, language, flags, sources, output, probed, folder):
    """None, or what the compiler said."""
    command = [*compile_command(compiler, language, flags, sources, probed), "-o", output, "-lm"]
    status, out, errors = run(command, folder, COMPILE_S)
    if status == 0:
        return None
    return f"{' '.join(command)}\nstatus {status}\n" + (out + errors).decode("latin-1")[-3000:]


def built_quickly(compiler, language, flags, sources, output, folder):
    """With the plugin, in two commands: one that only compiles starts no second clang, and the linker is the fastest."""
    linker = LINKERS[language] if compiler.family == "clang" else compiler.commands[language]
    objects = [pathlib.Path(source).stem + ".o" for source in sources]
    compiled = run([*compile_command(compiler, language, flags, sources, True), "-c"], folder, COMPILE_S)
    return compiled[0] == 0 and run([linker, *QUICK_LINK, *flags, *objects, "-o", output, "-lm"], folder, COMPILE_S)[0] == 0


def program_run(folder, prefix=(), cpu_s=RUN_CPU_S):
    """The program always has the same name and folder, because programs print them."""
    return run([*prefix, "./program"], folder, cpu_s)


def baseline(compiler, language, flags, sources, folder):
    """What the plain program does, or (None, why it can't be a measure)."""
    if build(compiler, language, flags, sources, "program", False, folder):
        return None, "plain build fails"
    seen = program_run(folder, cpu_s=PLAIN_CPU_S)
    if seen[0] == "time":
        return None, "plain run takes too long"
    if seen[0] != 0:
        return None, "plain run fails"
    return seen, None


def leaves_frames(sources):
    """May a program leave frames without returning from them?  A word of it says so, or a file that it includes might; C++ may throw."""
    paths = [pathlib.Path(source) for source in sources]
    return any(path.suffix != ".c" or (path.exists() and LEAVES.search(path.read_text(encoding="latin-1"))) for path in paths)


def trace_faults(compiler, folder, sources):
    """What is wrong with the recording that the program left."""
    status, out, errors = run([compiler.prof, "info", "--format=json", "-i", "trace"], folder)
    if status != 0:
        return f"prof info: status {status} {errors.decode('latin-1')[-300:]}"
    info = json.loads(out)
    faults = [f"{name} {info[name]}" for name in ("lost_events", "torn_events", "unmatched_exits", "unreadable_bytes", "damaged_chunks",
                                                  "skipped_sites", "inversions") if info[name]]
    if info["skipped_frames"] and not leaves_frames(sources):
        faults.append(f"skipped_frames {info['skipped_frames']}, though nothing jumps or throws")
    if not info["complete"]:
        faults.append("incomplete")
    if not info["events"]:
        faults.append("nothing was recorded")
    return ", ".join(faults)


def short(seen):
    return f"status {seen[0]}, stdout {seen[1][-200:]!r}, stderr {seen[2][-200:]!r}"


def recorded_run(compiler, folder):
    """What the program does under `prof record`, without the lines that that adds."""
    status, out, errors = program_run(folder, (compiler.prof, "record", "--max-size=200M", "-o", "trace", "--"))
    return status, out, RECORD_LINES.sub(b"", errors)


def passes(compiler, language, flags, sources):
    """Does a program that checks itself pass with the plugin, off and on, doing the same in both, with a sound recording?

    Then there is nothing to ask the plain build.  False decides nothing: `trial` does.
    """
    with tempfile.TemporaryDirectory(prefix="prof-torture-") as folder:
        if not shutil.which(LINKERS[language]) or not built_quickly(compiler, language, flags, sources, "program", folder):
            return False
        off = program_run(folder)
        return off[0] == 0 and recorded_run(compiler, folder) == off and not trace_faults(compiler, folder, sources)


def masked(seen):
    """What was seen, with each number that may be an address replaced by when it came first: some tests print addresses."""
    order = {}

    def ordinal(match):
        return b"@%d" % order.setdefault(match[2], len(order))
    return seen[0], ADDRESS.sub(ordinal, seen[1]), ADDRESS.sub(ordinal, seen[2])


def compared(compiler, language, flags, sources, folder, plain, view=lambda seen: seen):
    """(verdict, text) of the probed build.  `view`: what of a run is compared."""
    said = build(compiler, language, flags, sources, "program", True, folder)
    if said:
        return (CRASHED if CRASH.search(said) else REFUSED), said
    off = program_run(folder)
    if view(off) != view(plain):
        return DIFFERS, f"plain {short(plain)}\noff {short(off)}"
    on = recorded_run(compiler, folder)
    if view(on) != view(plain):
        return DIFFERS, f"plain {short(plain)}\non {short(on)}"
    fault = trace_faults(compiler, folder, sources)
    return (TRACE, fault) if fault else (SAME, "")


def runs_shortly(compiler, language, flags, sources, cpu_s):
    """Does the plain program end within a time?  One that can't be built does."""
    with tempfile.TemporaryDirectory(prefix="prof-torture-") as folder:
        if build(compiler, language, flags, sources, "program", False, folder):
            return True
        return program_run(folder, cpu_s=cpu_s)[0] != "time"


def differs_by_itself(compiler, language, flags, sources, folder, plain):
    """Does the plain program do something else when it runs again, or when fresh memory of malloc holds other bytes?"""
    again, _ = baseline(compiler, language, flags, sources, folder)
    filled = (run(["./program"], folder, environment={"MALLOC_PERTURB_": fill}) for fill in ("1", "165"))
    return again != plain or any(seen != plain for seen in filled)


def trial(compiler, language, flags, sources, keep=None):
    """The verdict of one program, and what was seen.  `keep`: a folder to leave its files in."""
    folder = tempfile.mkdtemp(prefix="prof-torture-")
    try:
        plain, why = baseline(compiler, language, flags, sources, folder)
        if plain is None:
            return f"skipped: {why}", ""
        verdict, text = compared(compiler, language, flags, sources, folder, plain)
        if verdict == DIFFERS and differs_by_itself(compiler, language, flags, sources, folder, plain):
            verdict, text = compared(compiler, language, flags, sources, folder, plain, masked)
            return ("skipped: plain runs differ", "") if verdict == DIFFERS else (verdict, text)
        return verdict, text
    finally:
        if keep:
            shutil.copytree(folder, keep, dirs_exist_ok=True, symlinks=True)
        shutil.rmtree(folder, ignore_errors=True)
