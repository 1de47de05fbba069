/*
 * tools/analysis/compare/tree_paths.h - the tree of a recording (analysis/tree.h) as a profile of call paths.
 */
#ifndef PROF_ANALYSIS_TREE_PATHS_H
#define PROF_ANALYSIS_TREE_PATHS_H

#include "analysis/tree.h"
#include "import/path_sums.h"
#include "names/names.h"

/*
 * Frames get their shown names; those from `first_extra` on (lines, GPU work) that of extra_names[frame - first_extra],
 * groups of --by excepted.  extra_names may be NULL.  Weights are self times in nanoseconds: so a path's weight is the
 * sum of its parts, and may differ from its rounded total by a nanosecond for each of them.  PROF_NO_MEMORY, and *out
 * has nothing to free.
 */
prof_status prof_tree_paths(const struct prof_tree *, struct prof_names *, const char *const *extra_names,
                            uint32_t first_extra, struct prof_diag *, struct prof_path_sums *out) PROF_MUST_CHECK;

#endif
