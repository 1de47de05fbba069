/*
 * tools/record/signals.h - waits for the program, and handles the terminal's signals.
 *
 * SIGINT, SIGQUIT and SIGTSTP come from the terminal to the program as well: we ignore them and wait for its reaction.
 * SIGTERM and SIGHUP sent to us are passed on to it; a SIGHUP that the kernel sent to both isn't passed on again.  When
 * the program stops, we stop by the same signal, and continue it when we are continued, so that a shell's job control
 * works through us; when the program alone is continued, so are we.  One thread fetches these signals, others block
 * them.
 */
#ifndef PROF_RECORD_SIGNALS_H
#define PROF_RECORD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct prof_signals {
  sigset_t awaited; /* what prof_signals_wait fetches */
  /* original values */
  sigset_t mask;
  struct sigaction interrupt, quit, terminal_stop, file_size, broken_pipe, terminate, hangup, child, going_on, user;
  bool library_ignored[2]; /* 32 and 33, the C library's own */
};

/* From now on blocks SIGTERM, SIGHUP, SIGCHLD, SIGCONT and SIGUSR2, and ignores SIGINT, SIGQUIT, SIGTSTP, SIGXFSZ,
 * SIGPIPE. */
void prof_signals_take(struct prof_signals *);
/* In the child, before exec. */
void prof_signals_restore(const struct prof_signals *);

/* Waits for the end of our child `pid`; returns its wait status, and the resources that it and its children used.
 * Sends SIGTERM to it at stop_ns (of CLOCK_MONOTONIC; 0: never).  asked: called at each SIGUSR2 that we get. */
int prof_signals_wait(const struct prof_signals *, pid_t pid, uint64_t stop_ns, void (*asked)(void *context),
                      void *context, struct rusage *usage);

/* Ends this process like the program with `wait_status`: with its exit status, or by the same signal. */
void prof_signals_end_like(int wait_status) __attribute__((noreturn));

#endif
