/*
 * line_flow.c - see line_flow.h.  A block's line changes only from SAME to a line to UNKNOWN, so the iteration ends.
 */
#include "line_flow.h"

#include <stdlib.h>

/* Makes room for one more item of `size` bytes; NULL and `failed`: no memory, `items` stays valid. */
static void *grow(struct prof_line_flow *flow, void *items, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity)
    return items;
  size_t wanted = *capacity ? *capacity * 2 : 64;
  void *grown = realloc(items, wanted * size);
  flow->failed |= !grown;
  if (grown)
    *capacity = wanted;
  return grown;
}

void prof_line_flow_block(struct prof_line_flow *flow, uint32_t left) {
  struct prof_line_flow_block *grown =
      grow(flow, flow->blocks, flow->block_count, &flow->block_capacity, sizeof *flow->blocks);
  if (!grown)
    return;
  flow->blocks = grown;
  flow->blocks[flow->block_count++] = (struct prof_line_flow_block){left, PROF_LINE_SAME};
}

void prof_line_flow_edge(struct prof_line_flow *flow, uint32_t from, uint32_t to) {
  struct prof_line_flow_edge *grown =
      grow(flow, flow->edges, flow->edge_count, &flow->edge_capacity, sizeof *flow->edges);
  if (!grown)
    return;
  flow->edges = grown;
  flow->edges[flow->edge_count++] = (struct prof_line_flow_edge){from, to};
}

static uint32_t meet(uint32_t a, uint32_t b) {
  if (a == PROF_LINE_SAME || a == b)
    return b;
  return b == PROF_LINE_SAME ? a : PROF_LINE_UNKNOWN;
}

static uint32_t leaves(const struct prof_line_flow_block *block) {
  return block->left == PROF_LINE_SAME ? block->found : block->left;
}

void prof_line_flow_solve(struct prof_line_flow *flow) {
  for (bool changed = !flow->failed; changed;) {
    changed = false;
    for (size_t i = 0; i < flow->edge_count; i++) {
      const struct prof_line_flow_edge *edge = &flow->edges[i];
      uint32_t comes = PROF_LINE_UNKNOWN;
      if (edge->from != PROF_LINE_FLOW_NOWHERE)
        comes = leaves(&flow->blocks[edge->from]);
      uint32_t now = meet(flow->blocks[edge->to].found, comes);
      changed |= now != flow->blocks[edge->to].found;
      flow->blocks[edge->to].found = now;
    }
  }
}

uint32_t prof_line_flow_found(const struct prof_line_flow *flow, uint32_t block) {
  uint32_t found = flow->failed ? PROF_LINE_UNKNOWN : flow->blocks[block].found;
  return found == PROF_LINE_SAME ? PROF_LINE_UNKNOWN : found;
}

void prof_line_flow_fini(struct prof_line_flow *flow) {
  free(flow->blocks);
  free(flow->edges);
  *flow = (struct prof_line_flow){0};
}
