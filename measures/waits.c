/*
 * waits.c - wraps what threads wait in without a lock: sleeps, poll and its kin, child processes, futexes of syscall().
 *
 * A thread that a signal handler takes out by longjmp, or that is cancelled, leaves the wrapper without the end.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "waiting.h"

/* ---- sleeps ---- */

static unsigned wrap_sleep(unsigned seconds) {
  WAIT_HERE(PROF_MEASURE_SLEEP, sleep(seconds));
}
static int wrap_usleep(useconds_t microseconds) {
  WAIT_HERE(PROF_MEASURE_SLEEP, usleep(microseconds));
}
static int wrap_nanosleep(const struct timespec *span, struct timespec *rest) {
  WAIT_HERE(PROF_MEASURE_SLEEP, nanosleep(span, rest));
}
static int wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *span, struct timespec *rest) {
  WAIT_HERE(PROF_MEASURE_SLEEP, clock_nanosleep(clock, flags, span, rest));
}
static int wrap_thrd_sleep(const struct timespec *span, struct timespec *rest) {
  WAIT_HERE(PROF_MEASURE_SLEEP, thrd_sleep(span, rest));
}
static int wrap_pause(void) {
  WAIT_HERE(PROF_MEASURE_SLEEP, pause());
}
static int wrap_sigsuspend(const sigset_t *signals) {
  WAIT_HERE(PROF_MEASURE_SLEEP, sigsuspend(signals));
}
static int wrap_sigwait(const sigset_t *signals, int *signal) {
  WAIT_HERE(PROF_MEASURE_SLEEP, sigwait(signals, signal));
}
static int wrap_sigwaitinfo(const sigset_t *signals, siginfo_t *info) {
  WAIT_HERE(PROF_MEASURE_SLEEP, sigwaitinfo(signals, info));
}
static int wrap_sigtimedwait(const sigset_t *signals, siginfo_t *info, const struct timespec *span) {
  WAIT_HERE(PROF_MEASURE_SLEEP, sigtimedwait(signals, info, span));
}

/* ---- poll: asking without waiting is none ---- */

#define POLLS(at_once, call)                                                                                           \
  if (at_once)                                                                                                         \
    return call;                                                                                                       \
  WAIT_HERE(PROF_MEASURE_POLL, call)

static bool is_no_time(const struct timespec *span) {
  return span && span->tv_sec == 0 && span->tv_nsec == 0;
}

int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);

static int wrap_poll(struct pollfd *polled, nfds_t count, int milliseconds) {
  POLLS(milliseconds == 0, poll(polled, count, milliseconds));
}
static int wrap___poll_chk(struct pollfd *polled, nfds_t count, int milliseconds, size_t room) {
  POLLS(milliseconds == 0, __poll_chk(polled, count, milliseconds, room));
}
static int wrap_ppoll(struct pollfd *polled, nfds_t count, const struct timespec *span, const sigset_t *signals) {
  POLLS(is_no_time(span), ppoll(polled, count, span, signals));
}
static int wrap___ppoll_chk(struct pollfd *polled, nfds_t count, const struct timespec *span, const sigset_t *signals,
                            size_t room) {
  POLLS(is_no_time(span), __ppoll_chk(polled, count, span, signals, room));
}
static int wrap_select(int count, fd_set *in, fd_set *out, fd_set *failed, struct timeval *span) {
  POLLS(span && span->tv_sec == 0 && span->tv_usec == 0, select(count, in, out, failed, span));
}
static int wrap_pselect(int count, fd_set *in, fd_set *out, fd_set *failed, const struct timespec *span,
                        const sigset_t *signals) {
  POLLS(is_no_time(span), pselect(count, in, out, failed, span, signals));
}
static int wrap_epoll_wait(int fd, struct epoll_event *events, int most, int milliseconds) {
  POLLS(milliseconds == 0, epoll_wait(fd, events, most, milliseconds));
}
static int wrap_epoll_pwait(int fd, struct epoll_event *events, int most, int milliseconds, const sigset_t *signals) {
  POLLS(milliseconds == 0, epoll_pwait(fd, events, most, milliseconds, signals));
}

/* ---- child processes ---- */

static pid_t wrap_wait(int *status) {
  WAIT_HERE(PROF_MEASURE_CHILD, wait(status));
}
static pid_t wrap_waitpid(pid_t process, int *status, int flags) {
  if (flags & WNOHANG)
    return waitpid(process, status, flags);
  WAIT_HERE(PROF_MEASURE_CHILD, waitpid(process, status, flags));
}
static pid_t wrap_wait4(pid_t process, int *status, int flags, struct rusage *usage) {
  if (flags & WNOHANG)
    return wait4(process, status, flags, usage);
  WAIT_HERE(PROF_MEASURE_CHILD, wait4(process, status, flags, usage));
}
static int wrap_waitid(idtype_t type, id_t which, siginfo_t *info, int flags) {
  if (flags & WNOHANG)
    return waitid(type, which, info, flags);
  WAIT_HERE(PROF_MEASURE_CHILD, waitid(type, which, info, flags));
}
static int wrap_system(const char *command) {
  WAIT_HERE(PROF_MEASURE_CHILD, system(command));
}
static int wrap_pclose(FILE *stream) {
  WAIT_HERE(PROF_MEASURE_CHILD, pclose(stream));
}

/* ---- futexes: C++20's atomic waits, latches, semaphores, and locks that the program makes itself ---- */

static bool waits(int operation) {
  const int command = operation & FUTEX_CMD_MASK;
  return prof_measure.wanted & PROF_CONTROL_LOCKS && (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ||
                                                      command == FUTEX_LOCK_PI || command == FUTEX_WAIT_REQUEUE_PI);
}

/* For wrap_syscall of seccomp.c, which jumps here. */
long prof_wrap_futex(long number, uint32_t *word, int operation, long value, long span, long other, long last);
__attribute__((visibility("hidden"))) long prof_wrap_futex(long number, uint32_t *word, int operation, long value,
                                                           long span, long other, long last) {
  if (!waits(operation))
    return syscall(number, word, operation, value, span, other, last);
  WAIT(PROF_MEASURE_FUTEX, word, syscall(number, word, operation, value, span, other, last));
}

#define ROW(name)                                                                                                      \
  { #name, (void *)(uintptr_t)wrap_##name, NULL }
struct prof_wrapped prof_wrapped_waits[] = {
    ROW(sleep),
    ROW(usleep),
    ROW(nanosleep),
    ROW(clock_nanosleep),
    ROW(thrd_sleep),
    ROW(pause),
    ROW(sigsuspend),
    ROW(sigwait),
    ROW(sigwaitinfo),
    ROW(sigtimedwait),
    ROW(poll),
    ROW(__poll_chk),
    ROW(ppoll),
    ROW(__ppoll_chk),
    ROW(select),
    ROW(pselect),
    ROW(epoll_wait),
    ROW(epoll_pwait),
    ROW(wait),
    ROW(waitpid),
    ROW(wait4),
    ROW(waitid),
    ROW(system),
    ROW(pclose),
    {0},
};
