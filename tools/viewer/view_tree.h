/*
 * tools/viewer/view_tree.h - call trees as sections.
 *
 * In: a profile.  Out: the columns of docs/view-format.md, of as many paths as fit: small ones are left out.
 */
#ifndef PROF_VIEWER_VIEW_TREE_H
#define PROF_VIEWER_VIEW_TREE_H

#include "estimate/profile.h"
#include "viewer/view_frames.h"

/* by_thread: a tree for each thread.  *hidden gets the paths left out. */
prof_status prof_view_tree_write(struct prof_view_frames *, const struct prof_profile *, bool by_thread, uint32_t most,
                                 struct prof_diag *, struct prof_json *, uint64_t *hidden) PROF_MUST_CHECK;

#endif
