/*
 * tools/estimate/wait_places.h - finds the call that had a wait in a sparse-clock interval.
 *
 * Job: several events share a time there, and a wait behind them may belong to the frame that was open after any of
 * them; as measured, it lies in the frame after the last one.  Waits outside of slices, or with one candidate only,
 * show which functions wait.  The likelihood of a candidate is
 *
 *     its events that share the time * (its known waits + 1/2) / (its events in all + 1)
 *
 * (the half is Jeffreys' prior).  A function with at least nine tenths of the sum has the wait; the same formula
 * decides among its nodes.  Otherwise the wait is assigned to the outermost of the candidates, which was open all
 * along, and is `unplaced`.  All that per thread, over functions, so that neither loops nor places change it.  Being
 * preempted shows nothing of a function: such a pause stays where it lies as measured.
 *
 * In and out: marks, whose `node` is set; the totals of nodes as measured, between which waits move.
 */
#ifndef PROF_ESTIMATE_WAIT_PLACES_H
#define PROF_ESTIMATE_WAIT_PLACES_H

#include "estimate/profile.h"
#include "fold/marks.h"

struct prof_wait_places {
  const prof_trace *trace;
  const struct prof_fold_marks *marks;    /* with nodes of the profile, as its options */
  const struct prof_mark_option *options; /* of all marks */
  struct prof_node *nodes;                /* totals inclusive; nothing else is summed up */
  uint32_t count;
  uint32_t unknown; /* index of functions that aren't known */
};

/* false: no memory. */
bool prof_wait_places_settle(const struct prof_wait_places *) PROF_MUST_CHECK;

#endif
