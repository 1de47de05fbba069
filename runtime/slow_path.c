/*
 * slow_path.c - called by a trampoline whose reservation failed: no cell yet, segment full, a kick, a fork; and by one
 * that counts and finds no counters: no cell yet, a fork.
 */
#include "slow_path.h"
#include "clock.h"
#include "counters.h"
#include "image.h"
#include "ring.h"
#include "sample.h"
#include "system.h"
#include "thread.h"

int prof_ring_slow(char *slot, uint32_t bytes) {
  uint64_t mask = prof_signals_block();
  struct prof_image *gate = prof_gate_enter();
  struct prof_cell *cell = gate ? prof_thread_cell() : NULL;
  bool again = cell && prof_ring_retry(cell, slot, bytes);
  if (cell)
    prof_sample_check(cell, mask);
  if (gate)
    prof_gate_leave(gate);
  prof_signals_restore(mask);
  return again;
}

int prof_count_slow(void) {
  uint64_t mask = prof_signals_block();
  struct prof_image *gate = prof_gate_enter();
  struct prof_cell *cell = gate ? prof_thread_cell() : NULL;
  if (cell && !cell->counts) {
    prof_ring_ready(cell); /* the recorder sees the thread */
    prof_sample_check(cell, mask);
    prof_counters_give(cell);
  }
  if (gate)
    prof_gate_leave(gate);
  prof_signals_restore(mask);
  return cell != NULL;
}

struct prof_event *prof_slots_take(uint32_t bytes, uint64_t *time) {
  for (;;) {
    *time = prof_clock_ticks();
    struct prof_cell *cell = prof_self;
    char *slot = prof_cursor_add(&cell->cursor, bytes);
    if (slot < cell->end)
      return (struct prof_event *)slot;
    if (!prof_ring_slow(slot, bytes))
      return NULL;
  }
}
