/*
 * tools/study/recording.h - an opened recording, what a filter shows of it, and names.
 *
 * Job: everything that a question about a recording begins with.  Used by commands and by libprofstudy alike.
 */
#ifndef PROF_STUDY_RECORDING_H
#define PROF_STUDY_RECORDING_H

#include "estimate/samples_fold.h"
#include "names/names.h"
#include "study/shown_paths.h"

struct prof_range { /* as it was written; percent is of the recording's length */
  uint64_t begin_ns, end_ns;
  double begin_share, end_share;
  bool begin_is_share, end_is_share; /* then begin_share, end_share hold */
};

enum prof_split { PROF_SPLIT_NONE, PROF_SPLIT_PROCESS, PROF_SPLIT_COMMAND };

struct prof_recording_spec { /* borrowed texts and arrays outlive the recording */
  const char *path;
  struct prof_filter_spec shown; /* but for its range: */
  struct prof_range range;
  enum prof_demangle demangle;
  const struct prof_path_rule *path_rules;
  size_t path_rule_count;
  enum prof_time_kind time;
  bool has_time; /* `time` was asked for: without scheduler switches it is an error then */
  enum prof_split split;
};

struct prof_recording {
  prof_trace *trace; /* NULL: it is not open */
  struct prof_filter filter;
  struct prof_names *names;
  enum prof_time_kind time;          /* that views are about */
  bool has_switches;                 /* running and waiting are known: by scheduler switches, else measured waits */
  bool has_budget;                   /* functions were not always recorded: some figures are estimates */
  struct prof_process_groups groups; /* of `split`; none without it */
  struct prof_shown_paths *paths;
};

/* After a failure only `trace` may be open, and figures of it asked for; close it in any case. */
prof_status prof_recording_open(struct prof_recording *, const struct prof_recording_spec *,
                                struct prof_diag *) PROF_MUST_CHECK;
void prof_recording_close(struct prof_recording *);

/* The one fold: see prof_samples_fold.  What was too cold to be kept is called [other] from then on. */
prof_status prof_recording_fold(const struct prof_recording *, const struct prof_fold_options *, struct prof_diag *,
                                struct prof_profile **, struct prof_samples **) PROF_MUST_CHECK;

#endif
