/*
 * tools/analysis/reverse.h - which functions used the time, and who called them?
 *
 * Job: the inverted call tree, for flamegraphs.  In: a profile.  Out: a tree as in analysis/tree.h.  Roots are
 * functions; their total is their self time over all call paths.  The children of a node called it, each with its part
 * of that self time.  A node's self is the part without further callers.  Calls are those of the root function on this
 * path.  With leaves (line_leaves.h) roots are the leaves, with their functions as children, and functions with the
 * rest of their self time.
 */
#ifndef PROF_ANALYSIS_REVERSE_H
#define PROF_ANALYSIS_REVERSE_H

#include "analysis/tree.h"

/* leaves: of the limits' kind of time, or NULL. */
prof_status prof_reverse_select(const struct prof_profile *, const struct prof_line_leaves *leaves,
                                const struct prof_tree_limits *, struct prof_diag *,
                                struct prof_tree *out) PROF_MUST_CHECK;

#endif
