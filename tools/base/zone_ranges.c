/*
 * tools/base/zone_ranges.c - see zone_ranges.h.
 */
#include "base/zone_ranges.h"

#define MOST_BACK 1024u   /* ranges between a begin and its end */
#define WAY_OUT_BYTES 24u /* from an end to the exit behind it, or to another end on the same way; without code: 16 */

/* The last range of a host (and zone) that is open, or else returns; NULL: none. */
static struct prof_zone_range *last_of(struct prof_zone_ranges *ranges, size_t first, uint32_t zone, uint32_t host) {
  struct prof_zone_range *ended = NULL;
  for (size_t i = ranges->count; i > first && ranges->count - i < MOST_BACK; i--) {
    struct prof_zone_range *range = &ranges->items[i - 1];
    if (range->host != host || (zone != PROF_ZONE_UNKNOWN && range->zone != zone))
      continue;
    if (range->open > 0)
      return range;
    if (zone != PROF_ZONE_UNKNOWN)
      return range->returns ? range : NULL;
    ended = ended == NULL && range->returns ? range : ended;
  }
  return ended;
}

static bool begin(struct prof_zone_ranges *ranges, size_t first, const struct prof_zone_sled *sled) {
  struct prof_zone_range *range = last_of(ranges, first, sled->zone, sled->host);
  if (range != NULL && range->open > 0) { /* the compiler doubled it, or it is within itself */
    range->open++;
    return true;
  }
  if (range != NULL)
    range->returns = false;
  return prof_vec_push(ranges,
                       (struct prof_zone_range){sled->address, sled->address, sled->zone, sled->host, 1, false});
}

static void end(struct prof_zone_ranges *ranges, size_t first, const struct prof_zone_sled *sled) {
  struct prof_zone_range *range = last_of(ranges, first, sled->zone, sled->host);
  if (range == NULL)
    return;
  range->open -= range->open > 0;
  range->end = sled->address;
  range->returns = false;
}

/* Marks the zones whose last ends are on the way to this exit: one right behind the other. */
static void leave(struct prof_zone_ranges *ranges, size_t first, const struct prof_zone_sled *sled) {
  uint64_t way = sled->address;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = ranges->count; i > first && ranges->count - i < MOST_BACK; i--) {
      struct prof_zone_range *range = &ranges->items[i - 1];
      if (range->host != sled->host || range->returns || range->end == range->begin || range->end + WAY_OUT_BYTES < way)
        continue;
      range->returns = again = true;
      way = range->end < way ? range->end : way;
    }
  }
}

bool prof_zone_ranges_find(struct prof_zone_ranges *ranges, const struct prof_zone_sled *sleds, size_t count) {
  size_t first = ranges->count, kept = first;
  for (size_t i = 0; i < count; i++) {
    if (sleds[i].kind == PROF_ZONE_SLED_BEGIN && !begin(ranges, first, &sleds[i]))
      return false;
    if (sleds[i].kind == PROF_ZONE_SLED_END)
      end(ranges, first, &sleds[i]);
    else if (sleds[i].kind == PROF_ZONE_SLED_EXIT)
      leave(ranges, first, &sleds[i]);
  }
  for (size_t i = first; i < ranges->count; i++)
    if (ranges->items[i].end > ranges->items[i].begin)
      ranges->items[kept++] = ranges->items[i];
  ranges->count = kept;
  return true;
}
