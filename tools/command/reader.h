/*
 * tools/command/reader.h - an opened trace with the filter that the command line asked for.
 */
#ifndef PROF_COMMAND_READER_H
#define PROF_COMMAND_READER_H

#include "options/common.h"
#include "output.h"
#include "study/recording.h"

struct prof_reader { /* borrowed parts live until prof_reader_close */
  const struct prof_common *common;
  struct prof_recording recording;
  bool warned, *has_warned; /* prof_reader_warn was called; the second is the way to it through a const reader */
};

/* Opens common->input, prepares filter and names.  Nothing is open after a failure. */
prof_status prof_reader_open(struct prof_reader *, const struct prof_common *, struct prof_diag *) PROF_MUST_CHECK;
void prof_reader_close(struct prof_reader *);

/* The fold of what the filter lets pass, with progress on stderr.  *out is for prof_profile_free. */
prof_status prof_reader_fold(const struct prof_reader *, struct prof_profile **out, struct prof_diag *) PROF_MUST_CHECK;

/*
 * The same, and the samples placed in it; *samples is for prof_samples_free.  places: with calls distinguished by the
 * place that they came from (estimate/profile.h).
 */
prof_status prof_reader_fold_samples(const struct prof_reader *, bool places, struct prof_profile **out,
                                     struct prof_samples **samples, struct prof_diag *) PROF_MUST_CHECK;

/*
 * One line on what is missing from the figures (events lost, damage, a recording that was cut), if anything is: above a
 * table in it, else on stderr.  Call it after the fold, so that damage in event chunks is known; output may be NULL.
 * prof_reader_close does, when nobody has.
 */
void prof_reader_warn(const struct prof_reader *, struct prof_output *);

#endif
