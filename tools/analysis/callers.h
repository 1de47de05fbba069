/*
 * tools/analysis/callers.h - who called this function?
 *
 * Job: the call tree turned upside down at some functions.  In: a profile, one byte per function (1: asked for).
 * Out: a tree as in analysis/tree.h whose roots are these functions; the children of a node called it.  Calls, total
 * and self of a child say how much of its root's came by that way, so that the children of a node never sum up to more
 * than it.  A recursive call counts as a call; its time is counted once, at the outermost call.
 */
#ifndef PROF_ANALYSIS_CALLERS_H
#define PROF_ANALYSIS_CALLERS_H

#include "analysis/tree.h"

prof_status prof_callers_find(const struct prof_profile *, const uint8_t *functions, const struct prof_tree_limits *,
                              struct prof_diag *, struct prof_tree *out) PROF_MUST_CHECK;

#endif
