#!/usr/bin/env python3
"""Exit status, signals, and what is said when there is nothing to record."""
import ctypes
import os
import shutil
import signal
import struct

import recording
from recording import PATIENCE_S, children, contains, equal, wait_for

SYS_RT_SIGACTION = 13


def by_signal(bench):
    """Who started prof sees the program's own death."""
    for number in (signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL):
        result = bench.record("raises", 1000, int(number))
        equal(f"status after {number.name}", result.returncode, -number)
        contains("stderr", result.stderr, number.name)
        equal("calls", bench.calls_of("leaf"), 1000)
        equal("complete", bench.info()["complete"], True)


def by_a_filter(bench):
    """What a seccomp filter that kills has to allow (docs/reliability.md, Sandboxes)."""
    result = bench.record("raises", 10, int(signal.SIGSYS))
    equal("status", result.returncode, -signal.SIGSYS)
    contains("stderr", result.stderr, "SIGSYS\n  if by its seccomp filter: recording needs rt_sigprocmask, futex, getcpu, prctl, clock_gettime\n")


def no_core_of_ours(bench):
    """Dying like the program, prof leaves no core file of its own."""
    bench.record("raises", 10, int(signal.SIGSEGV), folder=bench.folder)
    equal("core files", [path.name for path in bench.folder.glob("core*")], [])


def terminate_is_passed_on(bench):
    process = bench.start([bench.prof, "record", bench.program, "waits", 1000])
    equal("first line", process.stdout.readline(), "ready\n")
    process.send_signal(signal.SIGTERM)
    errors = process.communicate(timeout=PATIENCE_S)[1]
    equal("status", process.returncode, 9)
    contains("stderr", errors, "none lost")
    equal("calls", bench.calls_of("leaf"), 1000)


def interrupt_is_the_programs(bench):
    """A terminal sends SIGINT to both; prof survives it and finishes the recording."""
    process = bench.start([bench.prof, "record", bench.program, "waits", 1000], start_new_session=True)
    equal("first line", process.stdout.readline(), "ready\n")
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    equal("status", process.returncode, -signal.SIGINT)
    equal("calls", bench.calls_of("leaf"), 1000)
    equal("complete", bench.info()["complete"], True)


def ignored_signals_stay_ignored(bench):
    """As under nohup."""
    result = bench.run(["sh", "-c", f"trap '' HUP INT; {bench.prof} record sh -c 'kill -HUP $$; kill -INT $$; exit 6'"])
    equal("status", result.returncode, 6)


def children_ignored(bench):
    """Who started prof ignores SIGCHLD, and that is inherited: the program's end is known all the same."""
    result = bench.run([bench.prof, "record", bench.program, "plain", 100, 6],
                       preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    equal("status", result.returncode, 6)
    state = bench.run([bench.prof, "record", "grep", "SigIgn", "/proc/self/status"],
                      preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)).stdout.split()[1]
    equal("SIGCHLD is ignored in the program", int(state, 16) >> (signal.SIGCHLD - 1) & 1, 1)


def signals_of_the_program(bench):
    """What a program inherits is as without prof: blocked, ignored."""
    def odd():
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCONT, signal.SIGTERM])

    def spawned():
        """The C library's own signals, as posix_spawn() leaves them: only the kernel's call changes them."""
        ignored = struct.pack("4Q", int(signal.SIG_IGN), 0, 0, 0)
        for number in (32, 33):
            if ctypes.CDLL(None).syscall(SYS_RT_SIGACTION, number, ignored, None, 8):
                os._exit(99)
    for before in (None, odd, spawned):
        words = ["grep", "Sig", "/proc/self/status"]
        expected, got = (bench.run([*prefix, *words], preexec_fn=before).stdout.splitlines()[1:]
                         for prefix in ([], [bench.prof, "record"]))
        equal("masks", got, expected)


def job_control(bench):
    """A program that stops itself stops prof too, and goes on with it."""
    process = bench.start([bench.prof, "record", "sh", "-c", f"kill -STOP $$; {bench.program} plain 100 8"])
    status = os.waitpid(process.pid, os.WUNTRACED)[1]
    equal("stopped", os.WIFSTOPPED(status), True)
    os.kill(process.pid, signal.SIGCONT)
    process.communicate(timeout=PATIENCE_S)
    equal("status", process.returncode, 8)
    equal("calls", bench.calls_of("leaf"), 100)


def continued_alone(bench):
    """A program that others stop and continue goes on recorded; prof, which stopped with it, does so too."""
    def counted():
        return struct.unpack("q", file.read_bytes()[:8])[0]
    file = bench.folder / "page"
    file.write_bytes(bytes(16))
    process = bench.start([bench.prof, "record", bench.program, "until", file])
    wait_for("calls", lambda: counted() > 0)
    program = children(process.pid)[0]
    for _ in range(3):
        os.kill(program, signal.SIGSTOP)
        equal("stopped", os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1]), True)
        before = counted()
        os.kill(program, signal.SIGCONT)
        equal("continued", os.WIFCONTINUED(os.waitpid(process.pid, os.WCONTINUED)[1]), True)
        wait_for("more calls", lambda before=before: counted() > before + 1000000)  # more than fit into its ring
    with file.open("r+b") as page:
        page.seek(8)
        page.write(struct.pack("q", 1))
    output = process.communicate(timeout=PATIENCE_S)[0]
    equal("status", process.returncode, 5)
    equal("calls", bench.calls_of("leaf"), int(output))
    equal("events lost", bench.info()["lost_events"], 0)


def streams(bench):
    """Standard input, output and error are the program's."""
    result = bench.run(["sh", "-c", f"echo in | {bench.prof} record sh -c 'cat; echo err >&2'"])
    equal("stdout", result.stdout, "in\n")
    equal("first line of stderr", result.stderr.split("\n")[0], "err")


def no_such_program(bench):
    for name in ("./nowhere", "nowhere-at-all"):
        result = bench.record(program=name)
        equal("status", result.returncode, 127)
        contains("stderr", result.stderr, "no such program")
        equal("a folder was made", (bench.folder / "prof.data").exists(), False)


def not_executable(bench):
    file = bench.folder / "file"
    file.write_text("text")
    equal("status of a file", bench.record(program=file).returncode, 126)
    equal("status of a folder", bench.record(program=bench.folder).returncode, 126)
    file.chmod(0o755)
    result = bench.record(program=file)  # no magic number: a shell's script, as execvp has it
    equal("status", result.returncode, 127)
    contains("stderr", result.stderr, "is a script" if result.stderr.count("is a script") else "no program")


def no_probes(bench):
    result = bench.record("plain", 10, 3, program=bench.plain)
    equal("status", result.returncode, 3)
    contains("stderr", result.stderr, "not compiled with the plugin")
    static = bench.folder / "static"
    bench.build("calls.c", static, ["-static"])
    result = bench.record("plain", 10, 3, program=static)
    equal("status", result.returncode, 3)
    contains("stderr", result.stderr, "static")


def lto_without_plugin(bench):
    part, program = bench.folder / "part.o", bench.folder / "lto"
    bench.build("calls.c", part, ["-flto", "-c"])
    bench.build_plain([part], program, ["-flto"])
    result = bench.record("plain", 10, 2, program=program)
    equal("status", result.returncode, 2)
    contains("stderr", result.stderr, "linked without the plugin")


def script(bench):
    file = bench.folder / "script"
    file.write_text("#!/bin/sh\nexit 4\n")
    file.chmod(0o755)
    result = bench.record(program=file)
    equal("status", result.returncode, 4)
    contains("stderr", result.stderr, "is a script")


def missing_runtime(bench):
    result = bench.record("plain", 10, 0, environment={"PROF_RUNTIME": "/nowhere/runtime.so"})
    equal("status", result.returncode, 1)
    contains("stderr", result.stderr, "PROF_RUNTIME")
    lonely = bench.folder / "lonely"
    lonely.mkdir(exist_ok=True)
    shutil.copy(bench.prof, lonely / "prof")
    result = bench.run([lonely / "prof", "record", bench.program, "plain", 10, 0])
    if "the runtime is missing" not in result.stderr:  # an installed one was found where ld.so looks
        equal("status", result.returncode, 0)
    else:
        equal("status", result.returncode, 1)


def usage(bench):
    for words, part in ((["--bogus", "x"], "--bogus"), ([], "which program"), (["--buffer=1", "true"], "--buffer"),
                        (["--buffer=lots", "true"], "--buffer"), (["--max-size=1K", "true"], "--max-size"),
                        (["--when-full=block", "true"], "--when-full"), (["--level=99", "true"], "--level")):
        result = bench.run([bench.prof, "record", *words])
        equal(f"status of {words}", result.returncode, 2)
        contains(f"stderr of {words}", result.stderr, part)
        equal("a folder was made", (bench.folder / "prof.data").exists(), False)


def folder_rotation(bench):
    for count in (1, 2, 3):
        bench.record("plain", count, 0)
    equal("newest", bench.calls_of("leaf"), 3)
    equal("older", bench.calls_of("leaf", "prof.data.old"), 2)
    bench.record("plain", 4, 0, options=["-o", "other/"])
    contains("error of a folder in a folder that isn't there",
             bench.record("plain", 4, 0, options=["-o", "no/where"]).stderr, "-o")
    equal("named", bench.calls_of("leaf", "other"), 4)
    shutil.rmtree(bench.folder / "other")


def foreign_folder(bench):
    """A folder that holds something else is left alone."""
    folder = bench.folder / "mine"
    folder.mkdir()
    (folder / "letter").write_text("dear")
    result = bench.record("plain", 4, 0, options=["-o", "mine"])
    equal("status", result.returncode, 2)
    contains("stderr", result.stderr, "something else than a recording")
    equal("letter", (folder / "letter").read_text(), "dear")
    file = bench.folder / "file-of-mine"
    file.write_text("x")
    equal("status for a file", bench.record("plain", 4, 0, options=["-o", file]).returncode, 2)
    equal("file", file.read_text(), "x")


def links_are_not_followed(bench):
    target = bench.folder / "target"
    target.mkdir()
    (bench.folder / "prof.data.link").symlink_to(target)
    result = bench.record("plain", 4, 0, options=["-o", "prof.data.link"])
    equal("status", result.returncode, 2)
    equal("target", list(target.iterdir()), [])
    (bench.folder / "prof.data.link").unlink()


def processes_that_go_on(bench):
    flag = bench.folder / "flag"
    result = bench.record("orphan", 500, flag)
    equal("status", result.returncode, 0)
    contains("stderr", result.stderr, "1 of its processes still runs")
    equal("complete", bench.info()["complete"], True)
    flag.write_text("")
    done = bench.folder / "flag.done"
    wait_for("the end of the process that went on", done.exists)
    equal("what a program says that it starts afterwards", (bench.folder / "flag.words").read_text(), "done\n")


def nested_recording(bench):
    """A recording inside a recording is its own."""
    inner = f"{bench.prof} record -o inner.data {bench.program} plain 50 0"
    result = bench.record("-c", f"{bench.program} plain 70 0; {inner}; {bench.program} plain 5 3", program="sh")
    equal("status", result.returncode, 3)
    equal("outer", bench.calls_of("leaf"), 75)
    equal("inner", bench.calls_of("leaf", "inner.data"), 50)
    shutil.rmtree(bench.folder / "inner.data")


if __name__ == "__main__":
    recording.main([by_signal, by_a_filter, no_core_of_ours, terminate_is_passed_on, interrupt_is_the_programs,
                    ignored_signals_stay_ignored, children_ignored, signals_of_the_program, job_control, continued_alone, streams, no_such_program, not_executable, no_probes,
                    lto_without_plugin, script, missing_runtime, usage, folder_rotation, foreign_folder,
                    links_are_not_followed, processes_that_go_on, nested_recording])
