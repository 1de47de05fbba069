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
 * Sets `hot_line` of each row, "" where none is known; with rows of functions only, and a profile whose calls are told
 * apart by place (else all are "").  Texts are put into the arena.
 */
prof_status prof_hot_rows_fill(const struct prof_reader *, const struct prof_profile *, const struct prof_samples *,
                               enum prof_group, struct prof_function_rows *, struct prof_arena *,
                               struct prof_diag *) PROF_MUST_CHECK;

/* Whether a line is known for any row. */
bool prof_hot_rows_any(const struct prof_function_rows *);

/* "next: prof annotate NAME ..." for the row that costs most by itself; nothing where no lines are known. */
void prof_hot_rows_next(const struct prof_reader *, const struct prof_function_rows *, const struct prof_output *);

#endif
