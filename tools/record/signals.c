/*
 * tools/record/signals.c - see signals.h.
 */
#define _GNU_SOURCE /* wait4 */
#include "record/signals.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t child; /* whom SIGTERM and SIGHUP are passed on to; signal handlers have no context */

static void pass_on(int signal_number) {
  int saved = errno;
  if (child > 0)
    kill(child, signal_number);
  errno = saved;
}

static void set(int signal_number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, before);
}

static const struct taken {
  int number;
  void (*handler)(int);
  size_t before; /* where in prof_signals */
} taken[] = {
    {SIGINT, SIG_IGN, offsetof(struct prof_signals, interrupt)},
    {SIGQUIT, SIG_IGN, offsetof(struct prof_signals, quit)},
    {SIGTERM, pass_on, offsetof(struct prof_signals, terminate)},
    {SIGHUP, pass_on, offsetof(struct prof_signals, hangup)},
    {SIGXFSZ, SIG_IGN, offsetof(struct prof_signals, file_size)},
    {SIGPIPE, SIG_IGN, offsetof(struct prof_signals, broken_pipe)},
};

static struct sigaction *before(const struct prof_signals *signals, const struct taken *row) {
  return (struct sigaction *)((char *)signals + row->before);
}

void prof_signals_take(struct prof_signals *signals) {
  sigset_t block;
  sigemptyset(&block);
  sigaddset(&block, SIGTERM);
  sigaddset(&block, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &block, &signals->mask);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    set(taken[i].number, taken[i].handler, before(signals, &taken[i]));
    /* nohup and the like: who ignored it goes on ignoring it. */
    if (taken[i].handler == pass_on && before(signals, &taken[i])->sa_handler == SIG_IGN)
      set(taken[i].number, SIG_IGN, NULL);
  }
}

void prof_signals_restore(const struct prof_signals *signals) {
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    sigaction(taken[i].number, before(signals, &taken[i]), NULL);
  pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
}

int prof_signals_wait(const struct prof_signals *signals, pid_t pid, struct rusage *usage) {
  int status = 0;
  child = pid;
  pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
  for (;;) {
    pid_t got = wait4(pid, &status, WUNTRACED, usage);
    if (got < 0 && errno != EINTR)
      break;
    if (got == pid && WIFSTOPPED(status)) {
      raise(SIGSTOP);
      kill(pid, SIGCONT);
    } else if (got == pid) {
      break;
    }
  }
  child = 0;
  return status;
}

void prof_signals_end_like(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    int number = WTERMSIG(wait_status);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); /* the program's core is the interesting one */
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
