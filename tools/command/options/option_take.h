/*
 * tools/command/options/option_take.h - from the text of one option to its member in the settings, by the option's row.
 */
#ifndef PROF_COMMAND_OPTION_TAKE_H
#define PROF_COMMAND_OPTION_TAKE_H

#include "option_row.h"

#define PROF_OPTION_MOST_WORDS 32

/* value: NULL for a flag.  PROF_USAGE: the diagnostic says what a right value looks like. */
prof_status prof_option_take(const struct prof_option *, void *settings, const char *value,
                             struct prof_diag *) PROF_MUST_CHECK;

/* Frees the lists that a row's values were put into. */
void prof_option_free(const struct prof_option *, void *settings);

/* The words of a row, from either of its tables, and NULL; returns their number, 0: it has none. */
size_t prof_option_words(const struct prof_option *, const char *words[static PROF_OPTION_MOST_WORDS + 1]);

/* "a, b or c" with " or " as the last separator; returns out. */
const char *prof_option_join(char *out, size_t bytes, const char *const *words, const char *separator,
                             const char *last_separator);

/* What its value is called: "N", "wait|drop"; NULL: it takes none.  The text lies in the row or in `out`. */
const char *prof_option_argument(const struct prof_option *, char *out, size_t bytes);

#endif
