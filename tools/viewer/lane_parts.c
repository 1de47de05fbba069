/*
 * tools/viewer/lane_parts.c - lanes joined in time, and parts of them: prof_lanes_append, prof_lanes_cut.
 */
#include <string.h>

#include "proftrace.h"
#include "viewer/lanes.h"

void prof_lanes_append(struct prof_lanes *lanes, uint32_t into, struct prof_lane *from) {
  struct prof_lane *lane = &lanes->items.items[into];
  size_t cells = from->cells.count, first = 0;
  if (!prof_vec_reserve(&lane->calls, from->calls.count) || !prof_vec_reserve(&lane->cells, cells)) {
    lanes->failed = true;
    return;
  }
  if (from->calls.count)
    memcpy(lane->calls.items + lane->calls.count, from->calls.items, from->calls.count * sizeof *from->calls.items);
  lane->calls.count += from->calls.count;
  lanes->records += from->calls.count + cells;
  if (cells && lane->cells.count && lane->cells.items[lane->cells.count - 1].bucket == from->cells.items[0].bucket) {
    lane->cells.count = prof_lane_cell_put(lane->cells.items, lane->cells.count, &from->cells.items[0]);
    lanes->records--;
    first = 1;
  }
  if (cells > first)
    memcpy(lane->cells.items + lane->cells.count, from->cells.items + first,
           (cells - first) * sizeof *from->cells.items);
  lane->cells.count += cells - first;
  prof_vec_fini(&from->calls);
  prof_vec_fini(&from->cells);
}

/* The first call that ends after `time`. */
static size_t first_call(const struct prof_lane *lane, uint64_t time) {
  size_t low = 0, high = lane->calls.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lane->calls.items[middle].begin + lane->calls.items[middle].length > time)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The first cell from that bucket on. */
static size_t first_cell(const struct prof_lane *lane, uint64_t bucket) {
  size_t low = 0, high = lane->cells.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lane->cells.items[middle].bucket >= bucket)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* What is left to be taken of a lane. */
struct taking {
  const struct prof_lane *from;
  size_t call, cell;
  uint32_t into;  /* lane */
  uint32_t shift; /* by which buckets become those of the result */
};

/* Takes cells up to that bucket of the result; false: no memory. */
static bool take_cells(struct taking *taking, struct prof_lanes *lanes, uint64_t last_bucket, uint64_t end) {
  const struct prof_lane *from = taking->from;
  struct prof_lane *into = &lanes->items.items[taking->into];
  for (; taking->cell < from->cells.count && from->cells.items[taking->cell].bucket < end; taking->cell++) {
    struct prof_lane_cell cell = from->cells.items[taking->cell];
    cell.bucket >>= taking->shift;
    if (cell.bucket > last_bucket)
      return true;
    if (!prof_vec_reserve(&into->cells, 1))
      return false;
    lanes->records -= into->cells.count;
    into->cells.count = prof_lane_cell_put(into->cells.items, into->cells.count, &cell);
    lanes->records += into->cells.count;
  }
  return true;
}

uint32_t prof_lanes_cut(struct prof_lanes *lanes, const struct prof_lane *from, uint32_t from_shift,
                        const struct prof_lane_span *span) {
  uint64_t end_bucket = (span->end >> from_shift) + ((span->end & ((1ull << from_shift) - 1)) != 0);
  struct taking taking = {.from = from,
                          .call = first_call(from, span->begin),
                          .cell = first_cell(from, span->begin >> from_shift),
                          .shift = lanes->shift - from_shift};
  bool any = (taking.call < from->calls.count && from->calls.items[taking.call].begin < span->end) ||
             (taking.cell < from->cells.count && from->cells.items[taking.cell].bucket < end_bucket);
  uint32_t index = any ? prof_lanes_add_lane(lanes, from->kind, from->thread, from->depth) : PROF_NONE;
  if (index == PROF_NONE)
    return index;
  taking.into = index;
  bool done = true;
  for (; done && taking.call < from->calls.count && from->calls.items[taking.call].begin < span->end; taking.call++) {
    const struct prof_lane_call *call = &from->calls.items[taking.call];
    if (call->length >> lanes->shift == 0 && lanes->shift > 0)
      done = take_cells(&taking, lanes, call->begin >> lanes->shift, end_bucket);
    if (done)
      prof_lanes_add(lanes, index, call);
  }
  lanes->failed |= !done || !take_cells(&taking, lanes, UINT64_MAX, end_bucket);
  return index;
}
