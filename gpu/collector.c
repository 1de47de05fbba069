/*
 * gpu/collector.c - begins and ends the collector: calls from the CUDA driver, its own thread, the program's end.
 *
 *    cuInit ──> InitializeInjection: region, library, subscription, activities     ... calls and records ...
 *    NVTX   ──> InitializeInjectionNvtx2: region, its functions                     ... ranges and names ...
 *    own thread: every 100 ms: deliver finished records, read the clocks, write the counts; begin again
 *                if CUPTI was ended meanwhile
 *    exit: the own thread delivers all records; exit waits for it, with a time limit
 *
 * A fault becomes one line, a NOTE in the trace that `prof record` shows; the program runs on.  A process that ends
 * without exit (abort, a signal) loses undelivered records: at most the last 100 ms.
 */
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
#include "capture.h"
#include "clock.h"
#include "keep.h"
#include "library.h"
#include "metrics.h"
#include "module.h"
#include "nvtx.h"
#include "places.h"
#include "resources.h"
#include "stack.h"
#include "stream.h"

#define FLUSH_NS 100000000
#define LAST_FLUSH_MS 5000

__attribute__((visibility("default"))) int InitializeInjection(void);
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx_get_table *);

static struct prof_gpu_library library;
static bool has_library; /* it is attached */

enum state { STARTING = 0, RUNNING = 1, ENDING = 2, ENDED = 3 };
static uint32_t state; /* a futex */
static pid_t own_tid;

static void set_state(enum state to) {
  __atomic_store_n(&state, to, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Waits until the state isn't `from`, at most most_ns. */
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

/* ---- attaching ---- */

/* since: NULL if it holds for the whole run. */
static void explain(const char *since, const char *action, int result, const char *other) {
  const char *remedy = result == ABI_UNKNOWN || result == ABI_NOT_COMPATIBLE
                           ? "this CUPTI is newer than the driver, or no driver runs; install the driver's CUPTI"
                       : result == ABI_SECOND_SUBSCRIBER
                           ? "another profiler or debugger is attached to this process; record without it"
                       : result == ABI_INSUFFICIENT_RIGHTS
                           ? "the driver allows this to the administrator only (NVreg_RestrictProfilingToAdminUsers)"
                           : "the host's trace is complete";
  prof_gpu_stream_note("GPU activity is not recorded%s: %s: error %d %s (%s, driver %u): %s%s%s", since, action, result,
                       prof_gpu_library_text(&library, result), library.path, prof_gpu_driver_version(), remedy,
                       *other != 0 ? "; it is " : "", other);
}

/* The callback for cuptiSubscribe. */
static void take(void *user, int domain, uint32_t id, const void *data) {
  (void)user;
  if (!prof_gpu_stream_is_open())
    return;
  if (domain == ABI_RESOURCES)
    prof_gpu_resources_take(id, data);
  else
    prof_gpu_calls_take(domain, id, data);
}

/* other: gets the attached profiler's name, if the library knows it. */
static int subscribe(void **subscriber, char other[ABI_SUBSCRIBER_NAME_BYTES]) {
  struct abi_subscriber parameters = {sizeof parameters, "prof", other, ABI_SUBSCRIBER_NAME_BYTES};
  *other = 0;
  if (library.cuptiSubscribe_v2 == NULL)
    return library.cuptiSubscribe(subscriber, take, NULL);
  int result = library.cuptiSubscribe_v2(subscriber, take, NULL, &parameters);
  other[ABI_SUBSCRIBER_NAME_BYTES - 1] = 0;
  return result;
}

/* ---- a library that was ended meanwhile ---- */

static struct timespec last_good; /* look at the clocks, while nothing was lost */

static bool wants_whole_graphs(void) {
  return prof_gpu_stream_control()->flags & PROF_CONTROL_GPU_WHOLE_GRAPHS;
}

/* Callbacks, once activities are enabled. */
static void enable_callbacks(void *subscriber) {
  if (prof_gpu_calls_enable(&library, subscriber) == 0)
    prof_gpu_stream_note("GPU records have no host paths: no API callback could be enabled");
  prof_gpu_resources_begin(&library, subscriber, !wants_whole_graphs());
}

/* Begins again; false: nothing is recorded from here on, and it was said why. */
static bool attach_again(void) {
  char other[ABI_SUBSCRIBER_NAME_BYTES];
  void *subscriber = NULL;
  const char *action = "cuptiSubscribe";
  int result = subscribe(&subscriber, other);
  if (result == ABI_SUCCESS) {
    action = "cuptiActivityRegisterTimestampCallback";
    result = prof_gpu_clock_hand_over(&library) ? ABI_SUCCESS : ABI_UNKNOWN;
  }
  if (result == ABI_SUCCESS) {
    action = "cuptiActivityEnable";
    result = prof_gpu_activity_begin(&library, wants_whole_graphs());
  }
  if (result != ABI_SUCCESS) {
    explain(" any more: CUPTI was ended while the program ran (cuptiFinalize), and to begin again failed", action,
            result, other);
    return false;
  }
  enable_callbacks(subscriber);
  return true;
}

/* The program, or another tool in it, has called cuptiFinalize: what was on is off. */
static void take_loss(bool is_last) {
  static unsigned times;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t gap_ms =
      ((int64_t)(now.tv_sec - last_good.tv_sec) * 1000000000 + (now.tv_nsec - last_good.tv_nsec)) / 1000000;
  bool again = !is_last && attach_again();
  __atomic_store_n(&has_library, again, __ATOMIC_RELEASE);
  times++;
  if (again || is_last)
    prof_gpu_stream_note("cuptiFinalize ended CUPTI, time %u: GPU records up to %lld ms before %s are lost", times,
                         (long long)gap_ms + 1, again ? "prof began again" : "the program's end");
  if (again)
    clock_gettime(CLOCK_MONOTONIC, &last_good);
}

/* ---- the collector's own thread ---- */

static void look(void) {
  prof_gpu_stream_raise(PROF_GPU_CLOCK_BRACKET, prof_gpu_clock_look(&library));
}

static void deliver(bool all) {
  if (__atomic_load_n(&has_library, __ATOMIC_ACQUIRE)) {
    look();
    if (prof_gpu_clock_is_lost())
      take_loss(all);
    else
      clock_gettime(CLOCK_MONOTONIC, &last_good);
  }
  if (__atomic_load_n(&has_library, __ATOMIC_ACQUIRE)) {
    prof_gpu_places_read(all);
    prof_gpu_activity_flush(all);
  }
  prof_gpu_nvtx_look();
  prof_gpu_metrics_read();
  prof_gpu_stream_figures();
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
    deliver(false);
  }
  if (__atomic_load_n(&state, __ATOMIC_SEQ_CST) == ENDING) {
    deliver(true);
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
    prof_gpu_stream_note("the last GPU records are lost: no flush within %llu ms (" PROF_ENV_GPU_FLUSH
                         "=N waits longer)",
                         (unsigned long long)most_ms);
    prof_gpu_stream_figures();
  }
  prof_gpu_stream_close();
}

/* ---- the way in ---- */

/* Subscribes and enables; false: the fault was reported. */
static bool attach(void) {
  char other[ABI_SUBSCRIBER_NAME_BYTES];
  void *subscriber = NULL;
  int result = subscribe(&subscriber, other);
  if (result != ABI_SUCCESS) {
    explain("", "cuptiSubscribe", result, other);
    return false;
  }
  bool own_clock = prof_gpu_clock_hand_over(&library);
  look();
  prof_gpu_stream_start(library.version, prof_gpu_driver_version(), own_clock, prof_gpu_clock_now(), library.path);
  prof_gpu_keep_begin(library.version, own_clock);
  prof_gpu_metrics_begin();
  result = prof_gpu_activity_begin(&library, wants_whole_graphs());
  if (result != ABI_SUCCESS) {
    explain("", "cuptiActivityEnable", result, "");
    if (library.cuptiUnsubscribe != NULL)
      library.cuptiUnsubscribe(subscriber);
    return false;
  }
  enable_callbacks(subscriber);
  clock_gettime(CLOCK_MONOTONIC, &last_good);
  prof_gpu_nvtx_set_library(&library);
  return true;
}

static bool is_wanted(void) {
  const char *record = secure_getenv(PROF_ENV_RECORD), *ring = secure_getenv(PROF_ENV_RING);
  return record != NULL && strcmp(record, "0") != 0 && ring != NULL && *ring != 0;
}

/* Opens the region and starts the thread, once, at the first call of the CUDA driver or NVTX.  False: the fault was
 * reported. */
static bool open_once(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool tried, good;
  char why[1024] = "";
  pthread_mutex_lock(&lock);
  if (!tried && is_wanted()) {
    if (!start_thread())
      fprintf(stderr, "prof: GPU activity is not recorded: no thread for the collector (%s)\n", strerror(errno));
    else if (!prof_gpu_stream_open(secure_getenv(PROF_ENV_RING), own_tid, why, sizeof why))
      set_state(ENDED);
    else
      good = true;
    if (good) {
      prof_gpu_capture_begin(prof_gpu_stream_control());
      prof_gpu_stack_begin();
    }
    if (*why != 0)
      fprintf(stderr, "prof: %s\n", why);
    if (good && atexit(at_exit) != 0) {
      prof_gpu_stream_close();
      set_state(ENDED);
      good = false;
    }
  }
  tried = true;
  pthread_mutex_unlock(&lock);
  return good;
}

static void attach_library(void) {
  char why[1024] = "";
  if (!prof_gpu_library_open(&library, why, sizeof why)) {
    prof_gpu_stream_start(0, prof_gpu_driver_version(), false, prof_gpu_clock_now(), "");
    prof_gpu_stream_note("%s", why);
  } else if (attach()) {
    __atomic_store_n(&has_library, true, __ATOMIC_RELEASE);
    set_state(RUNNING);
    return;
  }
  if (__atomic_load_n(&state, __ATOMIC_SEQ_CST) == RUNNING) /* for NVTX */
    return;
  prof_gpu_stream_close();
  set_state(ENDED);
}

/* Called by the driver in cuInit.  Returns 1 even if nothing is recorded: the program must run. */
int InitializeInjection(void) {
  static uint32_t begun;
  int error = errno;
  if (__atomic_exchange_n(&begun, 1, __ATOMIC_SEQ_CST) == 0 && open_once())
    attach_library();
  errno = error;
  return 1;
}

/* Called by NVTX at its first use in each module that has a copy of it. */
int InitializeInjectionNvtx2(nvtx_get_table *get_table) {
  int error = errno;
  bool good = open_once();
  if (good && __atomic_load_n(&state, __ATOMIC_SEQ_CST) == STARTING) {
    prof_gpu_stream_start(0, 0, true, prof_gpu_clock_now(), "");
    set_state(RUNNING);
  }
  good = good && prof_gpu_stream_is_open() && prof_gpu_nvtx_fill(get_table);
  errno = error;
  return good;
}
