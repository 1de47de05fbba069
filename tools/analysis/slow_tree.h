/*
 * tools/analysis/slow_tree.h - what ran in one long call or frame: its calls by path, and a list of the longest ones.
 *
 * A builder takes the events of a walk between begin and end.  Calls that are open at the begin are no part of it; of
 * those that are open at the end it counts the time until then.  Memory: a node for each path, at most PROF_SLOW_NODES.
 */
#ifndef PROF_ANALYSIS_SLOW_TREE_H
#define PROF_ANALYSIS_SLOW_TREE_H

#include "base/index_map.h"
#include "base/vec.h"
#include "fold/walk_event.h"
#include "proftrace.h"

#define PROF_SLOW_NODES 100000u

struct prof_slow_node {
  uint32_t function, depth; /* of node 0, the whole: its function, 0 */
  uint32_t parent;          /* while it is made */
  uint64_t calls, total_ns;
};

struct prof_slow_tree {
  uint32_t thread,
      function;      /* function: its index, of a loop its number (loop_frames.h); PROF_NONE: unknown, or none */
  uint64_t begin_ns; /* since the start of the recording */
  uint64_t duration_ns;
  bool cut;                              /* its real begin or end is not known */
  uint64_t omitted;                      /* calls in it whose paths are beyond PROF_SLOW_NODES: part of no node */
  PROF_VEC(struct prof_slow_node) nodes; /* depth first, siblings by total, then in the order of time */
  struct prof_index_map known;           /* while it is made */
};

struct prof_slow_open { /* a call */
  uint32_t node;        /* PROF_NONE: left out */
  uint64_t begin_ns;
};

struct prof_slow_builder {     /* all zero: idle */
  struct prof_slow_tree *tree; /* NULL: idle */
  PROF_VEC(struct prof_slow_open) stack;
};

/* Begins the tree, which has no nodes yet.  False: no memory. */
bool prof_slow_begin(struct prof_slow_builder *, struct prof_slow_tree *);
/* Takes an event of the tree's thread; nothing if idle.  False: no memory. */
bool prof_slow_take(struct prof_slow_builder *, const struct prof_walk_event *);
/* Ends the tree at this time; nothing if idle. */
void prof_slow_end(struct prof_slow_builder *, uint64_t time_ns);
void prof_slow_builder_fini(struct prof_slow_builder *);

/* Puts the nodes in order.  False: no memory. */
bool prof_slow_tree_sort(struct prof_slow_tree *);
void prof_slow_tree_fini(struct prof_slow_tree *);

/* Inserts a tree without nodes into the longest ones, at most `most` (not 0). */
void prof_slow_insert(struct prof_slow_tree *items, size_t *count, size_t most, const struct prof_slow_tree *);

#endif
