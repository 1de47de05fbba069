/*
 * tools/command/line_frames.h - lines, or reasons of waits, as the innermost frames of a recording.
 *
 * Job: folds an opened recording and splits each call path's self time among the lines of its samples
 * (analysis/lines/line_leaves.h).  For commands with --lines; the reader must outlive the result.
 */
#ifndef PROF_COMMAND_LINE_FRAMES_H
#define PROF_COMMAND_LINE_FRAMES_H

#include "analysis/lines/line_leaves.h"
#include "reader.h"
#include "study/symbols.h"

struct prof_line_frames {
  struct prof_symbols *symbols;
  struct prof_line_leaves leaves;
};

/* chains: as of prof_line_leaves_make.  Free *profile with prof_profile_free.  Warns on stderr of missing samples or
 * debug information. */
prof_status prof_line_frames_fold(const struct prof_reader *, bool chains, struct prof_profile **profile,
                                  struct prof_line_frames *, struct prof_diag *) PROF_MUST_CHECK;
/* What was waited for as the innermost frames of waiting time (analysis/measures/wait_leaves.h). */
prof_status prof_wait_frames_make(const struct prof_reader *, const struct prof_profile *, struct prof_line_frames *,
                                  struct prof_diag *) PROF_MUST_CHECK;
void prof_line_frames_free(struct prof_line_frames *); /* may be zeroed */

#endif
