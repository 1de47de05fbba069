/*
 * slow_path.c - called by a trampoline whose reservation failed: no cell yet, segment full, a kick, a fork.
 */
#include "slow_path.h"
#include "ring.h"
#include "sample.h"
#include "system.h"
#include "thread.h"

int prof_ring_slow(char *slot, uint32_t bytes) {
  uint64_t mask = prof_signals_block();
  struct prof_cell *cell = prof_thread_cell();
  bool again = cell && prof_ring_retry(cell, slot, bytes);
  if (cell)
    prof_sample_check(cell, mask);
  prof_signals_restore(mask);
  return again;
}
