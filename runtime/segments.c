/*
 * segments.c - takes free segments of the shared region.
 *
 * Source: R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986, with a tag
 * (wire/control.h).
 */
#include "segments.h"
#include "log.h"
#include "windows.h"

static bool segment_map(uint32_t number) {
  if (prof_segment_map(number))
    return true;
  if (!__atomic_exchange_n(&prof_runtime.narrow, true, __ATOMIC_RELAXED))
    prof_log_error(PROF_LOG_NARROW);
  return false;
}

static uint32_t segment_pop(struct prof_control *control, uint32_t held) {
  uint64_t head = __atomic_load_n(&control->free_head, __ATOMIC_ACQUIRE);
  while ((uint32_t)head) {
    uint32_t number = (uint32_t)head;
    if (number > prof_runtime.segment_count || !segment_map(number))
      return 0;
    uint64_t below = __atomic_load_n(&prof_segment_at(number)->next, __ATOMIC_RELAXED);
    uint64_t next = ((head >> 32) + 1) << 32 | (uint32_t)below;
    if (__atomic_compare_exchange_n(&control->free_head, &head, next, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return number;
  }
  uint32_t fresh = __atomic_load_n(&control->fresh_segments, __ATOMIC_RELAXED), budget = control->budget_segments;
  uint32_t most = held < 2 || !budget || budget > prof_runtime.segment_count ? prof_runtime.segment_count : budget;
  while (fresh < most && segment_map(fresh + 1))
    if (__atomic_compare_exchange_n(&control->fresh_segments, &fresh, fresh + 1, true, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      return fresh + 1;
  return 0;
}

static uint32_t segments_held(const struct prof_thread *record) {
  return record->taken - __atomic_load_n(&record->released, __ATOMIC_SEQ_CST);
}

bool prof_segment_is_capped(const struct prof_thread *record) {
  uint32_t cap = __atomic_load_n(&prof_runtime.control->thread_segments, __ATOMIC_RELAXED);
  return segments_held(record) >= (cap < 2 ? 2 : cap);
}

uint32_t prof_segment_take(const struct prof_thread *record) {
  return prof_segment_is_capped(record) ? 0 : segment_pop(prof_runtime.control, segments_held(record));
}
