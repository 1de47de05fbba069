/*
 * tools/command/decide/diff_show.h - shows a difference as a table, JSON or CSV.
 */
#ifndef PROF_COMMAND_DIFF_SHOW_H
#define PROF_COMMAND_DIFF_SHOW_H

#include "command/output.h"
#include "decide/diff.h"

/* "+12%", "-3.4%" of a ratio.  Returns out. */
#define PROF_CHANGE_BYTES 64
const char *prof_change_text(char out[PROF_CHANGE_BYTES], double ratio);
/* "-3.0% to +9.1%" */
const char *prof_change_interval(char out[PROF_CHANGE_BYTES], double low, double high);

/* At most `rows` rows; 0: all. */
prof_status prof_diff_table_show(const struct prof_diff *, const struct prof_run_group groups[2], size_t rows,
                                 double same, struct prof_output *, struct prof_diag *) PROF_MUST_CHECK;
prof_status prof_diff_csv(const struct prof_diff *, FILE *, struct prof_diag *) PROF_MUST_CHECK;
/* The members of the object: verdict, rows, and what is known of the sides. */
void prof_diff_json(const struct prof_diff *, const struct prof_run_group groups[2], struct prof_json *);

#endif
