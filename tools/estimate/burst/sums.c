/*
 * tools/estimate/burst/sums.c - see sums.h.
 */
#include "estimate/burst/sums.h"

#include <stdlib.h>

#include "base/order.h"

static int by_frame(const void *left, const void *right) {
  const struct prof_burst_frame_sum *a = left, *b = right;
  return prof_order(a->frame, b->frame) ?: prof_order(a->thread, b->thread);
}

static int by_caller(const void *left, const void *right) {
  const struct prof_burst_sum *a = left, *b = right;
  return prof_order(a->frame, b->frame) ?: prof_order(a->thread, b->thread) ?: prof_order(a->caller, b->caller);
}

void prof_burst_sums_sort(struct prof_burst_sums *sums) {
  prof_vec_sort(&sums->frames, by_frame);
  prof_vec_sort(&sums->rates, by_caller);
}

void prof_burst_sums_fini(struct prof_burst_sums *sums) {
  prof_vec_fini(&sums->frames);
  prof_vec_fini(&sums->rates);
  prof_vec_fini(&sums->places.items);
  prof_burst_callers_fini(&sums->callers);
  free(sums->threads);
  *sums = (struct prof_burst_sums){0};
}

const struct prof_burst_frame_sum *prof_burst_sums_frame(const struct prof_burst_sums *sums, uint32_t frame,
                                                         uint32_t thread) {
  const struct prof_burst_frame_sum *items = sums->frames.items;
  size_t at = prof_search(0, sums->frames.count, i,
                          (prof_order(items[i].frame, frame) ?: prof_order(items[i].thread, thread)) < 0);
  bool found = at < sums->frames.count && items[at].frame == frame && items[at].thread == thread;
  return found ? &items[at] : NULL;
}
