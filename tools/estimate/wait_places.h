/*
 * tools/estimate/wait_places.h - which call had a wait that lies in a light slice.
 *
 * Job: several events share a time there, and a wait behind them may lie in what was open after any of them; the times
 * as measured have it in what was open after the last one.  Which functions wait the waits tell that lie outside of
 * slices, or where there is but one function: of those that may have it, each has it with a likelihood of
 *
 *     its events that share the time * (its waits told + 1/2) / (its events in all + 1)
 *
 * (the half is Jeffreys' prior).  One with at least nine tenths of the sum has it; among its nodes the same decides.
 * Else nobody knows, and the wait goes to the outermost of those frames, which was open all along; it is `unplaced`.
 * All that per thread, over functions, so that neither loops nor places change it.  A pause in which the thread could
 * have run says nothing of a function: it stays in what the times as measured have it in.
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
