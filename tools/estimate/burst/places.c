/*
 * tools/estimate/burst/places.c - see places.h.
 */
#include "estimate/burst/places.h"

#include <stdlib.h>

#include "base/order.h"
#include "estimate/profile_build.h"

static int by_edge(const void *left, const void *right) {
  const struct prof_burst_counted *a = left, *b = right;
  return prof_order(a->frame, b->frame) ?: prof_order(a->from.function, b->from.function)
      ?: prof_order(a->from.module, b->from.module)
      ?: prof_order(a->from.address, b->from.address);
}

struct growing {
  PROF_VEC(struct prof_call_place) places;
  struct prof_index_map known;
};

static uint32_t hash_of(const struct prof_call_place *place) {
  return prof_index_hash((uint64_t)place->module << 32 | place->function, place->address);
}

/* Its index; it is added if missing.  UINT32_MAX: no memory. */
static uint32_t meet(struct growing *growing, struct prof_call_place place) {
  const struct prof_call_place *all = growing->places.items;
  return prof_index_meet(
      &growing->known, &growing->places, hash_of(&place), i,
      all[i].function == place.function && all[i].module == place.module && all[i].address == place.address, place);
}

static bool take_known(struct growing *growing, const struct prof_profile *profile) {
  bool done = prof_vec_reserve(&growing->places, profile->place_count);
  for (uint32_t i = 0; done && i < profile->place_count; i++) {
    growing->places.items[growing->places.count++] = profile->places[i];
    done = prof_index_add(&growing->known, hash_of(&profile->places[i]), i);
  }
  return done;
}

/* The calls of all places of the edge that begins at `first`; *end: behind its last one. */
static double sum_edge(const struct prof_burst_counted_places *counted, size_t first, size_t *end) {
  const struct prof_burst_counted *items = counted->items.items;
  double sum = 0;
  for (*end = first; *end < counted->items.count && items[*end].frame == items[first].frame &&
                     items[*end].from.function == items[first].from.function;
       ++*end)
    sum += items[*end].calls;
  return sum;
}

bool prof_burst_places(struct prof_profile *profile, struct prof_burst_counted_places *counted) {
  if (!profile->places || counted->items.count == 0)
    return true;
  struct growing growing = {0};
  struct prof_estimated_place *shares = calloc(counted->items.count, sizeof *shares);
  bool done = shares && take_known(&growing, profile);
  prof_vec_sort(&counted->items, by_edge);
  for (size_t first = 0, end; first < counted->items.count && done; first = end) {
    double sum = sum_edge(counted, first, &end);
    for (size_t i = first; i < end && done; i++) {
      const struct prof_burst_counted *item = &counted->items.items[i];
      uint32_t place = meet(&growing, (struct prof_call_place){item->frame, item->from.module, item->from.address});
      shares[i] =
          (struct prof_estimated_place){item->frame, item->from.function, place, sum > 0 ? item->calls / sum : 0};
      done = place != UINT32_MAX;
    }
  }
  done = done && prof_profile_take_places(profile, growing.places.items, (uint32_t)growing.places.count, shares,
                                          counted->items.count);
  if (!done) {
    prof_vec_fini(&growing.places);
    free(shares);
  }
  prof_index_fini(&growing.known);
  return done;
}
