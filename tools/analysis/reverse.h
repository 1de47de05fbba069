/*
 * tools/analysis/reverse.h - which functions burnt the time, and who called them?
 *
 * Job: the call tree read from the leaves up, for flamegraphs.  In: a profile.  Out: a tree as in analysis/tree.h:
 * roots are functions with their self time as total, summed over all call paths; the children of a node called it, each
 * with the part of that self time that came its way.  A node's self is what had no further caller.  Calls are those of
 * the root function by this way.  With leaves (line_leaves.h) roots are these, with their functions on them, and
 * functions with what is left of their own time.
 */
#ifndef PROF_ANALYSIS_REVERSE_H
#define PROF_ANALYSIS_REVERSE_H

#include "analysis/tree.h"

/* leaves: of the kind of time of the limits, or NULL. */
prof_status prof_reverse_select(const struct prof_profile *, const struct prof_line_leaves *leaves,
                                const struct prof_tree_limits *, struct prof_diag *,
                                struct prof_tree *out) PROF_MUST_CHECK;

#endif
