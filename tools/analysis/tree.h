/*
 * tools/analysis/tree.h - where in the call tree did the time go?
 *
 * Job: the calling context tree merged over threads, the small parts left out, the biggest first.  In: a profile.
 * Out: a tree that the caller frees.
 */
#ifndef PROF_ANALYSIS_TREE_H
#define PROF_ANALYSIS_TREE_H

#include "analysis/lines/line_leaves.h"
#include "analysis/tree_grow.h"

/* leaves: own times split among lines, these nodes of their own; of the same kind of time.  NULL: not split. */
prof_status prof_tree_select(const struct prof_profile *, const struct prof_line_leaves *leaves,
                             const struct prof_tree_limits *, struct prof_diag *,
                             struct prof_tree *out) PROF_MUST_CHECK;

#endif
