/*
 * tools/command/options/values.h - values on the command line: durations, sizes, counts, ranges, words from a list.
 *
 * Each returns PROF_USAGE with a diagnostic that shows a valid value.  `flag` names the option, with dashes.
 */
#ifndef PROF_COMMAND_VALUES_H
#define PROF_COMMAND_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prof_status.h"

/* "250", "250ns", "10us", "1.5ms", "2s", "3m", "1h"; only 0 needs no unit. */
prof_status prof_value_duration(const char *flag, const char *text, uint64_t *ns, struct prof_diag *) PROF_MUST_CHECK;
/* "65536", "64K", "16M", "4G", "1T", also "4GiB", "4GB": powers of 1024. */
prof_status prof_value_size(const char *flag, const char *text, uint64_t *bytes, struct prof_diag *) PROF_MUST_CHECK;
/* A whole number from low to high. */
prof_status prof_value_count(const char *flag, const char *text, uint64_t low, uint64_t high, uint64_t *count,
                             struct prof_diag *) PROF_MUST_CHECK;
/* "5", "5%", "0.5%": a share of a whole, from 0 to 100; *share is from 0 to 1. */
prof_status prof_value_share(const char *flag, const char *text, double *share, struct prof_diag *) PROF_MUST_CHECK;
/* Index of text in the NULL-terminated words. */
prof_status prof_value_word(const char *flag, const char *text, const char *const *words, int *index,
                            struct prof_diag *) PROF_MUST_CHECK;

struct prof_texts { /* values of a repeatable option, borrowed from argv */
  const char **items;
  size_t count;
};

struct prof_counts { /* likewise */
  uint32_t *items;
  size_t count;
};

struct prof_range; /* study/recording.h */
prof_status prof_value_range(const char *flag, const char *text, struct prof_range *,
                             struct prof_diag *) PROF_MUST_CHECK;

#endif
