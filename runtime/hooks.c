/*
 * hooks.c - what prof.h asks of the runtime, by operation (wire/module.h).
 */
#include "hooks.h"
#include "api.h"
#include "clock.h"
#include "control_map.h"
#include "image.h"
#include "module.h"
#include "named.h"
#include "own_figures.h"
#include "ring.h"
#include "sample.h"
#include "system.h"
#include "thread.h"

/* A thread is named before its first event: so it is attached here.  A character of several bytes is not cut. */
static int thread_name(const void *argument) {
  const unsigned char *name = argument;
  uint64_t mask = prof_signals_block();
  struct prof_image *gate = prof_gate_enter();
  struct prof_cell *cell = !gate || prof_thread_over ? NULL : prof_thread_cell();
  if (cell && cell->record && name) {
    uint8_t *given = cell->record->given;
    uint32_t bytes = 0;
    while (name[bytes] && bytes < PROF_THREAD_GIVEN_BYTES - 1)
      bytes++;
    if (name[bytes])
      while (bytes > 0 && (name[bytes] & 0xc0) == 0x80)
        bytes--;
    for (uint32_t i = 0; i < PROF_THREAD_GIVEN_BYTES; i++)
      given[i] = i < bytes ? name[i] : 0;
    if (!cell->segment)
      prof_ring_ready(cell); /* the recorder sees the thread */
    if (prof_runtime.state == PROF_RUNTIME_ON)
      prof_sample_check(cell, mask);
  }
  if (gate)
    prof_gate_leave(gate);
  prof_signals_restore(mask);
  return 0;
}

/* The recorder takes the last time. */
static int clear(const void *unused) {
  (void)unused;
  uint64_t now = prof_clock_ticks();
  uint64_t *word = &prof_runtime.control->clear, before = __atomic_load_n(word, __ATOMIC_RELAXED);
  if (!prof_api_is_recording() || !(prof_runtime.control->flags & (PROF_CONTROL_ONE_FILE | PROF_CONTROL_SUMMARY)))
    return 0;
  while (before < now && !__atomic_compare_exchange_n(word, &before, now, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  prof_bell_ring();
  return 1;
}

static int snapshot(const void *unused) {
  (void)unused;
  if (!prof_api_is_recording() || (prof_runtime.control->flags & PROF_CONTROL_ONE_FILE))
    return 0;
  __atomic_fetch_add(&prof_runtime.control->snapshots, 1, __ATOMIC_RELEASE);
  prof_bell_ring();
  return 1;
}

static int start(const void *unused) {
  (void)unused;
  return prof_api_switch(true);
}

static int stop(const void *unused) {
  (void)unused;
  return prof_api_switch(false);
}

static int is_recording(const void *unused) {
  (void)unused;
  return prof_api_is_recording();
}

static int (*const operations[])(const void *) = {
    [PROF_CONTROL_STOP] = stop,
    [PROF_CONTROL_START] = start,
    [PROF_CONTROL_IS_RECORDING] = is_recording,
    [PROF_CONTROL_THREAD_NAME] = thread_name,
    [PROF_CONTROL_CLEAR] = clear,
    [PROF_CONTROL_SNAPSHOT] = snapshot,
    [PROF_CONTROL_NAMED] = prof_named_control,
    [PROF_CONTROL_READ] = prof_own_figures_control,
};

int prof_hooks_control(int operation, const void *argument) {
  bool known = operation >= 0 && (size_t)operation < sizeof operations / sizeof *operations;
  return known ? operations[operation](argument) : 0;
}
