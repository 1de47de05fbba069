/*
 * tools/analysis/lines/line_counts.c - see line_counts.h.
 *
 * Flows by Clang: count_blocks.c.  In flows by GCC a block belongs to the highest of its lines, but the block where the
 * function returns to none; the block's other lines count its executions.  A line with its own blocks counts entries
 * from other blocks, and cycles within them, which are found and removed one by one.
 */
#include "analysis/lines/line_counts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/lines/count_blocks.h"
#include "analysis/lines/count_flow.h"
#include "analysis/lines/line_times.h"
#include "base/order.h"
#include "counts.h"

#define NOBODY UINT32_MAX

struct part { /* of a line, by one function */
  const char *file, *function;
  uint32_t line;
  bool owns_blocks;
  uint64_t entered;  /* with cycles; if it owns blocks */
  uint64_t executed; /* sum over its blocks */
};

struct work { /* for one flow at a time; arrays are reused */
  struct prof_count_flow flow;
  struct prof_count_blocks blocks;
  PROF_VEC(struct part) parts;
  PROF_VEC(struct prof_count_place) places; /* by file, line, node */
  PROF_VEC(uint32_t) first;                 /* by node: index of its first arc in `outgoing` */
  PROF_VEC(uint32_t) outgoing;              /* arcs */
  PROF_VEC(uint32_t) group;                 /* by node: number of the line that owns it, in `places` */
  PROF_VEC(uint32_t) came_by;               /* by node: the arc by which the search came to it */
  PROF_VEC(uint32_t) queue;
  PROF_VEC(int64_t) left; /* by arc: count that is in no cycle yet */
};

static int compare_places(const void *left, const void *right) {
  const struct prof_count_place *a = left, *b = right;
  int order = prof_order((uintptr_t)a->file, (uintptr_t)b->file);
  return order ?: prof_order(a->line, b->line) ?: prof_order(a->node, b->node);
}

#define ROOM(work, name, wanted) prof_vec_reserve(&(work)->name, wanted)

static bool make_room(struct work *work) {
  size_t nodes = (size_t)work->flow.node_count + 1, arcs = work->flow.arcs.count + 1;
  work->places.count = work->first.count = work->outgoing.count = work->group.count = work->came_by.count = 0;
  work->queue.count = work->left.count = 0;
  return ROOM(work, places, work->flow.places.count + 1) && ROOM(work, first, nodes) && ROOM(work, outgoing, arcs) &&
         ROOM(work, group, nodes) && ROOM(work, came_by, nodes) && ROOM(work, queue, nodes) && ROOM(work, left, arcs);
}

/* Counting sort of the arcs by the node that they leave. */
static void index_arcs(struct work *work) {
  const struct prof_count_flow *flow = &work->flow;
  uint32_t *first = work->first.items;
  memset(first, 0, ((size_t)flow->node_count + 1) * sizeof *first);
  for (size_t i = 0; i < flow->arcs.count; i++) {
    first[flow->arcs.items[i].from]++;
    work->left.items[i] = flow->arcs.items[i].count;
  }
  for (uint32_t i = 0, sum = 0; i <= flow->node_count; i++) {
    sum += first[i];
    first[i] = sum; /* the end of its arcs; the loop below makes it their begin */
  }
  for (size_t i = flow->arcs.count; i > 0; i--)
    work->outgoing.items[--first[flow->arcs.items[i - 1].from]] = (uint32_t)(i - 1);
}

/* Breadth-first search from `start` over nodes of its line that aren't before it.  Returns the arc that closes a cycle;
 * NOBODY: none. */
static uint32_t find_round(struct work *work, uint32_t start) {
  const struct prof_count_flow *flow = &work->flow;
  size_t head = 0, tail = 0;
  for (uint32_t i = 0; i < flow->node_count; i++)
    work->came_by.items[i] = NOBODY;
  work->queue.items[tail++] = start;
  while (head < tail) {
    uint32_t node = work->queue.items[head++];
    for (uint32_t i = work->first.items[node]; i < work->first.items[node + 1]; i++) {
      uint32_t index = work->outgoing.items[i], to = flow->arcs.items[index].to;
      if (work->left.items[index] <= 0 || to < start || work->group.items[to] != work->group.items[start])
        continue;
      if (to == start)
        return index;
      if (work->came_by.items[to] == NOBODY) {
        work->came_by.items[to] = index;
        work->queue.items[tail++] = to;
      }
    }
  }
  return NOBODY;
}

/* Counts cycles through `start` and subtracts them from `left`. */
static uint64_t count_rounds(struct work *work, uint32_t start) {
  const struct prof_count_arc *arcs = work->flow.arcs.items;
  uint64_t rounds = 0;
  for (uint32_t closing; (closing = find_round(work, start)) != NOBODY;) {
    int64_t least = work->left.items[closing];
    for (uint32_t node = arcs[closing].from; node != start; node = arcs[work->came_by.items[node]].from)
      if (work->left.items[work->came_by.items[node]] < least)
        least = work->left.items[work->came_by.items[node]];
    work->left.items[closing] -= least;
    for (uint32_t node = arcs[closing].from; node != start; node = arcs[work->came_by.items[node]].from)
      work->left.items[work->came_by.items[node]] -= least;
    rounds += (uint64_t)least;
  }
  return rounds;
}

/* Does an arc lead from the line's blocks back to them?  Most lines have none and need no search. */
static bool may_have_rounds(const struct work *work, uint32_t node) {
  bool is_inside = false;
  for (uint32_t i = work->first.items[node]; i < work->first.items[node + 1]; i++)
    is_inside |= work->group.items[work->flow.arcs.items[work->outgoing.items[i]].to] == work->group.items[node];
  return is_inside;
}

static void add_entered(struct work *work, uint32_t first_part) {
  const struct prof_count_flow *flow = &work->flow;
  for (size_t i = 0; i < flow->arcs.count; i++) {
    const struct prof_count_arc *arc = &flow->arcs.items[i];
    uint32_t group = work->group.items[arc->to];
    if (group != NOBODY && work->group.items[arc->from] != group)
      work->parts.items[first_part + group].entered += (uint64_t)arc->count;
  }
  for (uint32_t node = 0; node < flow->node_count; node++)
    if (work->group.items[node] != NOBODY && may_have_rounds(work, node))
      work->parts.items[first_part + work->group.items[node]].entered += count_rounds(work, node);
}

static bool is_same_line(const struct prof_count_place *a, const struct prof_count_place *b) {
  return a->line == b->line && a->file == b->file;
}

/* A flow by Clang: one part for each line. */
static bool take_blocks(struct work *work) {
  const struct prof_count_place *places = work->places.items;
  if (!prof_count_blocks_begin(&work->blocks, &work->flow))
    return false;
  for (size_t i = 0, end, count = work->flow.places.count; i < count; i = end) {
    for (end = i + 1; end < count && is_same_line(&places[i], &places[end]);)
      end++;
    uint64_t times = prof_count_blocks_line(&work->blocks, &work->flow, places + i, end - i);
    struct part made = {places[i].file, work->flow.name, places[i].line, true, times, times};
    if (!prof_vec_push(&work->parts, made))
      return false;
  }
  return true;
}

/* A flow by GCC: one part for each line. */
static bool take_nodes(struct work *work) {
  const struct prof_count_flow *flow = &work->flow;
  uint32_t first_part = (uint32_t)work->parts.count;
  index_arcs(work);
  for (uint32_t i = 0; i < flow->node_count; i++)
    work->group.items[i] = NOBODY;
  for (size_t i = 0; i < flow->places.count; i++) {
    const struct prof_count_place *place = &work->places.items[i];
    bool is_new = i == 0 || !is_same_line(place - 1, place);
    struct part made = {place->file, flow->name, place->line, false, 0, 0};
    if (is_new && !prof_vec_push(&work->parts, made))
      return false;
    struct part *part = &work->parts.items[work->parts.count - 1];
    part->executed += (uint64_t)flow->nodes.items[place->node];
    if (place->owner && place->node > 1 && place->node != flow->last_node) {
      part->owns_blocks = true;
      work->group.items[place->node] = (uint32_t)work->parts.count - 1 - first_part;
    }
  }
  add_entered(work, first_part);
  return true;
}

static bool take_flow(struct work *work) {
  const struct prof_count_flow *flow = &work->flow;
  if (!make_room(work))
    return false;
  if (flow->places.count > 0)
    memcpy(work->places.items, flow->places.items, flow->places.count * sizeof *work->places.items);
  qsort(work->places.items, flow->places.count, sizeof *work->places.items, compare_places);
  return flow->lines_by == PROF_FLOW_BY_BLOCK ? take_blocks(work) : take_nodes(work);
}

static int compare_parts(const void *left, const void *right) {
  const struct part *a = left, *b = right;
  int order = a->file == b->file ? 0 : strcmp(a->file, b->file);
  return order ?: prof_order(a->line, b->line);
}

static bool join_parts(struct work *work, struct prof_line_counts *out) {
  qsort(work->parts.items, work->parts.count, sizeof *work->parts.items, compare_parts);
  for (size_t i = 0, end; i < work->parts.count; i = end) {
    const struct part *parts = &work->parts.items[i];
    uint64_t entered = 0, executed = 0;
    bool owns_blocks = false;
    for (end = i; end < work->parts.count && compare_parts(parts, &work->parts.items[end]) == 0; end++) {
      owns_blocks |= work->parts.items[end].owns_blocks;
      entered += work->parts.items[end].entered;
      executed += work->parts.items[end].executed;
    }
    struct prof_line_count row = {parts->file, parts->line, parts->function, owns_blocks ? entered : executed};
    if (!prof_vec_push(&out->rows, row))
      return false;
  }
  return true;
}

static prof_status take_block(struct work *work, const struct prof_count_block *block, struct prof_line_counts *out) {
  for (size_t at = 0, next;; at = next) {
    prof_status status = prof_count_flow_read(&work->flow, block, at, &next);
    if (status == PROF_NOT_FOUND)
      return PROF_OK;
    if (status == PROF_NO_MEMORY || (status == PROF_OK && !take_flow(work)))
      return PROF_NO_MEMORY;
    out->damaged += status != PROF_OK;
    out->functions += status == PROF_OK;
  }
}

static void work_fini(struct work *work) {
  prof_count_flow_fini(&work->flow);
  prof_count_blocks_fini(&work->blocks);
  prof_vec_fini(&work->parts);
  prof_vec_fini(&work->places);
  prof_vec_fini(&work->first);
  prof_vec_fini(&work->outgoing);
  prof_vec_fini(&work->group);
  prof_vec_fini(&work->came_by);
  prof_vec_fini(&work->queue);
  prof_vec_fini(&work->left);
}

prof_status prof_line_counts_make(const prof_trace *trace, struct prof_line_counts *out) {
  struct work work = {0};
  size_t count;
  const struct prof_count_block *blocks = prof_trace_counts(trace, &count);
  prof_status status = PROF_OK;
  *out = (struct prof_line_counts){0};
  for (size_t i = 0; i < count && status == PROF_OK; i++)
    status = prof_line_times_are(&blocks[i]) ? PROF_OK : take_block(&work, &blocks[i], out);
  if (status == PROF_OK && work.parts.count > 0 && !join_parts(&work, out))
    status = PROF_NO_MEMORY;
  work_fini(&work);
  if (status != PROF_OK)
    prof_line_counts_fini(out);
  return status;
}

void prof_line_counts_fini(struct prof_line_counts *counts) {
  prof_vec_fini(&counts->rows);
}
