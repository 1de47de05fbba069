/*
 * tools/command/line_frames.h - lines as the innermost frames of a recording (--lines).
 *
 * Job: the fold of an opened recording, with each call path's own time split among the lines that its samples met
 * (analysis/lines/line_leaves.h).  For commands with --lines; the reader must outlive it.
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

/* *profile is for prof_profile_free.  What is missing (samples, debug information) is said on stderr. */
prof_status prof_line_frames_fold(const struct prof_reader *, struct prof_profile **profile, struct prof_line_frames *,
                                  struct prof_diag *) PROF_MUST_CHECK;
void prof_line_frames_free(struct prof_line_frames *); /* one of zeroes: nothing */

#endif
