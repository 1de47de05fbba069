/*
 * tools/estimate/wait_places.h - finds the call that had a wait in a light slice.
 *
 * Job: several events share a time there, and a wait behind them may lie in what was open after any of them; the times
 * as measured have it in what was open after the last one.  Waits outside of slices, or with but one candidate,
 * show which functions wait.  Of the candidates for a wait, each has it with a likelihood of
 *
 *     its events that share the time * (its known waits + 1/2) / (its events in all + 1)
 *
 * (the half is Jeffreys' prior).  One with at least nine tenths of the sum has it; among its nodes the same decides.
 * Else it is not known, and the wait is assigned to the outermost of those frames, which was open all along; it is
 * `unplaced`. All that per thread, over functions, so that neither loops nor places change it.  A pause in which the
 * thread could have run shows nothing of a function: it stays in what the times as measured have it in.
 *
 * In and out: marks, whose `node` is set; the totals of nodes as measured, in which waits move.
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
