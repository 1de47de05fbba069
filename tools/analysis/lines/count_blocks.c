/*
 * tools/analysis/lines/count_blocks.c - see count_blocks.h.
 *
 * Nodes within a block are separate because code after a call that never returned must not count: a block adds to a
 * line at most the count of its first node with that line.
 */
#include "analysis/lines/count_blocks.h"

#include <string.h>

#include "counts.h"

#define NOBODY UINT32_MAX

static bool make_room(struct prof_count_blocks *blocks, size_t nodes, size_t arcs) {
  blocks->block.count = blocks->first_in.count = blocks->in.count = blocks->first_out.count = blocks->out.count = 0;
  blocks->stamp.count = blocks->came_by.count = blocks->on_line.count = blocks->queue.count = blocks->left.count = 0;
  return prof_vec_reserve(&blocks->block, nodes) && prof_vec_reserve(&blocks->first_in, nodes + 1) &&
         prof_vec_reserve(&blocks->in, arcs + 1) && prof_vec_reserve(&blocks->first_out, nodes + 1) &&
         prof_vec_reserve(&blocks->out, arcs + 1) && prof_vec_reserve(&blocks->stamp, nodes) &&
         prof_vec_reserve(&blocks->came_by, nodes) && prof_vec_reserve(&blocks->on_line, nodes) &&
         prof_vec_reserve(&blocks->queue, nodes) && prof_vec_reserve(&blocks->left, arcs + 1);
}

/* Counting sort of the arcs between blocks by the block that they enter, or leave. */
static void index_arcs(const struct prof_count_blocks *blocks, const struct prof_count_flow *flow, bool entering,
                       uint32_t *first, uint32_t *sorted) {
  const uint32_t *block = blocks->block.items;
  memset(first, 0, ((size_t)flow->node_count + 1) * sizeof *first);
  for (size_t i = 0; i < flow->arcs.count; i++) {
    const struct prof_count_arc *arc = &flow->arcs.items[i];
    first[block[entering ? arc->to : arc->from]] += !(arc->flags & PROF_ARC_WITHIN);
  }
  for (uint32_t i = 0, sum = 0; i <= flow->node_count; i++) {
    sum += first[i];
    first[i] = sum; /* the end of its arcs; the loop below makes it their begin */
  }
  for (size_t i = flow->arcs.count; i > 0; i--) {
    const struct prof_count_arc *arc = &flow->arcs.items[i - 1];
    if (!(arc->flags & PROF_ARC_WITHIN))
      sorted[--first[block[entering ? arc->to : arc->from]]] = (uint32_t)(i - 1);
  }
}

/* The first node of the block so far; shortens the chain to it. */
static uint32_t first_of(uint32_t *block, uint32_t node) {
  while (block[node] != node)
    node = block[node] = block[block[node]];
  return node;
}

bool prof_count_blocks_begin(struct prof_count_blocks *blocks, const struct prof_count_flow *flow) {
  if (!make_room(blocks, flow->node_count, flow->arcs.count))
    return false;
  for (uint32_t i = 0; i < flow->node_count; i++)
    blocks->block.items[i] = i;
  for (size_t i = 0; i < flow->arcs.count; i++) {
    const struct prof_count_arc *arc = &flow->arcs.items[i];
    if (arc->flags & PROF_ARC_WITHIN)
      blocks->block.items[first_of(blocks->block.items, arc->to)] = first_of(blocks->block.items, arc->from);
  }
  for (uint32_t i = 0; i < flow->node_count; i++)
    blocks->block.items[i] = first_of(blocks->block.items, i);
  index_arcs(blocks, flow, true, blocks->first_in.items, blocks->in.items);
  index_arcs(blocks, flow, false, blocks->first_out.items, blocks->out.items);
  memset(blocks->stamp.items, 0, flow->node_count * sizeof *blocks->stamp.items);
  blocks->line_count = 0;
  return true;
}

static bool is_on_line(const struct prof_count_blocks *blocks, uint32_t block) {
  return blocks->stamp.items[block] == blocks->line_count;
}

/* How often control entered a block from blocks that aren't on the line. */
static uint64_t entered(const struct prof_count_blocks *blocks, const struct prof_count_flow *flow, uint32_t block) {
  uint64_t count = 0;
  for (uint32_t i = blocks->first_in.items[block]; i < blocks->first_in.items[block + 1]; i++) {
    const struct prof_count_arc *arc = &flow->arcs.items[blocks->in.items[i]];
    if (!is_on_line(blocks, blocks->block.items[arc->from]))
      count += (uint64_t)arc->count;
  }
  return count;
}

/* Sets `left` for the arcs between the line's blocks; false: none was taken. */
static bool fill_left(struct prof_count_blocks *blocks, const struct prof_count_flow *flow) {
  bool any = false;
  for (size_t at = 0; at < blocks->on_line.count; at++) {
    uint32_t block = blocks->on_line.items[at];
    for (uint32_t i = blocks->first_out.items[block]; i < blocks->first_out.items[block + 1]; i++) {
      uint32_t index = blocks->out.items[i];
      const struct prof_count_arc *arc = &flow->arcs.items[index];
      bool inside = is_on_line(blocks, blocks->block.items[arc->to]);
      blocks->left.items[index] = inside ? arc->count : 0;
      any |= inside && arc->count > 0;
    }
  }
  return any;
}

/* Breadth-first search from `start` over blocks of the line that aren't before it.  Returns the arc that closes a
 * cycle, or NOBODY. */
static uint32_t find_round(struct prof_count_blocks *blocks, const struct prof_count_flow *flow, uint32_t start) {
  size_t head = 0, tail = 0;
  for (size_t i = 0; i < blocks->on_line.count; i++)
    blocks->came_by.items[blocks->on_line.items[i]] = NOBODY;
  blocks->queue.items[tail++] = start;
  while (head < tail) {
    uint32_t block = blocks->queue.items[head++];
    for (uint32_t i = blocks->first_out.items[block]; i < blocks->first_out.items[block + 1]; i++) {
      uint32_t index = blocks->out.items[i], to = blocks->block.items[flow->arcs.items[index].to];
      if (blocks->left.items[index] <= 0 || to < start)
        continue;
      if (to == start)
        return index;
      if (blocks->came_by.items[to] == NOBODY) {
        blocks->came_by.items[to] = index;
        blocks->queue.items[tail++] = to;
      }
    }
  }
  return NOBODY;
}

/* Counts cycles through `start` and subtracts them from `left`. */
static uint64_t count_rounds(struct prof_count_blocks *blocks, const struct prof_count_flow *flow, uint32_t start) {
  const struct prof_count_arc *arcs = flow->arcs.items;
  const uint32_t *block = blocks->block.items;
  int64_t *left = blocks->left.items;
  uint64_t rounds = 0;
  for (uint32_t closing; (closing = find_round(blocks, flow, start)) != NOBODY;) {
    int64_t least = left[closing];
    for (uint32_t at = block[arcs[closing].from]; at != start; at = block[arcs[blocks->came_by.items[at]].from])
      if (left[blocks->came_by.items[at]] < least)
        least = left[blocks->came_by.items[at]];
    left[closing] -= least;
    for (uint32_t at = block[arcs[closing].from]; at != start; at = block[arcs[blocks->came_by.items[at]].from])
      left[blocks->came_by.items[at]] -= least;
    rounds += (uint64_t)least;
  }
  return rounds;
}

uint64_t prof_count_blocks_line(struct prof_count_blocks *blocks, const struct prof_count_flow *flow,
                                const struct prof_count_place *places, size_t count) {
  uint64_t times = 0;
  blocks->line_count++;
  blocks->on_line.count = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t block = blocks->block.items[places[i].node];
    if (is_on_line(blocks, block))
      continue;
    blocks->stamp.items[block] = blocks->line_count;
    blocks->on_line.items[blocks->on_line.count++] = block;
  }
  for (size_t i = 0, at = 0; at < blocks->on_line.count; i++) { /* the first place of each block */
    uint32_t block = blocks->on_line.items[at];
    if (blocks->block.items[places[i].node] != block)
      continue;
    uint64_t came = entered(blocks, flow, block), reached = (uint64_t)flow->nodes.items[places[i].node];
    times += came < reached ? came : reached;
    at++;
  }
  if (fill_left(blocks, flow))
    for (size_t at = 0; at < blocks->on_line.count; at++)
      times += count_rounds(blocks, flow, blocks->on_line.items[at]);
  return times;
}

void prof_count_blocks_fini(struct prof_count_blocks *blocks) {
  prof_vec_fini(&blocks->block);
  prof_vec_fini(&blocks->first_in);
  prof_vec_fini(&blocks->in);
  prof_vec_fini(&blocks->first_out);
  prof_vec_fini(&blocks->out);
  prof_vec_fini(&blocks->stamp);
  prof_vec_fini(&blocks->came_by);
  prof_vec_fini(&blocks->on_line);
  prof_vec_fini(&blocks->queue);
  prof_vec_fini(&blocks->left);
}
