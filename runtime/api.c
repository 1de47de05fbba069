/*
 * api.c - recording on and off while the program runs (prof.h, through the hooks of each module).  A lock lets one
 * switch act at a time.  It lies in the image, so that a forked child finds it free; signals are blocked while it is
 * held, so that no handler waits for its own thread.  Bounds (bounds.c) use the same lock.  At the next start
 * prof_thread_kick announces the stop; each thread then writes a STOP event before its next event.
 */
#include "api.h"
#include "arch.h"
#include "clock.h"
#include "image.h"
#include "log.h"
#include "sites.h"
#include "state.h"
#include "system.h"
#include "usage.h"

bool prof_api_begin(uint64_t *mask) {
  uint32_t free = 0;
  *mask = prof_signals_block();
  struct prof_image *image = prof_image_current();
  if (!image)
    prof_signals_restore(*mask);
  while (image && !__atomic_compare_exchange_n(&image->lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    free = 0;
    prof_nap(20000);
  }
  return image != NULL;
}

static void unlock(void) {
  __atomic_store_n(&prof_runtime.image->lock, 0, __ATOMIC_RELEASE);
}

void prof_api_end(uint64_t mask) {
  unlock();
  prof_signals_restore(mask);
}

static void all_switch(enum prof_switch wanted) {
  bool changed = true;
  for (struct prof_attached_module *module = prof_runtime.modules; module; module = module->next)
    if (module->state == PROF_MODULE_ATTACHED)
      changed &= prof_sites_switch(module, wanted, false);
  if (!changed)
    prof_log_error("the system no longer allows changing code: some probes could not be switched");
}

static bool recorder_listens(void) {
  return __atomic_load_n(&prof_runtime.control->recorder_state, __ATOMIC_RELAXED) == PROF_RECORDER_RUNNING;
}

static void switch_off(void) {
  all_switch(PROF_SWITCH_OFF);
  prof_runtime.stop_time = prof_clock_ticks();
  __atomic_store_n(&prof_runtime.state, PROF_RUNTIME_OFF, __ATOMIC_RELAXED);
  prof_thread_stopped(prof_runtime.stop_time);
}

static void switch_on(void) {
  prof_thread_going_on();
  prof_thread_kick(prof_runtime.stop_time);
  __atomic_store_n(&prof_runtime.switching_on, true, __ATOMIC_RELAXED);
  __atomic_store_n(&prof_runtime.state, PROF_RUNTIME_ON, __ATOMIC_RELEASE);
  all_switch(PROF_SWITCH_ON);
  __atomic_store_n(&prof_runtime.switching_on, false, __ATOMIC_RELEASE);
}

void prof_api_settle(void) {
  bool off = prof_runtime.stopped || prof_runtime.held;
  if (off && prof_runtime.state == PROF_RUNTIME_ON)
    switch_off();
  else if (!off && prof_runtime.state == PROF_RUNTIME_OFF && recorder_listens())
    switch_on();
}

void prof_api_leave(void) {
  if (prof_runtime.state == PROF_RUNTIME_ON)
    switch_off();
  prof_runtime.held &= ~PROF_HELD_PAUSE; /* it was this recorder's */
  __atomic_store_n(&prof_runtime.state, PROF_RUNTIME_STANDBY, __ATOMIC_SEQ_CST);
  prof_thread_kick(prof_runtime.stop_time);
}

void prof_api_join(void) {
  __atomic_store_n(&prof_runtime.switching_on, true, __ATOMIC_RELAXED);
  __atomic_store_n(&prof_runtime.state, prof_runtime.stopped ? PROF_RUNTIME_OFF : PROF_RUNTIME_ON, __ATOMIC_SEQ_CST);
  all_switch(prof_runtime.stopped ? PROF_SWITCH_OFF : PROF_SWITCH_ON);
  __atomic_store_n(&prof_runtime.switching_on, false, __ATOMIC_RELEASE);
}

void prof_api_switch_again(void) {
  prof_api_settle();
  all_switch(prof_runtime.state == PROF_RUNTIME_ON ? PROF_SWITCH_ON : PROF_SWITCH_OFF);
}

bool prof_api_is_recording(void) {
  return __atomic_load_n(&prof_runtime.state, __ATOMIC_ACQUIRE) == PROF_RUNTIME_ON &&
         !__atomic_load_n(&prof_runtime.switching_on, __ATOMIC_ACQUIRE) && recorder_listens();
}

/* Vector registers are saved: the code below uses libc's memcpy. */
bool prof_api_try(void (*change)(void *)) {
  uint32_t free = 0;
  if (__atomic_load_n(&prof_runtime.state, __ATOMIC_RELAXED) != PROF_RUNTIME_ON ||
      !__atomic_compare_exchange_n(&prof_runtime.image->lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return false;
  bool is_on = prof_runtime.state == PROF_RUNTIME_ON;
  if (is_on)
    prof_vector_saved_call(change, NULL);
  unlock();
  return is_on;
}

static void closed_switch_off(void *unused) {
  (void)unused;
  switch_off();
}

void prof_api_closed(void) {
  (void)prof_api_try(closed_switch_off);
}

bool prof_api_switch(bool on) {
  uint64_t mask;
  if (!prof_api_begin(&mask))
    return false;
  prof_runtime.stopped = !on;
  prof_api_settle();
  bool is_on = prof_runtime.state == PROF_RUNTIME_ON;
  prof_api_end(mask);
  return on && is_on;
}
