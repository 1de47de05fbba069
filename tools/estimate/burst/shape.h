/*
 * tools/estimate/burst/shape.h - functions in bursts between functions that are always recorded.
 *
 * Events show the callee right beneath the outer function.  Samples' chains tell what was between them: what most
 * samples beneath a node of the skeleton have between it and its parent is put there.  Chains that end before the
 * parent count where no whole one does; a node without samples is as others of the same two functions.
 */
#ifndef PROF_ESTIMATE_BURST_SHAPE_H
#define PROF_ESTIMATE_BURST_SHAPE_H

#include "estimate/burst/paths.h"
#include "estimate/burst/tree.h"

/* Before estimated nodes are added.  false: no memory. */
bool prof_burst_shape(struct prof_burst_tree *, struct prof_burst_paths *, const struct prof_sample *, size_t count);

#endif
