/*
 * tools/command/frame_rows.h - rows of durations by name, for `prof frames`, `prof report --by=frame`, `--by=span`,
 * `--by=arg` and `--by=ret`.
 */
#ifndef PROF_COMMAND_FRAME_ROWS_H
#define PROF_COMMAND_FRAME_ROWS_H

#include "analysis/frames.h"
#include "base/json.h"
#include "output.h"
#include "reader.h"
#include "view/table.h"

/* The first `count` rows as a table; free it with prof_table_free.  NULL: no memory. */
struct prof_table *prof_frame_table(const struct prof_frames *, size_t count);
/* The same of calls with their arguments. */
struct prof_table *prof_call_table(const struct prof_frames *, size_t count);

/* The figures of a row as members of an open object, the name first. */
void prof_frame_json(const struct prof_frame_name *, struct prof_json *);

struct prof_ranked;

/* `prof report --by=frame`, or `span`; limits: of --slo. */
prof_status prof_span_report(const struct prof_ranked *, const struct prof_texts *limits, const struct prof_reader *,
                             int *result, struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_frame_report(const struct prof_ranked *, const struct prof_texts *limits, const struct prof_reader *,
                              int *result, struct prof_diag *) PROF_MUST_CHECK;
/* `--by=arg`, `--by=ret`: calls of equal arguments, or equal returned values. */
prof_status prof_argument_report(const struct prof_ranked *, const struct prof_texts *limits,
                                 const struct prof_reader *, int *result, struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_returned_report(const struct prof_ranked *, const struct prof_texts *limits,
                                 const struct prof_reader *, int *result, struct prof_diag *) PROF_MUST_CHECK;

#endif
