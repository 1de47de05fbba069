/*
 * recorders.c - a program that was started with PROF_STANDBY=1, or that a recorder has prepared later (wire/late.h):
 * recorders come and go while it runs (wire/standby.h).
 *
 * In: signals of recorders to a thread of ours (apart.c).  Out: the process joins the recorder's region as at its
 * start, and leaves it again.  What needs libc's locks, the loader or memory is done at the start: modules are kept
 * (modules.c), the key and the handlers of fork() registered.  Threads that run already attach at their next event.
 *
 * The program's threads wait for this one only in fork(), dlopen() and prof_start(), while sites are switched.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "apart.h"
#include "api.h"
#include "append.h"
#include "calibrate.h"
#include "clock.h"
#include "control_map.h"
#include "counters.h"
#include "fork.h"
#include "image.h"
#include "late.h"
#include "log.h"
#include "modules.h"
#include "owner.h"
#include "pause.h"
#include "recorders.h"
#include "sample.h"
#include "say.h"
#include "standby.h"
#include "thread.h"
#include "wait.h"
#include "windows.h"

#define LOOK_NS 100000000   /* while a recorder is there */
#define OWNER_NS 1000000000 /* between two looks at the program's user, if it may change */
#define LONGEST_NAP_NS 5000000
#define PATH_BYTES 48

static struct prof_control nobody; /* before the first recorder: no region, nothing open */
static bool prepared;              /* for the clock of the first recorder, at its costs */
static bool opened;                /* a region is mapped */
static bool leaving;               /* switched off; threads may still be inside */

/* The next recorder's region.  0: none within the time; NULL: waits for ever. */
static uint64_t signal_wait(const struct prof_timespec *most) {
  const uint64_t set = 1ull << (PROF_STANDBY_SIGNAL - 1);
  siginfo_t info = {0};
  long got = prof_syscall(SYS_rt_sigtimedwait, (long)&set, (long)&info, (long)most, sizeof set, 0, 0);
  return got == PROF_STANDBY_SIGNAL && info.si_code == SI_QUEUE ? (uint64_t)(uintptr_t)info.si_value.sival_ptr : 0;
}

static void path_of(uint64_t value, char path[PATH_BYTES]) {
  char *at = prof_append_number(prof_append(path, "/proc/"), (unsigned)(value >> 32));
  prof_append_number(prof_append(at, "/fd/"), (unsigned)value);
}

static void count(struct prof_image *image) {
  image->counted = 1;
  __atomic_fetch_add(&prof_runtime.control->attached, 1, __ATOMIC_SEQ_CST);
}

/* Gives the region's memory back. */
static void region_close(void) {
  prof_counters_close();
  prof_windows_close(); /* prof_runtime.control points to zeros now */
  prof_runtime.region_path[0] = 0;
  opened = false;
}

static bool region_open(const char *path) {
  uint64_t mask;
  if (!prof_api_begin(&mask))
    return false;
  opened = prof_control_open(path);
  prof_api_end(mask);
  return opened;
}

/* The region is mapped. */
static enum prof_standby_answer join(void) {
  uint64_t mask;
  bool os_clock = prof_runtime.control->clock == PROF_CONTROL_CLOCK_OS;
  if (prepared && os_clock != prof_runtime.os_clock)
    return PROF_STANDBY_CLOCK;
  if (!prepared) {
    prof_clock_init();
    prof_runtime.event_cost = prof_calibrate();
    prepared = true;
  }
  if (prof_runtime.count_cost.alone == 0)
    prof_runtime.count_cost = prof_calibrate_count();
  prof_log_init();
  prof_sample_init();
  if (!prof_api_begin(&mask))
    return PROF_STANDBY_MEMORY;
  struct prof_image *image = prof_runtime.image;
  prof_runtime.recording++;
  image->given_up = 0;
  image->in_vain = 0;
  prof_runtime.narrow = false;
  prof_image_join(image, 0);
  count(image);
  prof_modules_join();
  if (!prof_runtime.stopped)
    prof_log_slice(true, prof_clock_ticks());
  prof_api_join();
  prof_api_end(mask);
  return PROF_STANDBY_ATTACHED;
}

/* A second recorder. */
static void refuse(uint64_t value) {
  char path[PATH_BYTES];
  path_of(value, path);
  prof_control_answer(path, PROF_STANDBY_BUSY);
}

static void leave_begin(void) {
  uint64_t mask;
  if (!prof_api_begin(&mask))
    return;
  bool was_on = prof_runtime.state == PROF_RUNTIME_ON;
  prof_api_leave();
  if (was_on) /* calls that are open end with it */
    prof_log_slice(false, prof_runtime.stop_time);
  leaving = true;
  prof_api_end(mask);
}

/* Its last word: zeros replace the region now. */
static void good_bye(void) {
  uint32_t joined = PROF_STANDBY_ATTACHED;
  if (prof_runtime.process == 1) /* forked ones have other numbers */
    __atomic_compare_exchange_n(&prof_runtime.control->answer, &joined, PROF_STANDBY_LEFT, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
}

static void leave_end(void) {
  uint64_t mask;
  for (int64_t nap_ns = 20000; __atomic_load_n(&prof_runtime.image->inside, __ATOMIC_SEQ_CST) != 0;
       nap_ns = 2 * nap_ns < LONGEST_NAP_NS ? 2 * nap_ns : LONGEST_NAP_NS)
    prof_nap(nap_ns);
  if (!prof_api_begin(&mask))
    return;
  struct prof_image *image = prof_runtime.image;
  struct prof_log_number record = {.process = image->process};
  prof_modules_leave();
  prof_thread_cells_reset(image);
  prof_sample_fini();
  if (image->counted) {
    prof_log_write(PROF_LOG_PROCESS_END, &record, sizeof record, NULL);
    image->counted = 0;
    __atomic_fetch_sub(&prof_runtime.control->attached, 1, __ATOMIC_SEQ_CST);
    good_bye();
  }
  region_close();
  leaving = false;
  prof_api_end(mask);
}

static void attach(uint64_t value) {
  char path[PATH_BYTES];
  path_of(value, path);
  if (!region_open(path)) /* the recorder gets no answer */
    return;
  struct prof_control *control = prof_runtime.control;
  enum prof_standby_answer answer = join();
  __atomic_store_n(&control->answer, answer, __ATOMIC_RELEASE);
  if (answer != PROF_STANDBY_ATTACHED)
    leave_end();
}

/* Until the recording ends: the recorder says so, has closed it, or is gone. */
static void stay(void) {
  struct prof_control *control = prof_runtime.control;
  const struct prof_timespec none = {0, 0};
  struct prof_pulse pulse = prof_pulse_begin(control);
  int64_t followed_ns = pulse.beaten_ns;
  for (;;) {
    bool closed = __atomic_load_n(&control->recorder_state, __ATOMIC_ACQUIRE) != PROF_RECORDER_RUNNING;
    if (closed || __atomic_load_n(&control->detach, __ATOMIC_ACQUIRE))
      return;
    if (prof_pulse_is_over(control, &pulse)) {
      __atomic_store_n(&control->recorder_state, PROF_RECORDER_CLOSED, __ATOMIC_RELEASE); /* nobody waits for it */
      return;
    }
    uint64_t other = signal_wait(&none);
    if (other)
      refuse(other);
    int64_t now_ns = prof_monotonic_ns();
    if (now_ns - followed_ns >= OWNER_NS) {
      prof_owner_follow();
      followed_ns = now_ns;
    }
    prof_futex_wait(&control->detach, 0, LOOK_NS);
  }
}

/* Ends with the process. */
static _Noreturn void recorders_serve(void) {
  const struct prof_timespec often = {OWNER_NS / 1000000000, OWNER_NS % 1000000000};
  prof_syscall(SYS_prctl, PR_SET_NAME, (long)PROF_STANDBY_THREAD, 0, 0, 0, 0);
  for (;;) {
    if (prof_runtime.state != PROF_RUNTIME_STANDBY) {
      stay();
      leave_begin();
    }
    if (leaving)
      leave_end();
    uint64_t value = signal_wait(prof_owner_may_change() ? &often : NULL);
    prof_owner_follow();
    if (value)
      attach(value);
  }
}

/* A fork waits until modules and switches are in order; in the child, the new image's lock is free. */
static uint64_t fork_mask;
static bool fork_locked;

static void fork_begin(void) {
  uint64_t mask;
  bool locked = prof_runtime.standby && prof_api_begin(&mask);
  if (locked)
    fork_mask = mask;
  fork_locked = locked;
}

static void fork_in_parent(void) {
  if (fork_locked)
    prof_api_end(fork_mask);
}

static void fork_in_child(void) {
  if (!prof_runtime.standby)
    return;
  bool locked = fork_locked;
  struct prof_image *image = prof_image_current();
  if (image && prof_runtime.state != PROF_RUNTIME_STANDBY)
    count(image);
  else
    leaving = opened; /* its parent was about to join, or to leave */
  if (image)
    (void)prof_apart_start(recorders_serve);
  if (locked)
    prof_signals_restore(fork_mask);
}

bool prof_recorders_await(void) {
  prof_runtime.control = &nobody;
  prof_runtime.state = PROF_RUNTIME_STANDBY;
  prof_thread_init();
  prof_fork_init();
  prof_pause_init();
  if (!prof_image_new(0) || pthread_atfork(fork_begin, fork_in_parent, fork_in_child) != 0 ||
      !prof_apart_start(recorders_serve)) {
    prof_say("PROF_STANDBY: the system refuses a thread or memory; the program can't be recorded later", NULL);
    return false;
  }
  prof_runtime.standby = true;
  prof_runtime.bounded = true;
  return true;
}

/* The thread begins with a recorder that has ended: it leaves it as any other.  Under the lock, for which it waits. */
static bool serve_left_behind(void) {
  if (!prof_modules_keep_attached())
    return false;
  prof_runtime.standby = opened = true;
  if (prof_apart_start(recorders_serve)) {
    prof_runtime.bounded = true;
    prof_runtime.held = 0; /* bounds were the last recorder's */
    return true;
  }
  prof_runtime.standby = opened = false;
  return false;
}

enum prof_late_answer prof_recorders_follow(void) {
  static bool registered;
  const struct prof_control *control = prof_runtime.control;
  uint32_t state = __atomic_load_n(&prof_runtime.state, __ATOMIC_ACQUIRE);
  int64_t silent_ns = 0;
  uint64_t mask;
  if (prof_runtime.standby || (state != PROF_RUNTIME_ON && state != PROF_RUNTIME_OFF))
    return PROF_LATE_NONE;
  if (__atomic_load_n(&control->recorder_state, __ATOMIC_ACQUIRE) == PROF_RECORDER_RUNNING &&
      !prof_recorder_is_gone(control, &silent_ns))
    return PROF_LATE_BUSY;
  registered = registered || pthread_atfork(fork_begin, fork_in_parent, fork_in_child) == 0;
  if (!registered || !prof_api_begin(&mask))
    return PROF_LATE_REFUSED;
  bool served = serve_left_behind();
  prof_api_end(mask);
  return served ? PROF_LATE_STANDS : PROF_LATE_REFUSED;
}
