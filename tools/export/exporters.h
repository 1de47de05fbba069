/*
 * tools/export/exporters.h - export formats for other programs.
 *
 * A format is one file and a row of the table; `prof export --format`, help and completion use the table.
 */
#ifndef PROF_EXPORT_EXPORTERS_H
#define PROF_EXPORT_EXPORTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "call_path.h"
#include "estimate/profile.h"
#include "estimate/samples.h"
#include "fold/filter.h"
#include "names/names.h"

/* On a timeline: the name of a frame inside the call that waited. */
#define PROF_EXPORT_WAIT "[waiting for the recorder]"

struct prof_export_source { /* all borrowed */
  const prof_trace *trace;
  const struct prof_filter *filter;
  struct prof_names *names;
  const struct prof_profile *profile;       /* NULL unless the exporter asks for it */
  const struct prof_samples *samples;       /* of the profile, for formats with `has_waits`; NULL: no switches */
  const struct prof_line_leaves *leaves;    /* of the profile: shows lines as frames; NULL: no lines */
  const struct prof_process_groups *groups; /* the first frame of each path, for formats with `has_groups`; or NULL */
  const char *path;                         /* of the output, which is empty; NULL: a stream */
  enum prof_time_kind time;                 /* the time that formats with one time per path show */
  bool timeline;                            /* every call in time order instead of sums; for formats with both */
  double min_share;                         /* functions under this share of the time are one; from 0 to 1 */
  _Atomic uint64_t *done;                   /* events written so far, by formats that read all events */
  uint64_t limit;                           /* so many events are written of a time line; 0: all */
  uint64_t *too_deep;                       /* gets the number of call paths that were cut at PROF_CALL_PATH_LIMIT */
};

struct prof_exporter {
  const char *name;
  const char *summary;
  bool has_timeline;   /* it can show a timeline, */
  bool only_timeline;  /* ... and always does; needs no profile */
  bool has_both;       /* with `timeline` it has sums too, and needs the profile */
  bool needs_file;     /* it writes the file `path`, and can't write to a stream */
  bool needs_folder;   /* `path` is a folder that it makes; with `needs_file` */
  bool has_lines;      /* it uses `leaves`, without `timeline` */
  bool has_points;     /* it shows what the program reports (prof_walk_points) */
  bool has_waits;      /* it uses the pauses of `samples`, and the profile that they belong to */
  bool has_min_share;  /* it uses `min_share` */
  bool has_chains;     /* its leaves are told apart by their chains of inlined calls */
  bool has_groups;     /* it uses `groups`, without `timeline` */
  bool has_paths;      /* it writes each call path in full, without `timeline` */
  const char *missing; /* the Debian package of a library that this build lacked; NULL: it can write */
  bool (*load)(void);  /* loads the library of `package` before it writes; false: not there.  NULL: needs none */
  const char *package; /* of Debian */
  prof_status (*write)(FILE *, const struct prof_export_source *, struct prof_diag *);
};

/* The Debian package of a library that is not there, when prof was built or now; NULL: it can write. */
static inline const char *prof_exporter_lacks(const struct prof_exporter *exporter) {
  return exporter->missing ? exporter->missing : exporter->load && !exporter->load() ? exporter->package : NULL;
}

/* Counts an event.  Only one thread counts, so that a load and a store suffice.  false: it was the last of `limit`. */
static inline bool prof_export_count(const struct prof_export_source *source) {
  uint64_t done = atomic_load_explicit(source->done, memory_order_relaxed);
  atomic_store_explicit(source->done, done + 1, memory_order_relaxed);
  return source->limit == 0 || done + 1 < source->limit;
}

extern const struct prof_exporter *const prof_exporters[]; /* NULL-terminated */

#endif
