/*
 * tools/decide/diff_memory.h - what two groups of runs allocated.  For diff.c.
 */
#ifndef PROF_DECIDE_DIFF_MEMORY_H
#define PROF_DECIDE_DIFF_MEMORY_H

#include "decide/diff_table.h"

/* Fills out->memory, if all runs have it.  False: no memory. */
bool prof_diff_memory(const struct prof_diff_table *, const struct prof_diff_options *, struct prof_diff *out);

#endif
