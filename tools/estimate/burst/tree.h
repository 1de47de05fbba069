/*
 * tools/estimate/burst/tree.h - a profile's tree while estimated nodes are added to it.
 *
 * In: a profile whose nodes come from events.  Its nodes keep their indices here; estimated ones get the next indices.
 * Out: the profile with all of them, in the order that profile.h wants.
 */
#ifndef PROF_ESTIMATE_BURST_TREE_H
#define PROF_ESTIMATE_BURST_TREE_H

#include "base/index_map.h"
#include "base/vec.h"
#include "estimate/burst/zone_hosts.h"
#include "estimate/profile.h"
#include "estimate/samples.h"

struct prof_burst_node {
  uint32_t parent;   /* PROF_NONE of node 0 */
  uint32_t function; /* as in prof_node */
  uint32_t thread;
  uint8_t estimated;               /* PROF_ESTIMATED_ */
  uint64_t samples;                /* whose estimated path goes through the node */
  double gained_ticks;             /* self time that is added, or below 0 taken away */
  double gained_preempted;         /* the same of the time in which it was preempted; not in gained_ticks */
  double removed_ticks;            /* part of that: cost of the events of windows */
  double moved_ticks;              /* total_ticks of nodes that were put beneath it */
  struct prof_off_ticks moved_off; /* off of these */
  /* Inclusive; valid after prof_burst_tree_sum_up; preempted: what was gained. */
  double total_ticks, taken_ticks, preempted;
  double calls;                      /* estimated, besides those that are events */
  double calls_below2, calls_above2; /* squares of the distances to its bounds */
  double self_below2, self_above2;
};

struct prof_burst_tree {
  struct prof_profile *profile;
  PROF_VEC(struct prof_burst_node) nodes;
  struct prof_index_map children; /* by parent and function */
  uint32_t first_new;             /* how many the profile had */
  const struct prof_zone_hosts *zones;
};

/* zones: NULL: there are none.  false: no memory; fini it all the same. */
bool prof_burst_tree_init(struct prof_burst_tree *, struct prof_profile *, const struct prof_zone_hosts *);
void prof_burst_tree_fini(struct prof_burst_tree *);

/* The child of a node for a function, which is made if there is none.  PROF_NONE: no memory. */
uint32_t prof_burst_tree_child(struct prof_burst_tree *, uint32_t parent, uint32_t function);

/* Whether it is the one that prof_burst_tree_child finds: siblings may differ by their places. */
bool prof_burst_tree_is_first(const struct prof_burst_tree *, uint32_t node);

/* Whether calls may be added beneath a node. */
bool prof_burst_tree_is_open(const struct prof_burst_tree *, uint32_t node);
/* A loop or zone: a part of the call around it. */
bool prof_burst_tree_is_part(const struct prof_burst_tree *, uint32_t node);
/* A zone that isn't in the code of that call: what samples show may have been called outside of it. */
bool prof_burst_tree_is_apart(const struct prof_burst_tree *, uint32_t node);
/* Function of the call around a node, loops and zones apart; PROF_NONE: there is none. */
uint32_t prof_burst_tree_caller(const struct prof_burst_tree *, uint32_t node);

/* Puts functions, outermost first, between a node of the profile and its parent.  false: no memory. */
bool prof_burst_tree_insert(struct prof_burst_tree *, uint32_t node, const uint32_t *functions, size_t count);

/* Fills total_ticks and taken_ticks of all nodes from what they gained.  false: no memory. */
bool prof_burst_tree_sum_up(struct prof_burst_tree *) PROF_MUST_CHECK;

/* Gives samples and pauses the new numbers of their nodes: by node. */
void prof_burst_move(struct prof_samples *, const uint32_t *moved);

/* The profile gets the tree; samples and pauses the new numbers of their nodes.  false: no memory. */
bool prof_burst_tree_settle(struct prof_burst_tree *, struct prof_samples *);

#endif
