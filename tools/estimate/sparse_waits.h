/*
 * tools/estimate/sparse_waits.h - waits of stretches that are more than their node took.
 *
 * Where switches were recorded in stretches only (sparse_pauses.h), each wait stands for many, and all of a thread's
 * for its life less its CPU time.  A node in which a stretch met a wait gets its share of all, although others waited
 * too: those that were left before a stretch came.  Then it has more than its self time, and they have none.
 *
 * What is too much goes to the thread's other nodes: as they seem to have run, but by samples did not.  So the sum of
 * its waits stays what it is, and its running time its CPU time.
 */
#ifndef PROF_ESTIMATE_SPARSE_WAITS_H
#define PROF_ESTIMATE_SPARSE_WAITS_H

#include "estimate/profile.h"
#include "fold/marks.h"

/*
 * Nodes as in a profile, parents before their children, with self times, and self_off as the marks have it, not limited
 * yet.  Changes self_off of nodes of threads with marks that stand for more than themselves.  false: no memory.
 */
bool prof_sparse_waits_move(struct prof_node *, uint32_t count, const struct prof_fold_marks *, size_t mark_count);

#endif
