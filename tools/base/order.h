/*
 * tools/base/order.h - comparison by several keys, and search in sorted items.
 *
 *    return prof_order(a->thread, b->thread) ?: prof_order(b->time, a->time);  ascending threads, then descending times
 *    size_t first = prof_search(0, count, i, items[i].time < time);            the first item not before `time`
 */
#ifndef PROF_BASE_ORDER_H
#define PROF_BASE_ORDER_H

#include <stddef.h>

/* -1, 0 or 1, for qsort. */
#define prof_order(left, right) (((left) > (right)) - ((left) < (right)))

/* The first index in [from, to) for which `before` is false, else `to`; `before` must be true for all below it. */
#define prof_search(from, to, index, before)                                                                           \
  ({                                                                                                                   \
    size_t prof_low_ = (from), prof_high_ = (to);                                                                      \
    while (prof_low_ < prof_high_) {                                                                                   \
      size_t index = prof_low_ + (prof_high_ - prof_low_) / 2;                                                         \
      if (before)                                                                                                      \
        prof_low_ = index + 1;                                                                                         \
      else                                                                                                             \
        prof_high_ = index;                                                                                            \
    }                                                                                                                  \
    prof_low_;                                                                                                         \
  })

#endif
