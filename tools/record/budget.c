/*
 * tools/record/budget.c - see budget.h.
 */
#include "record/budget.h"

static uint32_t records_used(const struct prof_region *region) {
  uint32_t used = __atomic_load_n(&region->control->threads_used, __ATOMIC_ACQUIRE);
  return used < region->thread_count ? used : region->thread_count;
}

/* While many threads are busy each may hold less, so that all together stay within the budget. */
void prof_budget_share(struct prof_pump *pump) {
  struct prof_region *region = pump->options.region;
  uint32_t used = records_used(region), busy = 0;
  for (uint32_t i = 0; i < used; i++) {
    const struct prof_thread *record = &region->threads[i];
    busy +=
        pump->channels[i].number != 0 &&
        __atomic_load_n(&record->taken, __ATOMIC_RELAXED) - __atomic_load_n(&record->released, __ATOMIC_RELAXED) > 1;
  }
  uint32_t cap = busy > 0 ? region->budget_segments / busy : region->thread_segments;
  cap = cap > region->thread_segments ? region->thread_segments : cap;
  __atomic_store_n(&region->control->thread_segments, cap < 2 ? 2 : cap, __ATOMIC_RELAXED);
}
