#!/usr/bin/env python3
"""The keys of a terminal and a shell's job control: what reaches a program (programs/told.c), and what the shell sees,
is the same plain and under prof record."""
import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios

import recording
from recording import PATIENCE_S, equal, wait_for

INTERRUPT, QUIT, STOP = b"\x03", b"\x1c", b"\x1a"


class Job:
    """A program on a terminal of its own, started as an interactive shell starts a job: in a process group, in the foreground."""

    def __init__(self, bench, mode, recorded):
        self.master, slave = pty.openpty()
        attributes = termios.tcgetattr(slave)
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        words = [bench.told, mode]
        if recorded:
            words = [bench.prof, "record", "--", *words]
        # The shell is a process too, as terminals belong to the leader of a session.
        self.shell = subprocess.Popen([sys.executable, "-B", __file__, "shell", str(slave), *map(str, words)], cwd=bench.folder,
                                      env=bench.environment(), pass_fds=(slave,), start_new_session=True, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        os.close(slave)
        os.set_blocking(self.master, False)
        self.text, self.recorded = "", recorded
        self.pid = int(self.shell.stdout.readline())

    def program(self):
        return recording.children(self.pid)[0] if self.recorded else self.pid

    def shown(self):
        """What it has written to its terminal until now."""
        try:
            self.text += os.read(self.master, 65536).decode().replace("\r", "")
        except OSError:  # nothing at the moment, or the terminal was left
            pass
        return self.text

    def wait_ready(self, continued):
        wait_for(f"ready {continued}", lambda: f"ready {continued}\n" in self.shown())

    def key(self, key):
        os.write(self.master, key)

    def takes(self, number):
        """Until the program has taken so many keys: equal signals that wait are one."""
        wait_for(f"taken {number}", lambda: f"taken {number}\n" in self.shown())

    def heard(self):
        """What the shell is told next: a number as in WIFSTOPPED, WIFSIGNALED, WIFEXITED."""
        return self.shell.stdout.readline().strip()

    def say(self, word):
        self.shell.stdin.write(word + "\n")
        self.shell.stdin.flush()

    def clear(self):
        """Nothing is left of a job that did something else than it should."""
        if self.shell.poll() is None:
            for pid in (*recording.children(self.pid), self.pid, self.shell.pid):
                os.kill(pid, signal.SIGKILL)
            self.shell.wait()

    def ask(self):
        """Its counts, and its end."""
        os.kill(self.program(), signal.SIGUSR1)
        end = self.heard()
        self.say("exit")
        self.shell.wait(timeout=PATIENCE_S)
        wait_for("the counts", lambda: "CONT " in self.shown())
        counts = [line for line in self.shown().splitlines() if line and not line.startswith(("prof: ", " "))]
        os.close(self.master)
        return counts, end


def shell(slave, words):
    """In: `fg`, `one` or `exit` on standard input.  Out: the job's process, and each state of it that waitpid tells."""
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(slave, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        for fd in range(3):
            os.dup2(slave, fd)
        os.closerange(3, 256)
        os.execv(words[0], words)
    print(job, flush=True)
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        os.tcsetpgrp(slave, os.getpgrp())
        if not os.WIFSTOPPED(status):
            print(f"exited {os.WEXITSTATUS(status)}" if os.WIFEXITED(status) else f"killed {os.WTERMSIG(status)}", flush=True)
            sys.stdin.readline()
            return
        print(f"stopped {os.WSTOPSIG(status)}", flush=True)
        word = sys.stdin.readline().strip()
        os.tcsetpgrp(slave, job)
        if word == "fg":
            os.killpg(job, signal.SIGCONT)
        else:  # somebody continues the one process that the shell knows of
            os.kill(job, signal.SIGCONT)


def both(bench, mode, play):
    """`play` of a job, plain and recorded: what it returns must be the same.  Each call is in the recording."""
    results = []
    for recorded in (False, True):
        job = Job(bench, mode, recorded)
        try:
            job.wait_ready(0)
            results.append(play(job))
        finally:
            job.clear()
    equal(f"{mode}: recorded", results[1], results[0])
    info = bench.info()
    equal("complete and lost", (info["complete"], info["lost_events"]), (True, 0))


def ends_by_key(bench):
    for key, number in ((INTERRUPT, signal.SIGINT), (QUIT, signal.SIGQUIT)):
        def play(job, key=key, number=number):
            job.key(key)
            end = job.heard()
            job.say("exit")
            job.shell.wait(timeout=PATIENCE_S)
            equal("end", end, f"killed {int(number)}")
            return end
        both(bench, "dies", play)


def keys_are_counted(bench):
    def play(job):
        for number, key in enumerate((INTERRUPT, QUIT, INTERRUPT), 1):
            job.key(key)
            job.takes(number)
        return job.ask()
    both(bench, "counts", play)


def stops_by_key(bench):
    """Three times each, by a program that leaves it to the system, and by one that has a handler."""
    for mode in ("counts", "stops"):
        def play(job):
            states = []
            for turn in range(3):
                job.key(STOP)
                states.append(job.heard())
                job.say("fg")
                job.wait_ready(turn + 1)
            return states, job.ask()
        both(bench, mode, play)


def continued_alone(bench):
    def play(job):
        job.key(STOP)
        state = job.heard()
        job.say("one")
        job.wait_ready(1)
        return state, job.ask()
    both(bench, "counts", play)


def does_not_stop(bench):
    """Ctrl-Z of a program that ignores it: it goes on, and so does prof."""
    def play(job):
        for number in (1, 2):
            job.key(STOP)
            job.key(INTERRUPT)  # the terminal takes keys in order: it has taken the other one then
            job.takes(number)
        return job.ask()
    both(bench, "stays", play)


if __name__ == "__main__":
    if sys.argv[1:2] == ["shell"]:
        shell(int(sys.argv[2]), sys.argv[3:])
        sys.exit(0)
    own = recording.Bench()
    own.told = own.folder / "told"
    own.build("told.c", own.told)
    for case in (ends_by_key, keys_are_counted, stops_by_key, continued_alone, does_not_stop):
        own.case(case)
    own.finish()
