/*
 * tools/record/signals.c - see signals.h.
 *
 * Awaited signals are blocked and fetched one by one, with the program's end (SIGCHLD) among them, so that no signal is
 * missed between a check and the following sleep.
 */
#include "record/signals.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/clock/ticks.h"
#include "record/process_stat.h"

#define LOOK_NS 50000000 /* while the program is stopped */

static void set(int signal_number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, before);
}

static const struct taken {
  int number;
  void (*handler)(int);
  bool awaited;  /* blocked, and fetched by prof_signals_wait */
  size_t before; /* offset in prof_signals */
} taken[] = {
    {SIGINT, SIG_IGN, false, offsetof(struct prof_signals, interrupt)},
    {SIGQUIT, SIG_IGN, false, offsetof(struct prof_signals, quit)},
    {SIGTSTP, SIG_IGN, false, offsetof(struct prof_signals, terminal_stop)},
    {SIGXFSZ, SIG_IGN, false, offsetof(struct prof_signals, file_size)},
    {SIGPIPE, SIG_IGN, false, offsetof(struct prof_signals, broken_pipe)},
    {SIGTERM, SIG_DFL, true, offsetof(struct prof_signals, terminate)},
    {SIGHUP, SIG_DFL, true, offsetof(struct prof_signals, hangup)},
    {SIGCHLD, SIG_DFL, true, offsetof(struct prof_signals, child)}, /* ignoring it would lose the exit status */
    {SIGCONT, SIG_DFL, true, offsetof(struct prof_signals, going_on)},
    {SIGUSR2, SIG_DFL, true, offsetof(struct prof_signals, user)},
};

static struct sigaction *before(const struct prof_signals *signals, const struct taken *row) {
  return (struct sigaction *)((char *)signals + row->before);
}

/*
 * Signals 32 and 33 are the C library's.  It hides them from sigaction(), and ignores them in what posix_spawn()
 * starts.  A process with threads, such as this one, has handlers for them; in its children they would not be ignored.
 */
enum { LIBRARY_FIRST = 32, LIBRARY_COUNT = 2 };

struct kernel_action { /* rt_sigaction(2), x86-64 */
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};

static void library_look(bool ignored[LIBRARY_COUNT]) {
  for (int i = 0; i < LIBRARY_COUNT; i++) {
    struct kernel_action action = {.handler = SIG_DFL};
    long failed = syscall(SYS_rt_sigaction, LIBRARY_FIRST + i, NULL, &action, sizeof action.mask);
    ignored[i] = !failed && action.handler == SIG_IGN;
  }
}

static void library_ignore(const bool ignored[LIBRARY_COUNT]) {
  struct kernel_action action = {.handler = SIG_IGN};
  for (int i = 0; i < LIBRARY_COUNT; i++)
    if (ignored[i])
      syscall(SYS_rt_sigaction, LIBRARY_FIRST + i, &action, NULL, sizeof action.mask);
}

static bool is_passed_on(int number) {
  return number == SIGTERM || number == SIGHUP;
}

void prof_signals_take(struct prof_signals *signals) {
  library_look(signals->library_ignored);
  sigemptyset(&signals->awaited);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    set(taken[i].number, taken[i].handler, before(signals, &taken[i]));
    /* As with nohup: an ignored signal stays ignored. */
    if (is_passed_on(taken[i].number) && before(signals, &taken[i])->sa_handler == SIG_IGN)
      set(taken[i].number, SIG_IGN, NULL);
    else if (taken[i].awaited)
      sigaddset(&signals->awaited, taken[i].number);
  }
  pthread_sigmask(SIG_BLOCK, &signals->awaited, &signals->mask);
}

void prof_signals_restore(const struct prof_signals *signals) {
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    sigaction(taken[i].number, before(signals, &taken[i]), NULL);
  library_ignore(signals->library_ignored);
  pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
}

/* A signal that the kernel sends to a process group (the terminal was hung up) reached the program too; a session's
 * leader gets it alone. */
static bool has_it_itself(pid_t pid, const siginfo_t *info) {
  return info->si_code == SI_KERNEL && getpgid(pid) == getpgrp() && getsid(0) != getpid();
}

static bool is_stopped(pid_t pid) {
  struct prof_process_stat stat;
  return prof_process_stat_of(pid, &stat) && stat.state == 'T';
}

/* While we stand still nobody here sees that somebody continues the program alone: a process of ours does. */
static pid_t watch(pid_t program) {
  const struct timespec pause = {0, LOOK_NS};
  const pid_t prof = getpid();
  pid_t watcher = fork();
  while (watcher == 0 && getppid() == prof) {
    if (is_stopped(prof) && !is_stopped(program))
      kill(prof, SIGCONT);
    nanosleep(&pause, NULL);
  }
  if (watcher == 0)
    _exit(0);
  return watcher;
}

/* Stops as the program did, so that a shell sees the same; returns when we or the program are continued.  SIGTSTP stays
 * ignored if it isn't the signal: the program answers a key right after we were continued. */
static void stop(pid_t program, int number) {
  pid_t watcher = watch(program);
  if (number == SIGTSTP)
    set(SIGTSTP, SIG_DFL, NULL);
  raise(number);
  set(SIGTSTP, SIG_IGN, NULL);
  if (watcher > 0) {
    kill(watcher, SIGKILL);
    waitpid(watcher, NULL, 0);
  }
}

/* true: the program has ended.  Else *stopped: its last change since the last look: the signal that stopped it, 0: it
 * was continued; unchanged: none. */
static bool look(pid_t pid, int *status, struct rusage *usage, int *stopped) {
  for (;;) {
    pid_t got = wait4(pid, status, WNOHANG | WUNTRACED | WCONTINUED, usage);
    if (got == 0)
      return false;
    if (got < 0 && errno != EINTR)
      *status = 0; /* impossible: it is our child, and only we wait for it */
    if (got < 0 ? errno != EINTR : !WIFSTOPPED(*status) && !WIFCONTINUED(*status))
      return true;
    if (got > 0)
      *stopped = WIFSTOPPED(*status) ? WSTOPSIG(*status) : 0;
  }
}

/* As sigwaitinfo, but at *stop_ns sends SIGTERM to the program, once. */
static int next_signal(const struct prof_signals *signals, pid_t pid, uint64_t *stop_ns, siginfo_t *info) {
  if (*stop_ns == 0)
    return sigwaitinfo(&signals->awaited, info);
  uint64_t now_ns = prof_steady_ns();
  if (now_ns < *stop_ns) {
    uint64_t left_ns = *stop_ns - now_ns;
    const struct timespec left = {(time_t)(left_ns / 1000000000u), (long)(left_ns % 1000000000u)};
    return sigtimedwait(&signals->awaited, info, &left);
  }
  *stop_ns = 0;
  kill(pid, SIGTERM);
  return -1;
}

int prof_signals_wait(const struct prof_signals *signals, pid_t pid, uint64_t stop_ns, void (*asked)(void *context),
                      void *context, struct rusage *usage) {
  enum { NOTHING = -1 };
  int status = 0, number = 0;
  bool stands = false;
  for (;;) {
    int stopped = NOTHING;
    if (look(pid, &status, usage, &stopped))
      return status;
    if (stopped > 0) {
      stop(pid, stopped);
    } else if (stopped == NOTHING && stands && number == SIGCONT) { /* only we got it */
      kill(pid, SIGCONT);
      stopped = 0;
    }
    if (stopped != NOTHING)
      stands = stopped != 0;
    siginfo_t info;
    number = next_signal(signals, pid, &stop_ns, &info);
    if (number == SIGUSR2)
      asked(context);
    if (number > 0 && is_passed_on(number) && !has_it_itself(pid, &info))
      kill(pid, number);
  }
}

void prof_signals_end_like(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    int number = WTERMSIG(wait_status);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); /* no core of ours, which could replace the program's */
    prctl(PR_SET_DUMPABLE, 0);
    signal(number, SIG_DFL);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, number);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    raise(number);
    _exit(128 + number);
  }
  exit(WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : EXIT_FAILURE);
}
