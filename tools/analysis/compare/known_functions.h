/*
 * tools/analysis/compare/known_functions.h - an import without the code that a recording doesn't instrument.
 *
 * perf sees libraries, the kernel and what runs before main; a recording has instrumented functions only, and their
 * time includes what they call elsewhere.  So that both mean the same, frames that the recording doesn't know, and
 * those of inlined calls, lose their weight to their caller.  Weight without any known caller is left out.
 */
#ifndef PROF_ANALYSIS_KNOWN_FUNCTIONS_H
#define PROF_ANALYSIS_KNOWN_FUNCTIONS_H

#include "import/path_sums.h"
#include "names/names.h"

/*
 * Known: all functions in the recording, called or not, by their keys.  *outside gets the weight left out.  *out is a
 * profile of its own.  PROF_EMPTY: no function is known; PROF_NO_MEMORY; then *out has nothing to free.
 */
prof_status prof_paths_keep_known(const struct prof_path_sums *, const prof_trace *, struct prof_names *,
                                  struct prof_diag *, struct prof_path_sums *out, double *outside) PROF_MUST_CHECK;

#endif
