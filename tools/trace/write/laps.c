/*
 * tools/trace/write/laps.c - see laps.h.
 */
#include "laps.h"

#include <string.h>

static struct prof_lap *last_of(struct prof_laps *laps) {
  return laps->items.items[laps->items.count - 1];
}

bool prof_laps_begin(struct prof_laps *laps, uint64_t now_ns) {
  struct prof_lap *lap = calloc(1, sizeof *lap);
  if (lap == NULL || !prof_vec_reserve(&laps->items, 1)) {
    free(lap);
    return false;
  }
  *lap = (struct prof_lap){.users = 1, .serial = 1, .begin_ns = now_ns};
  if (laps->items.count > 0) {
    prof_vec_trim(&last_of(laps)->bytes);
    last_of(laps)->end_ns = now_ns;
    lap->serial = last_of(laps)->serial + 1;
  }
  laps->items.items[laps->items.count++] = lap;
  return true;
}

bool prof_laps_put(struct prof_laps *laps, const struct iovec *parts, int count) {
  struct prof_lap *lap = last_of(laps);
  size_t total = 0;
  for (int i = 0; i < count; i++)
    total += parts[i].iov_len;
  if (!prof_vec_reserve(&lap->bytes, total))
    return false;
  for (int i = 0; i < count; i++) {
    if (parts[i].iov_len > 0)
      memcpy(lap->bytes.items + lap->bytes.count, parts[i].iov_base, parts[i].iov_len);
    lap->bytes.count += parts[i].iov_len;
  }
  laps->bytes += total;
  return true;
}

void prof_lap_let_go(struct prof_lap *lap) {
  if (__atomic_sub_fetch(&lap->users, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  prof_vec_fini(&lap->bytes);
  free(lap);
}

void prof_laps_drop(struct prof_laps *laps, uint64_t keep_bytes, uint64_t old_ns) {
  size_t gone = 0;
  while (gone + 1 < laps->items.count && (laps->bytes > keep_bytes || laps->items.items[gone]->end_ns < old_ns)) {
    laps->bytes -= laps->items.items[gone]->bytes.count;
    prof_lap_let_go(laps->items.items[gone++]);
  }
  laps->items.count -= gone;
  if (gone > 0)
    memmove(laps->items.items, laps->items.items + gone, laps->items.count * sizeof *laps->items.items);
}

void prof_laps_fini(struct prof_laps *laps) {
  for (size_t i = 0; i < laps->items.count; i++)
    prof_lap_let_go(laps->items.items[i]);
  prof_vec_fini(&laps->items);
}
