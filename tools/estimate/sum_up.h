/*
 * tools/estimate/sum_up.h - self times of nodes from their totals, and the parts of both in which threads did not run.
 *
 * In: nodes as in a profile, with their inclusive totals; marks with nodes of the profile.  Out: self_ticks, self_off,
 * off, and the totals of threads and of node 0.
 */
#ifndef PROF_ESTIMATE_SUM_UP_H
#define PROF_ESTIMATE_SUM_UP_H

#include "estimate/profile.h"
#include "fold/marks.h"

/* marks may be NULL, with mark_count 0.  *spun_ticks: how much of all waiting was found by samples (spin_waits.h);
 * without knows_pauses nothing is.  false: no memory. */
bool prof_sum_up(struct prof_node *, uint32_t count, const struct prof_fold_marks *marks, size_t mark_count,
                 bool knows_pauses, uint64_t *spun_ticks);

#endif
