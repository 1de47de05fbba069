/*
 * tools/fold/whole.h - what all workers of a fold have counted together, within a limit of memory.
 *
 * Workers meet the same paths, so that trees kept beside each other cost memory times workers: a worker whose tree has
 * grown hands it over between two pieces.  A tree beyond the limit loses its coldest subtrees: their calls and their
 * time become one node beneath the innermost frame that is kept, and are counted by function besides.  Which subtrees
 * these are depends on the order in which workers hand over; all sums are exact.
 *
 * Threads: prof_fold_whole_piece_done may be called by all workers, the others by one.
 */
#ifndef PROF_FOLD_WHOLE_H
#define PROF_FOLD_WHOLE_H

#include <pthread.h>

#include "fold/piece.h"

#define PROF_FOLD_BYTES_PER_NODE 256u /* of a tree that is folded and becomes a profile, its figures included */

struct prof_fold_whole {
  pthread_mutex_t lock;
  struct prof_fold_core core;                      /* nodes only */
  bool used;                                       /* some worker has handed over */
  uint32_t node_limit;                             /* of the core */
  uint32_t hand_limit;                             /* of each worker's */
  uint32_t frame_count;                            /* functions, the unknown one and loops */
  uint32_t loop_count;                             /* of these the last ones */
  PROF_VEC(const struct prof_fold_piece *) pieces; /* whose marks have nodes of the core */
  prof_mark_options options;                       /* likewise */
  struct prof_fold_cold *cold;                     /* by frame number; NULL: nothing was too cold yet */
  struct prof_fold_cold *cold_places;              /* the same by place; NULL: calls are not distinguished by it */
  uint32_t cold_place_count;
  uint64_t cold_paths; /* that were folded; one that was met again perhaps twice */
};

/* bytes: what the profile may take; 0: no limit.  false: no memory. */
bool prof_fold_whole_init(struct prof_fold_whole *, const prof_trace *, uint64_t bytes, unsigned workers);
void prof_fold_whole_fini(struct prof_fold_whole *);

/* The worker has folded the piece.  false: no memory. */
bool prof_fold_whole_piece_done(struct prof_fold_whole *, struct prof_fold_worker *, const struct prof_fold_piece *);

/* Takes what the worker has.  false: no memory. */
bool prof_fold_whole_take(struct prof_fold_whole *, struct prof_fold_worker *);

/* Gives all nodes to a worker from whom everything was taken.  false: no memory. */
bool prof_fold_whole_give(struct prof_fold_whole *, struct prof_fold_worker *);

#endif
