/*
 * tools/analysis/callers.h - who called this function?
 *
 * Job: the inverted call tree of some functions.  In: a profile, one byte per function (1: requested).  Out: a tree as
 * in analysis/tree.h whose roots are these functions; the children of a node called it.  A child's calls, total and
 * self are the part of its root's that came through it, so that the children of a node never sum up to more than the
 * node.  Recursive calls count; their time counts once, at the outermost call.
 */
#ifndef PROF_ANALYSIS_CALLERS_H
#define PROF_ANALYSIS_CALLERS_H

#include "analysis/tree.h"

prof_status prof_callers_find(const struct prof_profile *, const uint8_t *functions, const struct prof_tree_limits *,
                              struct prof_diag *, struct prof_tree *out) PROF_MUST_CHECK;

#endif
