/*
 * tools/estimate/stretch_parts.c - see stretch_parts.h.
 */
#include "estimate/stretch_parts.h"

#include "base/order.h"

#define TOGETHER 16u

static uint64_t middle(uint64_t a, uint64_t b) {
  return a + (b - a) / 2;
}

/* Of the last stretches some are too few for a part of their own. */
uint64_t prof_stretch_parts_add(prof_stretch_parts *parts, const struct prof_sampled_stretch *stretches, size_t count,
                                uint64_t begin, uint64_t end, double times, bool *done) {
  size_t part_count = count < 2 * TOGETHER ? 1 : count / TOGETHER;
  uint64_t sum = 0;
  for (size_t part = 0; part < part_count && count > 0 && *done; part++) {
    size_t first = part * TOGETHER, behind = part + 1 < part_count ? first + TOGETHER : count;
    struct prof_stretch_part out = {
        .begin = first > 0 ? middle(stretches[first - 1].end, stretches[first].begin) : begin,
        .end = behind < count ? middle(stretches[behind - 1].end, stretches[behind].begin) : end};
    uint64_t on = 0;
    for (size_t i = first; i < behind; i++)
      on += stretches[i].end - stretches[i].begin;
    sum += on;
    if (on == 0 || out.end <= out.begin)
      continue;
    out.times = times * (double)(out.end - out.begin) / (double)on;
    *done = prof_vec_push(parts, out);
  }
  return sum;
}

double prof_stretch_parts_times(const prof_stretch_parts *parts, uint64_t time) {
  const struct prof_stretch_part *items = parts->items;
  size_t at = prof_search(0, parts->count, i, items[i].end <= time);
  return at < parts->count && items[at].begin <= time ? items[at].times : 0;
}
