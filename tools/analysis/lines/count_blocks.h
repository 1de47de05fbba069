/*
 * tools/analysis/lines/count_blocks.h - executions of the lines of one function whose basic blocks belong to each of
 * their lines (PROF_FLOW_BY_BLOCK).
 *
 * In: a flow with the counts of all arcs, and the places of one line.  Out: how often control entered the line from
 * blocks without it, plus cycles within its blocks: as llvm-cov gcov shows, but a block counts once for a line that it
 * comes back to.  Single-threaded; the caller owns the struct, which may be used for many flows.
 */
#ifndef PROF_ANALYSIS_COUNT_BLOCKS_H
#define PROF_ANALYSIS_COUNT_BLOCKS_H

#include "analysis/lines/count_flow.h"
#include "base/vec.h"

struct prof_count_blocks {     /* all zero: empty; a block has the number of its first node */
  PROF_VEC(uint32_t) block;    /* by node */
  PROF_VEC(uint32_t) first_in; /* by block: index of its first arc in `in`; one more at the end */
  PROF_VEC(uint32_t) in;
  PROF_VEC(uint32_t) first_out;
  PROF_VEC(uint32_t) out;
  PROF_VEC(uint32_t) stamp;   /* by block: the last line that had it */
  PROF_VEC(uint32_t) came_by; /* by block: the arc by which the search came to it */
  PROF_VEC(uint32_t) on_line; /* blocks of the line, ascending */
  PROF_VEC(uint32_t) queue;
  PROF_VEC(int64_t) left; /* by arc: count that is in no cycle yet */
  uint32_t line_count;
};

/* Prepares for the lines of this flow; false: no memory. */
bool prof_count_blocks_begin(struct prof_count_blocks *, const struct prof_count_flow *);
/* The executions of one line of that flow; its places, ascending by node. */
uint64_t prof_count_blocks_line(struct prof_count_blocks *, const struct prof_count_flow *,
                                const struct prof_count_place *places, size_t count);
void prof_count_blocks_fini(struct prof_count_blocks *);

#endif
