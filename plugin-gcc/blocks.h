/* blocks.h - what several files ask of GCC's blocks and of the edges between them. */
#ifndef PROF_GCC_BLOCKS_H
#define PROF_GCC_BLOCKS_H

#include "compat.h"

/* Control goes this way by an exception, a second return or a computed goto: nothing can be put on it. */
static inline bool prof_edge_is_replaced(edge way) {
  return way->flags & (EDGE_ABNORMAL | EDGE_ABNORMAL_CALL | EDGE_EH);
}

/* Does such an edge enter the block? */
static inline bool prof_block_comes_abnormally(basic_block block) {
  edge way;
  edge_iterator i;
  FOR_EACH_EDGE(way, i, block->preds)
  if (prof_edge_is_replaced(way))
    return true;
  return false;
}

/* Does the block only pass control on? */
static inline bool prof_block_is_empty(basic_block block) {
  return gsi_end_p(gsi_start_nondebug_after_labels_bb(block)) && single_succ_p(block);
}

/* Must the statement be the first in its block?  Nothing may be put before it. */
static inline bool prof_statement_stays_first(gimple *statement) {
  return is_gimple_call(statement) && (gimple_call_builtin_p(statement, BUILT_IN_SETJMP_RECEIVER) ||
                                       gimple_call_flags(statement) & ECF_RETURNS_TWICE ||
                                       gimple_call_internal_p(statement, IFN_ABNORMAL_DISPATCHER));
}

#endif
