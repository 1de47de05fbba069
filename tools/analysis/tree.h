/*
 * tools/analysis/tree.h - where in the call tree did the time go?
 *
 * Job: the calling context tree merged over threads, without small parts, the largest first.  In: a profile.  Out: a
 * tree that the caller frees.
 */
#ifndef PROF_ANALYSIS_TREE_H
#define PROF_ANALYSIS_TREE_H

#include "analysis/lines/line_leaves.h"
#include "analysis/tree_grow.h"

/* leaves: of the limits' kind of time, become nodes below their call; NULL: no lines. */
prof_status prof_tree_select(const struct prof_profile *, const struct prof_line_leaves *leaves,
                             const struct prof_tree_limits *, struct prof_diag *,
                             struct prof_tree *out) PROF_MUST_CHECK;

#endif
