/*
 * tools/estimate/cold_paths.h - figures of functions in paths that were too cold to be kept.
 *
 * Job: the fold counts such calls by function, with times as measured (fold/whole.h); here these become figures,
 * corrected as the nodes are that stand for the paths, and are added to those of the nodes.  In: what the fold counted.
 * Out: figures by number of function or loop.
 */
#ifndef PROF_ESTIMATE_COLD_PATHS_H
#define PROF_ESTIMATE_COLD_PATHS_H

#include "estimate/profile.h"
#include "fold/piece.h"

struct prof_cold_paths { /* all zero: every path was kept */
  struct prof_fold_cold *counted;
  struct prof_cold_figures *figures;
  struct prof_fold_cold *counted_places; /* by the numbers that places have in the end */
  struct prof_cold_figures *places;      /* likewise; self times are not known */
  uint32_t place_count;
  uint64_t ticks; /* of the nodes, as measured */
};

/* Takes what the worker has, and counts it in the coverage.  false: no memory. */
bool prof_cold_paths_take(struct prof_cold_paths *, struct prof_fold_worker *, struct prof_coverage *);
/* moved: of each place the number that it has in the end; before take.  false: no memory. */
bool prof_cold_paths_take_places(struct prof_cold_paths *, struct prof_fold_worker *, const uint32_t *moved,
                                 uint32_t place_count);
/* Places get more numbers: these have no calls in cold paths.  false: no memory. */
bool prof_cold_paths_widen(struct prof_cold_paths *, uint32_t place_count);
void prof_cold_paths_drop_places(struct prof_cold_paths *);
void prof_cold_paths_fini(struct prof_cold_paths *);

/* Times as the nodes have them now. */
void prof_cold_paths_scale(struct prof_cold_paths *, const struct prof_node *nodes, uint32_t node_count,
                           uint32_t frame_count);

/* Self times of loops become those of their functions; figures follow when they are scaled next. */
void prof_cold_paths_join_loops(struct prof_cold_paths *, const prof_trace *);

/* Adds those of a function or loop to its figures; false: there are none. */
bool prof_cold_paths_add(const struct prof_cold_paths *, uint32_t frame, struct prof_function_figures *);

#endif
