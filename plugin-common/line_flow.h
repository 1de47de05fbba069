/*
 * line_flow.h - finds the line of control at a block's begin, if it is the same on all edges.
 *
 * In: blocks with their last line, and the edges between them.  Out: the line at each block's begin, so that no LINE is
 * put where control is on that line already.  Lines are any numbers but 0; one owner, no threads.
 */
#ifndef PROF_PLUGIN_LINE_FLOW_H
#define PROF_PLUGIN_LINE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_LINE_UNKNOWN 0u      /* several lines, or no timed one */
#define PROF_LINE_SAME UINT32_MAX /* of a block: its last line is its first */

struct prof_line_flow_edge {
  uint32_t from, to;
};

struct prof_line_flow_block {
  uint32_t left;  /* line at its end */
  uint32_t found; /* line at its begin, once solved */
};

struct prof_line_flow { /* all zero: empty */
  struct prof_line_flow_block *blocks;
  size_t block_count, block_capacity;
  struct prof_line_flow_edge *edges;
  size_t edge_count, edge_capacity;
  bool failed; /* no memory */
};

/* Adds a block; they are numbered from 0.  `left`: a line, PROF_LINE_UNKNOWN or PROF_LINE_SAME. */
void prof_line_flow_block(struct prof_line_flow *flow, uint32_t left);
void prof_line_flow_edge(struct prof_line_flow *flow, uint32_t from, uint32_t to);
/* Control may come to the block from outside: its line is unknown. */
#define PROF_LINE_FLOW_NOWHERE UINT32_MAX /* as `from` of an edge */
void prof_line_flow_solve(struct prof_line_flow *flow);
/* After that. */
uint32_t prof_line_flow_found(const struct prof_line_flow *flow, uint32_t block);
void prof_line_flow_fini(struct prof_line_flow *flow);

#ifdef __cplusplus
}
#endif

#endif
