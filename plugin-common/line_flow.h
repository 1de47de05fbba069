/*
 * line_flow.h - on which line control is where a block begins, if that is the same by every way.
 *
 * In: blocks with the line that they leave behind, and the edges between them.  Out: the line at each block's begin, so
 * that no LINE is put where control has been on the line before.  Lines are any numbers but 0; one owner, no threads.
 */
#ifndef PROF_PLUGIN_LINE_FLOW_H
#define PROF_PLUGIN_LINE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_LINE_UNKNOWN 0u      /* several, or none that is timed */
#define PROF_LINE_SAME UINT32_MAX /* of a block: it leaves the line that it found */

struct prof_line_flow_edge {
  uint32_t from, to;
};

struct prof_line_flow_block {
  uint32_t left;  /* the line that it leaves behind */
  uint32_t found; /* once solved: the line that it finds */
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
/* Control may come to the block from nowhere: the line is unknown there. */
#define PROF_LINE_FLOW_NOWHERE UINT32_MAX /* as `from` of an edge */
void prof_line_flow_solve(struct prof_line_flow *flow);
/* After that. */
uint32_t prof_line_flow_found(const struct prof_line_flow *flow, uint32_t block);
void prof_line_flow_fini(struct prof_line_flow *flow);

#ifdef __cplusplus
}
#endif

#endif
