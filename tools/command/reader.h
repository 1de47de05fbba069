/*
 * tools/command/reader.h - an opened trace with the filter of the command line.
 */
#ifndef PROF_COMMAND_READER_H
#define PROF_COMMAND_READER_H

#include "options/common.h"
#include "output.h"
#include "progress.h"
#include "study/recording.h"

struct prof_reader { /* borrowed parts live until prof_reader_close */
  const struct prof_common *common;
  struct prof_recording recording;
  bool warned, *has_warned;       /* prof_reader_warn was called; has_warned: its address, for a const reader */
  struct prof_progress *progress; /* of a fold, for those who watch it; NULL: nobody does */
};

/* Opens common->input, prepares filter and names.  Nothing is open after a failure. */
prof_status prof_reader_open(struct prof_reader *, const struct prof_common *, struct prof_diag *) PROF_MUST_CHECK;
void prof_reader_close(struct prof_reader *);

/* Folds what the filter shows, with progress on stderr.  Free *out with prof_profile_free. */
prof_status prof_reader_fold(const struct prof_reader *, struct prof_profile **out, struct prof_diag *) PROF_MUST_CHECK;

/*
 * The same, with samples assigned to calls; free *samples with prof_samples_free.  places: distinguishes calls by place
 * (estimate/profile.h).
 */
prof_status prof_reader_fold_samples(const struct prof_reader *, bool places, struct prof_profile **out,
                                     struct prof_samples **samples, struct prof_diag *) PROF_MUST_CHECK;

/*
 * Prints a line on missing data (lost events, damage, a recording that was cut), if any: above a table, else on stderr.
 * Call it after the fold, which finds damage in event chunks.  prof_reader_close calls it otherwise.  output may be
 * NULL.
 */
void prof_reader_warn(const struct prof_reader *, struct prof_output *);

#endif
