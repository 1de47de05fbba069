/*
 * tools/estimate/burst/spread.h - self times of skeleton nodes, spread over the paths that samples show beneath them.
 *
 * A skeleton node's running and preempted time, less the cost of the windows' events, is divided among the node itself
 * and estimated nodes by their samples: each is a share of it, with the interval of that share (interval.h).  A node
 * whose samples all lie in itself keeps its time.  A sample outside of all frames stands for the time between two
 * samples.
 */
#ifndef PROF_ESTIMATE_BURST_SPREAD_H
#define PROF_ESTIMATE_BURST_SPREAD_H

#include "estimate/burst/paths.h"
#include "estimate/burst/tree.h"
#include "fold/filter.h"

struct prof_burst_spreading {
  struct prof_burst_tree *tree;
  struct prof_burst_paths *paths;
  const struct prof_filter *filter; /* NULL: everything; not one for functions or levels (burst_filter.h) */
  struct prof_sample *samples;
  size_t sample_count;
  double ticks_each;           /* between two samples; 0: not known */
  const double *windows_ticks; /* by thread: cost of the events in windows */
};

struct prof_burst_bounds { /* of a function's self time: squares of the distances */
  double below2, above2;
};

/* Moves samples to their nodes in the tree, and gives these their times.  functions: by function number, zeroed; gets
 * what it adds.  false: no memory. */
bool prof_burst_spread(const struct prof_burst_spreading *, struct prof_burst_bounds *functions);

#endif
