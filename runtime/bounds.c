/*
 * bounds.c - records only a part of the time: --delay, --duration, --capture-range (wire/control.h).
 *
 * In: two moments, and calls of the GPU collector when a capture begins or ends.  Out: recording switched on and off as
 * by prof_start and prof_stop (api.c), and a SLICE record for each switch.  Events are written only while both the
 * bounds and the program's prof_start allow it.
 *
 * A watcher sleeps until each moment and ends after the last one.  The handler of fork() makes one for the child; a
 * child of _Fork or clone keeps its parent's state.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "api.h"
#include "bounds.h"
#include "clock.h"
#include "image.h"
#include "log.h"
#include "system.h"
#include "watcher.h"

__attribute__((visibility("default"))) void prof_runtime_capture_v1(int inside);

static struct prof_watcher watcher;

static bool is_outside(uint64_t now_ns) {
  const struct prof_control *control = prof_runtime.control;
  return now_ns < control->from_ns || (control->until_ns != 0 && now_ns >= control->until_ns);
}

static void sleep_until(uint64_t time_ns) {
  const struct prof_timespec until = {(int64_t)(time_ns / 1000000000), (int64_t)(time_ns % 1000000000)};
  while (prof_syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, (long)&until, 0, 0, 0) == -EINTR)
    ;
}

/* Sets or clears a reason.  Of the recorder's own (PAUSE) it writes no slice.  A slice's begin is read before sites are
 * switched on.  Its end is the time at which its open frames are closed, so that no frame ends before its slice. */
static void hold(uint32_t reason, bool on) {
  uint64_t mask;
  if (!prof_api_begin(&mask))
    return;
  uint32_t before = prof_runtime.held, now;
  uint64_t time = prof_clock_ticks();
  bool was_on = prof_runtime.state == PROF_RUNTIME_ON;
  prof_runtime.held = on ? before | reason : before & ~reason;
  prof_api_settle();
  now = prof_runtime.held & ~PROF_HELD_PAUSE;
  before &= ~PROF_HELD_PAUSE;
  if (!now != !before) {
    prof_runtime.bounded = true;
    prof_log_slice(!now, now && was_on ? prof_runtime.stop_time : time);
  }
  prof_api_end(mask);
}

static int watch(void *unused) {
  const uint64_t moments[] = {prof_runtime.control->from_ns, prof_runtime.control->until_ns};
  (void)unused;
  for (int i = 0; i < 2; i++)
    if (moments[i] != 0) {
      sleep_until(moments[i]);
      hold(PROF_HELD_TIME, is_outside((uint64_t)prof_monotonic_ns()));
    }
  prof_watcher_exit();
  return 0;
}

static void watch_start(void) {
  const struct prof_control *control = prof_runtime.control;
  uint64_t last_ns = control->until_ns ? control->until_ns : control->from_ns, now_ns = (uint64_t)prof_monotonic_ns();
  if (last_ns == 0)
    return;
  if (now_ns >= last_ns) { /* the moment may pass while the runtime starts */
    hold(PROF_HELD_TIME, is_outside(now_ns));
    return;
  }
  if (!prof_watcher_start(&watcher, watch))
    prof_log_error("--delay and --duration can't be kept: the system refuses a thread");
}

/* Another thread of the parent may have been switching at the fork. */
static void after_fork(void) {
  const struct prof_control *control = prof_runtime.control;
  if (control->from_ns == 0 && control->until_ns == 0)
    return;
  uint64_t mask;
  if (prof_api_begin(&mask)) {
    prof_api_switch_again();
    prof_api_end(mask);
  }
  hold(PROF_HELD_TIME, is_outside((uint64_t)prof_monotonic_ns()));
  watch_start();
}

void prof_bounds_init(void) {
  const struct prof_control *control = prof_runtime.control;
  bool outside = is_outside((uint64_t)prof_monotonic_ns());
  prof_runtime.bounded = control->capture[0] || control->from_ns || control->until_ns;
  prof_runtime.held = (control->capture[0] ? PROF_HELD_CAPTURE : 0) | (outside ? PROF_HELD_TIME : 0);
  if (prof_runtime.bounded)
    (void)pthread_atfork(NULL, NULL, after_fork);
}

void prof_bounds_begin(void) {
  if (prof_runtime.bounded && !prof_runtime.held)
    prof_log_slice(true, prof_clock_ticks());
  watch_start();
}

void prof_runtime_capture_v1(int inside) {
  int error = errno;
  uint32_t state = __atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED);
  if (state == PROF_RUNTIME_ON || state == PROF_RUNTIME_OFF)
    hold(PROF_HELD_CAPTURE, !inside);
  errno = error;
}
