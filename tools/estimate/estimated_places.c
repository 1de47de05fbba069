/*
 * tools/estimate/estimated_places.c - see estimated_places.h.
 */
#include "estimate/estimated_places.h"

#include "base/order.h"

/* The function around a node; PROF_NONE: none. */
static uint32_t caller_of(const struct prof_profile *profile, uint32_t node) {
  const struct prof_node *nodes = profile->nodes;
  uint32_t at = nodes[node].parent;
  while (nodes[at].parent != PROF_NONE && nodes[at].function != PROF_NONE &&
         nodes[at].function >= profile->function_count)
    at = nodes[at].parent; /* a loop belongs to its function */
  return nodes[at].function;
}

size_t prof_estimated_places_of(const struct prof_profile *profile, uint32_t node,
                                const struct prof_estimated_place **first) {
  const struct prof_estimated_place *items = profile->estimated_places;
  uint32_t function = profile->nodes[node].function;
  if (!items || profile->nodes[node].place != PROF_NONE || function == PROF_NONE || profile->nodes[node].parent == 0)
    return 0;
  uint32_t caller = caller_of(profile, node);
  size_t at = prof_search(0, profile->estimated_place_count, i,
                          (prof_order(items[i].function, function) ?: prof_order(items[i].caller, caller)) < 0);
  size_t end = at;
  while (end < profile->estimated_place_count && items[end].function == function && items[end].caller == caller)
    end++;
  *first = items + at;
  return end - at;
}

static uint64_t part_of(double share, uint64_t value) {
  return share >= 1 ? value : (uint64_t)(share * (double)value + 0.5);
}

/* What the first places get, less what they got before: so all get all, whatever is rounded. */
static uint64_t step(uint64_t *before, double share, uint64_t value) {
  uint64_t now = part_of(share, value), part = now > *before ? now - *before : 0;
  *before += part;
  return part;
}

struct prof_place_part prof_place_part_next(struct prof_place_part *all, const struct prof_node *node, double share) {
  all->share += share;
  double reached = all->share > 1 - 1e-9 ? 1 : all->share;
  return (struct prof_place_part){.share = share,
                                  .calls = step(&all->calls, reached, node->calls),
                                  .total_ticks = step(&all->total_ticks, reached, node->total_ticks),
                                  .off = {.waiting = step(&all->off.waiting, reached, node->off.waiting),
                                          .preempted = step(&all->off.preempted, reached, node->off.preempted)}};
}
