/*
 * tools/viewer/view_rows.h - rows of the analyses as sections: functions, loops, lines, slowest calls.
 *
 * In: rows as the analyses give them out.  Out: members of an open JSON object (docs/view-format.md).
 */
#ifndef PROF_VIEWER_VIEW_ROWS_H
#define PROF_VIEWER_VIEW_ROWS_H

#include "analysis/counter_sums.h"
#include "analysis/functions.h"
#include "analysis/lines/lines.h"
#include "analysis/loops.h"
#include "viewer/slowest.h"
#include "viewer/view_frames.h"

/* The profile has the histograms of the rows, which are of functions; NULL: without.  `most` rows are written. */
void prof_view_functions_write(struct prof_view_frames *, const struct prof_profile *,
                               const struct prof_function_rows *, size_t most, struct prof_json *);
/* The member `counters` of functions, from sums by function; nothing without counters. */
void prof_view_counters_write(const struct prof_counter_sums *, const struct prof_function_rows *, size_t most,
                              struct prof_json *);
void prof_view_loops_write(struct prof_view_frames *, const struct prof_loop_rows *, struct prof_json *);
void prof_view_lines_write(struct prof_view_frames *, const struct prof_line_rows *, size_t most, struct prof_json *);
/* Of frames that have a number by now. */
void prof_view_slowest_write(struct prof_view_frames *, const struct prof_slowest *, struct prof_json *);

#endif
