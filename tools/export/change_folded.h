/*
 * tools/export/change_folded.h - a comparison as folded stacks with two weights: "main;run;step 1000 1234".
 *
 * Before, then after, as difffolded.pl writes them for flamegraph.pl.  Own weights of each path, in the unit of each
 * side; whole numbers have no decimals.
 */
#ifndef PROF_EXPORT_CHANGE_FOLDED_H
#define PROF_EXPORT_CHANGE_FOLDED_H

#include <stdio.h>

#include "analysis/compare/comparison.h"

/* tree: of PROF_COMPARISON_ALL.  PROF_NO_MEMORY; the caller checks the file for errors (ferror). */
prof_status prof_change_folded_write(FILE *, const struct prof_comparison_tree *) PROF_MUST_CHECK;

#endif
