/*
 * gpu/collector.c - the way in and out: what the CUDA driver calls, the collector's own thread, the program's end.
 *
 *    cuInit ──> InitializeInjection: region, library, subscription, activities     ... calls and records ...
 *    own thread: every 100 ms: have finished records delivered, look at the clocks, say what was counted
 *    exit: the own thread has everything delivered; exit waits for it, but not for ever
 *
 * Whatever goes wrong is one line, a NOTE in the trace that `prof record` shows; the program goes on.  A process that
 * ends without exit (abort, a signal) loses what was not delivered: at most the last 100 ms.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "activity.h"
#include "calls.h"
#include "clock.h"
#include "library.h"
#include "module.h"
#include "stream.h"

#define FLUSH_NS 100000000
#define LAST_FLUSH_MS 5000

__attribute__((visibility("default"))) int InitializeInjection(void);

static struct prof_gpu_library library;

enum state { STARTING = 0, RUNNING = 1, ENDING = 2, ENDED = 3 };
static uint32_t state; /* a futex */
static pid_t own_tid;

static void set_state(enum state to) {
  __atomic_store_n(&state, to, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Until it isn't `from` any more, or the time is over. */
static void wait_while(enum state from, uint64_t most_ns) {
  struct timespec now, until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)(most_ns / 1000000000u);
  until.tv_nsec += (long)(most_ns % 1000000000u);
  while (__atomic_load_n(&state, __ATOMIC_SEQ_CST) == from) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = (int64_t)(until.tv_sec - now.tv_sec) * 1000000000 + (until.tv_nsec - now.tv_nsec);
    if (left <= 0)
      return;
    const struct timespec wait = {left / 1000000000, left % 1000000000};
    syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, from, &wait, NULL, 0);
  }
}

/* ---- the collector's own thread ---- */

static void look(void) {
  prof_gpu_stream_raise(PROF_GPU_CLOCK_BRACKET, prof_gpu_clock_look(&library));
}

static void *run(void *unused) {
  (void)unused;
  __atomic_store_n(&own_tid, gettid(), __ATOMIC_SEQ_CST);
  pthread_setname_np(pthread_self(), "prof-gpu");
  syscall(SYS_futex, &own_tid, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  while (__atomic_load_n(&state, __ATOMIC_SEQ_CST) == STARTING)
    wait_while(STARTING, FLUSH_NS);
  while (__atomic_load_n(&state, __ATOMIC_SEQ_CST) == RUNNING) {
    wait_while(RUNNING, FLUSH_NS);
    if (__atomic_load_n(&state, __ATOMIC_SEQ_CST) != RUNNING)
      break;
    look();
    prof_gpu_activity_flush(false);
    prof_gpu_stream_figures();
  }
  if (library.handle != NULL && __atomic_load_n(&state, __ATOMIC_SEQ_CST) == ENDING) {
    look();
    prof_gpu_activity_flush(true);
    prof_gpu_stream_figures();
    set_state(ENDED);
  }
  return NULL;
}

/* false: no thread. */
static bool start_thread(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's */
  bool good = pthread_create(&thread, &attributes, run, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  while (good && __atomic_load_n(&own_tid, __ATOMIC_SEQ_CST) == 0)
    syscall(SYS_futex, &own_tid, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  return good;
}

/* ---- the program's end ---- */

static void at_exit(void) {
  if (!prof_gpu_stream_is_open() || __atomic_load_n(&state, __ATOMIC_SEQ_CST) != RUNNING)
    return; /* a forked child */
  const char *wanted = secure_getenv(PROF_ENV_GPU_FLUSH);
  uint64_t most_ms = wanted != NULL && atoi(wanted) > 0 ? (uint64_t)atoi(wanted) : LAST_FLUSH_MS;
  set_state(ENDING);
  wait_while(ENDING, most_ms * 1000000u);
  if (__atomic_load_n(&state, __ATOMIC_SEQ_CST) != ENDED) {
    prof_gpu_stream_count(PROF_GPU_HUNG, 1);
    prof_gpu_stream_note("the last flush of GPU records did not end within %llu ms: the last ones are missing "
                         "(a longer wait: " PROF_ENV_GPU_FLUSH "=N)",
                         (unsigned long long)most_ms);
    prof_gpu_stream_figures();
  }
  prof_gpu_stream_close();
}

/* ---- the way in ---- */

static void explain(const char *action, int result) {
  const char *remedy =
      result == ABI_UNKNOWN || result == ABI_NOT_COMPATIBLE
          ? "this CUPTI is newer than the driver, or the driver does not run; install the CUPTI of the "
            "driver's CUDA version"
      : result == ABI_SECOND_SUBSCRIBER ? "another profiler or debugger is attached to this process; record without it"
      : result == ABI_INSUFFICIENT_RIGHTS
          ? "the driver allows this to the administrator only (NVreg_RestrictProfilingToAdminUsers)"
          : "the host's trace is complete";
  prof_gpu_stream_note("GPU activity is not recorded: %s: error %d %s (%s, driver %u): %s", action, result,
                       prof_gpu_library_text(&library, result), library.path, prof_gpu_driver_version(), remedy);
}

/* Subscribes and enables; false: it was said why not. */
static bool attach(void) {
  const char *graphs = secure_getenv(PROF_ENV_GPU_GRAPHS);
  void *subscriber = NULL;
  int result = library.cuptiSubscribe(&subscriber, prof_gpu_calls_take, NULL);
  if (result != ABI_SUCCESS) {
    explain("cuptiSubscribe", result);
    return false;
  }
  bool own_clock = prof_gpu_clock_hand_over(&library);
  look();
  prof_gpu_stream_start(library.version, prof_gpu_driver_version(), own_clock, prof_gpu_clock_now(), library.path);
  result = prof_gpu_activity_begin(&library, graphs != NULL && strcmp(graphs, "whole") == 0);
  if (result != ABI_SUCCESS) {
    explain("cuptiActivityEnable", result);
    if (library.cuptiUnsubscribe != NULL)
      library.cuptiUnsubscribe(subscriber);
    return false;
  }
  if (prof_gpu_calls_enable(&library, subscriber) == 0)
    prof_gpu_stream_note("GPU records have no host paths: no API callback could be enabled");
  return true;
}

static void start(const char *ring) {
  char why[1024] = "";
  if (!start_thread()) {
    fprintf(stderr, "prof: GPU activity is not recorded: no thread for the collector (%s)\n", strerror(errno));
    return;
  }
  bool good = false;
  if (!prof_gpu_stream_open(ring, own_tid, why, sizeof why)) {
    if (*why != 0)
      fprintf(stderr, "prof: %s\n", why);
  } else if (!prof_gpu_library_open(&library, why, sizeof why)) {
    prof_gpu_stream_start(0, prof_gpu_driver_version(), false, prof_gpu_clock_now(), "");
    prof_gpu_stream_note("%s", why);
  } else {
    good = attach();
  }
  if (good && atexit(at_exit) == 0) {
    set_state(RUNNING);
    return;
  }
  prof_gpu_stream_close();
  set_state(ENDED);
}

/* Called by the driver in cuInit.  1: all right, also when nothing is recorded: the program shall run. */
int InitializeInjection(void) {
  static uint32_t begun;
  int error = errno;
  const char *record = secure_getenv(PROF_ENV_RECORD), *ring = secure_getenv(PROF_ENV_RING);
  bool wanted = record != NULL && strcmp(record, "0") != 0 && ring != NULL && *ring != 0;
  if (wanted && __atomic_exchange_n(&begun, 1, __ATOMIC_SEQ_CST) == 0)
    start(ring);
  errno = error;
  return 1;
}
