/*
 * pause.c - the recorder wants no events for a while: prof ctl stop, and start (wire/control.h, `paused`).
 *
 * A thread sees it when it takes its next segment, so a program without events never does.  It switches the sites of
 * the process off as prof_stop does (api.c).  Then no thread comes here any more: a watcher sleeps until the recorder
 * goes on, switches them on, and ends.  If the system refuses that thread, the sites stay on.
 */
#include <pthread.h>

#include "api.h"
#include "log.h"
#include "pause.h"
#include "state.h"
#include "system.h"
#include "wait.h"
#include "watcher.h"

#define LOOK_NS 1000000000ll /* the recorder may have died */

static struct prof_watcher watcher;
static bool refused; /* and said so */

static bool is_wanted(const struct prof_control *control) {
  return __atomic_load_n(&control->paused, __ATOMIC_ACQUIRE) != 0 &&
         __atomic_load_n(&control->recorder_state, __ATOMIC_ACQUIRE) == PROF_RECORDER_RUNNING;
}

static void go_on(void) {
  uint64_t mask;
  if (!prof_api_begin(&mask))
    return;
  prof_runtime.held &= ~PROF_HELD_PAUSE;
  prof_api_settle();
  prof_api_end(mask);
}

/* A recorder that died is not waited for, and leaves the sites off.  After one that left a process in standby its
 * region reads as zeros. */
static int watch(void *unused) {
  struct prof_control *control = prof_runtime.control;
  struct prof_pulse pulse = prof_pulse_begin(control);
  (void)unused;
  while (is_wanted(control) && !prof_pulse_is_over(control, &pulse))
    prof_futex_wait(&control->paused, 1, LOOK_NS);
  if (!is_wanted(control))
    go_on();
  prof_watcher_exit();
  return 0;
}

static void begin(void *unused) {
  (void)unused;
  if (prof_runtime.state != PROF_RUNTIME_ON || __atomic_load_n(&watcher.lives, __ATOMIC_ACQUIRE))
    return;
  if (!prof_watcher_start(&watcher, watch)) {
    refused = true;
    return;
  }
  prof_runtime.held |= PROF_HELD_PAUSE; /* the watcher waits for the lock to take it back */
  prof_api_settle();
}

void prof_pause_check(void) {
  if (!is_wanted(prof_runtime.control) || refused || !prof_api_try(begin))
    return;
  if (refused)
    prof_log_error("prof ctl stop leaves the probes on: the system refuses a thread");
}

/* The child has no watcher.  Another thread of its parent may have been switching at the fork. */
static void after_fork(void) {
  uint64_t mask;
  watcher.lives = 0;
  if (!(prof_runtime.held & PROF_HELD_PAUSE) || !prof_api_begin(&mask))
    return;
  prof_api_switch_again();
  prof_api_end(mask);
  if (!prof_watcher_start(&watcher, watch))
    prof_log_error("prof ctl start doesn't reach a forked process: the system refuses a thread");
}

void prof_pause_init(void) {
  (void)pthread_atfork(NULL, NULL, after_fork);
}
