/*
 * tools/command/hot_rows.h - the hottest line of each row of `prof report`, and what to look at next.
 */
#ifndef PROF_COMMAND_HOT_ROWS_H
#define PROF_COMMAND_HOT_ROWS_H

#include "analysis/functions.h"
#include "base/arena.h"
#include "output.h"
#include "reader.h"

/*
 * Sets `hot_line` of each row, "" if unknown.  All are "" without rows of functions and a profile that distinguishes
 * calls by place.  The arena owns the texts.
 */
prof_status prof_hot_rows_fill(const struct prof_reader *, const struct prof_profile *, const struct prof_samples *,
                               enum prof_group, struct prof_function_rows *, struct prof_arena *,
                               struct prof_diag *) PROF_MUST_CHECK;

/* Is a line known for any row? */
bool prof_hot_rows_any(const struct prof_function_rows *);

/* Prints "next: prof annotate NAME ..." for the row with most running time of its own; nothing if no line is known. */
void prof_hot_rows_next(const struct prof_reader *, const struct prof_function_rows *, const struct prof_output *);

#endif
