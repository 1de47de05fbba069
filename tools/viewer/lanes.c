/*
 * tools/viewer/lanes.c - see lanes.h.
 */
#include "viewer/lanes.h"

#include <string.h>

#include "proftrace.h"

void prof_lanes_init(struct prof_lanes *lanes, uint64_t most) {
  *lanes = (struct prof_lanes){.most = most};
}

void prof_lanes_fini(struct prof_lanes *lanes) {
  for (size_t i = 0; i < lanes->items.count; i++) {
    prof_vec_fini(&lanes->items.items[i].calls);
    prof_vec_fini(&lanes->items.items[i].cells);
  }
  prof_vec_fini(&lanes->items);
}

uint32_t prof_lanes_add_lane(struct prof_lanes *lanes, enum prof_lane_kind kind, uint32_t thread, uint32_t depth) {
  if (!prof_vec_push(&lanes->items, (struct prof_lane){.kind = kind, .thread = thread, .depth = depth})) {
    lanes->failed = true;
    return PROF_NONE;
  }
  return (uint32_t)(lanes->items.count - 1);
}

size_t prof_lane_cell_put(struct prof_lane_cell *cells, size_t count, const struct prof_lane_cell *from) {
  struct prof_lane_cell *last = count ? &cells[count - 1] : NULL;
  if (!last || last->bucket != from->bucket) {
    cells[count] = *from;
    return count + 1;
  }
  last->cover += from->cover;
  last->calls = last->calls > UINT32_MAX - from->calls ? UINT32_MAX : last->calls + from->calls;
  prof_lane_cell_vote(last, from->frame, from->weight);
  return count;
}

static struct prof_lane_cell cell_of(const struct prof_lane_call *call, uint32_t shift) {
  return (struct prof_lane_cell){
      .bucket = call->begin >> shift, .cover = call->length, .weight = call->length, .calls = 1, .frame = call->frame};
}

static bool is_short(const struct prof_lane_call *call, uint32_t shift) {
  return shift > 0 && call->length >> shift == 0;
}

/* One step coarser: cells in pairs become one, and calls that are now too short join them, in the order of time. */
static bool coarsen(struct prof_lane *lane, uint32_t shift) {
  size_t cell_count = 0, call_count = 0, next = 0, most = lane->cells.count + lane->calls.count;
  struct prof_lane_cell *cells = malloc((most + 1) * sizeof *cells);
  if (!cells)
    return false;
  for (size_t i = 0; i < lane->calls.count; i++) {
    const struct prof_lane_call call = lane->calls.items[i];
    if (!is_short(&call, shift)) {
      lane->calls.items[call_count++] = call;
      continue;
    }
    struct prof_lane_cell made = cell_of(&call, shift);
    for (; next < lane->cells.count && lane->cells.items[next].bucket >> 1 <= made.bucket; next++) {
      lane->cells.items[next].bucket >>= 1;
      cell_count = prof_lane_cell_put(cells, cell_count, &lane->cells.items[next]);
    }
    cell_count = prof_lane_cell_put(cells, cell_count, &made);
  }
  for (; next < lane->cells.count; next++) {
    lane->cells.items[next].bucket >>= 1;
    cell_count = prof_lane_cell_put(cells, cell_count, &lane->cells.items[next]);
  }
  free(lane->cells.items);
  lane->cells.items = cells;
  lane->cells.count = cell_count;
  lane->cells.capacity = most + 1;
  lane->calls.count = call_count;
  return true;
}

static void take_next_step(struct prof_lanes *lanes) {
  lanes->shift++;
  lanes->records = 0;
  for (size_t i = 0; i < lanes->items.count; i++) {
    lanes->failed |= !coarsen(&lanes->items.items[i], lanes->shift);
    lanes->records += lanes->items.items[i].calls.count + lanes->items.items[i].cells.count;
  }
}

static void take_coarser(struct prof_lanes *lanes, uint64_t most) {
  while (lanes->records > most && lanes->shift < 63 && !lanes->failed)
    take_next_step(lanes);
}

void prof_lanes_coarsen(struct prof_lanes *lanes, uint32_t shift) {
  while (lanes->shift < shift && !lanes->failed)
    take_next_step(lanes);
}

void prof_lanes_trim(struct prof_lanes *lanes) {
  for (size_t i = 0; i < lanes->items.count; i++) {
    prof_vec_trim(&lanes->items.items[i].calls);
    prof_vec_trim(&lanes->items.items[i].cells);
  }
}

void prof_lanes_add(struct prof_lanes *lanes, uint32_t index, const struct prof_lane_call *call) {
  struct prof_lane *lane = &lanes->items.items[index];
  if (is_short(call, lanes->shift)) {
    const struct prof_lane_cell made = cell_of(call, lanes->shift);
    size_t before = lane->cells.count;
    if (!prof_vec_reserve(&lane->cells, 1)) {
      lanes->failed = true;
      return;
    }
    lane->cells.count = prof_lane_cell_put(lane->cells.items, lane->cells.count, &made);
    lanes->records += lane->cells.count - before;
  } else if (prof_vec_push(&lane->calls, *call)) {
    lanes->records++;
  } else {
    lanes->failed = true;
  }
  if (lanes->records > lanes->most + lanes->most / 2) /* room, so that it happens seldom */
    take_coarser(lanes, lanes->most);
}

void prof_lanes_finish(struct prof_lanes *lanes) {
  take_coarser(lanes, lanes->most);
  lanes->merged = 0;
  for (size_t i = 0; i < lanes->items.count; i++)
    for (size_t j = 0; j < lanes->items.items[i].cells.count && lanes->items.items[i].kind == PROF_LANE_CALLS; j++)
      lanes->merged += lanes->items.items[i].cells.items[j].calls;
}
