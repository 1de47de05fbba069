/*
 * tools/viewer/view_old.h - the recording that this one is compared with: sections `old`, `old_functions`, `old_tree`.
 *
 * Job: figures of another recording, with numbers of frames of this one.  A function has the number of the one with the
 * same name and file here, or a number of its own.  In: its rows and call paths, and the verdicts of decide.  Out:
 * docs/view-format.md, "A comparison".
 */
#ifndef PROF_VIEWER_VIEW_OLD_H
#define PROF_VIEWER_VIEW_OLD_H

#include "analysis/functions.h"
#include "decide/diff.h"
#include "viewer/view_frames.h"

struct prof_view_old { /* all borrowed; names live as long as the page's frames */
  const struct prof_recording *recording;
  const struct prof_function_rows *functions; /* ranked as the page's own */
  const struct prof_profile *tree;
  const struct prof_diff *diff; /* NULL: a filter hides a part, and runs are compared as a whole */
  size_t runs[2];               /* old, new */
};

/* Numbers of `old`'s frames in those of the page, for all that ran; prof_view_frames_fini frees them. */
prof_status prof_view_old_number(const struct prof_view_old *, struct prof_view_frames *page, struct prof_diag *,
                                 struct prof_view_frames *out) PROF_MUST_CHECK;

/* Members of the section `old`: behind all others that use the page's frames. */
prof_status prof_view_old_write(const struct prof_view_old *, struct prof_view_frames *page,
                                const struct prof_view_frames *old, struct prof_diag *,
                                struct prof_json *) PROF_MUST_CHECK;

#endif
