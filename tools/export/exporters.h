/*
 * tools/export/exporters.h - the formats that other programs read.
 *
 * A format is one file with its row here; `prof export --format`, help and completion follow from the table.
 */
#ifndef PROF_EXPORT_EXPORTERS_H
#define PROF_EXPORT_EXPORTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "call_path.h"
#include "estimate/profile.h"
#include "fold/filter.h"
#include "names/names.h"

/* On a time line: a frame inside the call that was held up. */
#define PROF_EXPORT_WAIT "[waiting for the recorder]"

struct prof_export_source { /* all borrowed */
  const prof_trace *trace;
  const struct prof_filter *filter;
  struct prof_names *names;
  const struct prof_profile *profile;       /* NULL unless the exporter asks for it */
  const struct prof_line_leaves *leaves;    /* of the profile: lines are shown as frames; NULL: they aren't */
  const struct prof_process_groups *groups; /* the first frame of each path, for formats with `has_groups`; or NULL */
  enum prof_time_kind time;                 /* what formats with one time per path are about */
  bool timeline;                            /* every call in time order instead of sums; for formats that have both */
  _Atomic uint64_t *done;                   /* events written so far, for formats that go through all of them */
  uint64_t *too_deep;                       /* gets the number of call paths that were cut at PROF_CALL_PATH_LIMIT */
};

struct prof_exporter {
  const char *name;
  const char *summary;
  bool has_timeline;  /* it can show a time line, */
  bool only_timeline; /* ... and always does; needs no profile */
  bool has_lines;     /* `leaves` mean something to it, without `timeline` */
  bool has_groups;    /* `groups` do, likewise */
  prof_status (*write)(FILE *, const struct prof_export_source *, struct prof_diag *);
};

/* One event more is done.  One thread counts, so that a load and a store suffice. */
static inline void prof_export_count(const struct prof_export_source *source) {
  uint64_t done = atomic_load_explicit(source->done, memory_order_relaxed);
  atomic_store_explicit(source->done, done + 1, memory_order_relaxed);
}

extern const struct prof_exporter *const prof_exporters[]; /* NULL-terminated */

#endif
