/*
 * tools/command/options/option_take.h - stores the text of an option in its member of the settings, by the option's
 * row.
 */
#ifndef PROF_COMMAND_OPTION_TAKE_H
#define PROF_COMMAND_OPTION_TAKE_H

#include "option_row.h"

#define PROF_OPTION_MOST_WORDS 32

/* value: NULL for a flag.  PROF_USAGE: the diagnostic shows a valid value. */
prof_status prof_option_take(const struct prof_option *, void *settings, const char *value,
                             struct prof_diag *) PROF_MUST_CHECK;

/* Frees the lists of a row's values. */
void prof_option_free(const struct prof_option *, void *settings);

/* Gets the words of a row, from either of its tables, NULL-terminated; returns their number. */
size_t prof_option_words(const struct prof_option *, const char *words[static PROF_OPTION_MOST_WORDS + 1]);

/* "a, b or c" with " or " as the last separator; returns out. */
const char *prof_option_join(char *out, size_t bytes, const char *const *words, const char *separator,
                             const char *last_separator);

/* Name of its value in help: "N", "wait|drop"; NULL: no value.  The text lies in the row or in `out`. */
const char *prof_option_argument(const struct prof_option *, char *out, size_t bytes);

#endif
