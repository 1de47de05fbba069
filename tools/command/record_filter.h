/*
 * tools/command/record_filter.h - options of `prof record` that choose calls: filters and triggers.
 */
#ifndef PROF_COMMAND_RECORD_FILTER_H
#define PROF_COMMAND_RECORD_FILTER_H

#include "options/values.h"
#include "record/session.h"

struct prof_record_filter {
  struct prof_texts patterns[PROF_KEPT_FLAGS];
  const char *snapshot_if; /* "F>50ms"; NULL: not given */
  char *watched;           /* its pattern; lives until the process ends */
  struct prof_kept_wish wish;
};

/* Moves the patterns into the options.  PROF_USAGE: they contradict each other, or other options. */
prof_status prof_record_filter_check(struct prof_record_filter *, struct prof_session_options *,
                                     struct prof_diag *) PROF_MUST_CHECK;

/* PROF_USAGE: two of the flags have the same pattern, and contradict each other. */
prof_status prof_record_filter_pairs(const struct prof_texts patterns[PROF_KEPT_FLAGS],
                                     struct prof_diag *) PROF_MUST_CHECK;

#endif
