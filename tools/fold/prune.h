/*
 * tools/fold/prune.h - makes a tree of calls smaller: its coldest subtrees become one node each.
 *
 * Job: what a fold within a limit of memory (whole.h) and a summary (summary/summary.h) share.  In: nodes, parents
 * before children, and which row of figures each belongs to.  Out: which nodes stay, rows with what the others had, and
 * a smaller tree.  A subtree's calls and time become a node PROF_FOLD_OTHER beneath the innermost node that stays.
 */
#ifndef PROF_FOLD_PRUNE_H
#define PROF_FOLD_PRUNE_H

#include "fold/core.h"
#include "fold/piece.h"

struct prof_prune_rows {       /* figures of calls that lose their nodes */
  struct prof_fold_cold *cold; /* by row; NULL: none are wanted */
  uint32_t count;
  const uint32_t *same; /* by row: the same number for rows of one function; NULL: each row is a function */
  uint32_t *inside;     /* zeroed, by these numbers: how often it is above */
};

struct prof_prune {
  const struct prof_fold_node *nodes;
  uint32_t count;
  /* The row of a node's calls; PROF_NONE: it has no calls of a function or loop.  *loop: they are entries of one. */
  uint32_t (*row_of)(void *context, const struct prof_fold_node *, bool *loop);
  void *context;
  struct prof_prune_rows frames, places; /* places: by the node's key, without self times */
  uint8_t *kept;                         /* by node; in: what has to stay besides threads and forkers: 1 */
  uint64_t cold_paths;                   /* grows by the calls' nodes that are lost */
};

/* Chooses what stays, at most `most` of the heaviest nodes, and makes the tree, in `into`, which is empty.  moved: by
 * node, gets the node that has its calls and time then.  false: no memory. */
bool prof_prune_tree(struct prof_prune *, uint32_t most, struct prof_fold_core *into, uint32_t *moved) PROF_MUST_CHECK;

#endif
