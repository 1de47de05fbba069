/*
 * tools/command/counter_rows.h - rows of counters in time, for `prof report --by=counter` and the panel of `prof tui`.
 */
#ifndef PROF_COMMAND_COUNTER_ROWS_H
#define PROF_COMMAND_COUNTER_ROWS_H

#include "analysis/counter_tracks.h"
#include "output.h"
#include "reader.h"

enum { PROF_COUNTER_ROWS_COLUMNS = 13 };

/* Prints rows as a table; the last column is a plot over the time, in what is left of the width, at most 120 columns.
 * Where little is left, MIN, MEAN and the number of values go before the plot does.  style->widest: of
 * PROF_COUNTER_ROWS_COLUMNS, the widest cells so far, which the call updates; or NULL.  false: no memory. */
bool prof_counter_rows_print(const struct prof_counter_tracks *, const struct prof_counter_track *rows, size_t count,
                             const struct prof_table_style *, FILE *);

struct prof_ranked;

/* `prof report --by=counter`. */
prof_status prof_counter_report(const struct prof_ranked *, const struct prof_texts *limits, const struct prof_reader *,
                                int *result, struct prof_diag *) PROF_MUST_CHECK;

#endif
