/*
 * tools/analysis/gpu/gpu_stretches.c - see gpu_stretches.h.
 */
#include "analysis/gpu/gpu_stretches.h"

bool prof_stretches_add(struct prof_stretches *set, uint64_t begin, uint64_t end) {
  struct prof_stretch *last = set->items.count > 0 ? &set->items.items[set->items.count - 1] : NULL;
  if (end <= begin)
    return true;
  if (last == NULL || begin > last->end)
    return prof_vec_push(&set->items, (struct prof_stretch){begin, end});
  last->end = end > last->end ? end : last->end;
  return true;
}

uint64_t prof_stretches_total(const struct prof_stretches *set) {
  uint64_t total = 0;
  for (size_t i = 0; i < set->items.count; i++)
    total += set->items.items[i].end - set->items.items[i].begin;
  return total;
}

uint64_t prof_stretches_overlap(const struct prof_stretches *left, const struct prof_stretches *right) {
  uint64_t total = 0;
  for (size_t a = 0, b = 0; a < left->items.count && b < right->items.count;) {
    const struct prof_stretch *one = &left->items.items[a], *other = &right->items.items[b];
    uint64_t begin = one->begin > other->begin ? one->begin : other->begin;
    uint64_t end = one->end < other->end ? one->end : other->end;
    total += end > begin ? end - begin : 0;
    if (one->end < other->end)
      a++;
    else
      b++;
  }
  return total;
}

void prof_stretches_fini(struct prof_stretches *set) {
  prof_vec_fini(&set->items);
}
