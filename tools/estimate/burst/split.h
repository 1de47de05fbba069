/*
 * tools/estimate/burst/split.h - estimated calls into the nodes of a tree.
 *
 * The calls of a function from a caller are divided among the nodes that stand for this, by the samples of their
 * estimated paths.  Calls that no sample saw get a node beneath the heaviest one of their caller.  Calls whose caller
 * has no probes go to nodes that no other caller explains.
 */
#ifndef PROF_ESTIMATE_BURST_SPLIT_H
#define PROF_ESTIMATE_BURST_SPLIT_H

#include "estimate/burst/calls.h"
#include "estimate/burst/tree.h"

/* false: no memory. */
bool prof_burst_split(struct prof_burst_tree *, const struct prof_burst_calls *);

#endif
