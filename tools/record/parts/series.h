/*
 * tools/record/parts/series.h - when a recording goes on in the next folder, and which ones are kept.
 *
 *    prof.data/part-0001/trace    each a whole recording, of the time since the one before
 *    prof.data/part-0002/trace
 *
 * Used by the pump; the session makes the first folder.
 */
#ifndef PROF_RECORD_SERIES_H
#define PROF_RECORD_SERIES_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "trace/write/write.h"

enum prof_series_mode {
  PROF_SERIES_STREAM,  /* everything is written as it comes */
  PROF_SERIES_RING,    /* the latest part stays in memory, and is written when somebody asks */
  PROF_SERIES_SUMMARY, /* nothing is kept but what was folded (record/summary) */
};

struct prof_series_wish {
  uint64_t split_ns, split_bytes; /* 0: not by time, not by size; both 0: one file */
  uint32_t keep;                  /* parts; 0: all */
  enum prof_series_mode mode;
  uint64_t keep_bytes, keep_ns; /* of a ring; 0: no limit */
  uint64_t every_ns;            /* of a summary: to the next file; 0: PROF_SERIES_EVERY_NS */
  uint64_t memory_bytes;        /* likewise: for paths and their samples; 0: PROF_SERIES_MEMORY_BYTES */
};

struct prof_series {
  struct prof_series_wish wish;
  char folder[PATH_MAX];       /* of the present part */
  uint32_t number;             /* of it, from 1; of the last snapshot, 0: there is none; of a summary 0 */
  uint32_t deleted;            /* parts */
  uint32_t oldest;             /* parts up to this number are deleted */
  uint32_t gap_begin, gap_end; /* so are those from gap_begin to before gap_end; equal: there are none */
  uint32_t full;               /* the newest part with calls that has ended; 0: none */
  uint64_t begin_ns;           /* when it began */
  uint64_t bytes;              /* of those before that are kept */
  uint64_t events;             /* of all before */
  pid_t program;               /* 0: none */
  uint64_t user_ns, system_ns; /* its CPU time until then */
};

#define PROF_SERIES_EVERY_NS 10000000000u
#define PROF_SERIES_MEMORY_BYTES (16u << 20)

static inline bool prof_series_wanted(const struct prof_series_wish *wish) {
  return wish->split_ns > 0 || wish->split_bytes > 0 || wish->mode != PROF_SERIES_STREAM;
}

/* Makes the first part's folder in `folder`. */
prof_status prof_series_begin(struct prof_series *, const struct prof_series_wish *, const char *folder,
                              struct prof_diag *) PROF_MUST_CHECK;

/* Makes the folder of the next snapshot in `folder`. */
prof_status prof_series_snapshot(struct prof_series *, const char *folder, struct prof_diag *) PROF_MUST_CHECK;

/* Is it time for the next one? */
bool prof_series_due(const struct prof_series *, const prof_writer *, uint64_t now_ns);

/* Wall time and CPU time of the present part, up to now. */
void prof_series_times(const struct prof_series *, uint64_t now_ns, struct prof_end_record *);

/* After END: deletes parts, if there would be too many (prof_series_trim), and lets the writer go on in the next
 * folder. Else the writer has the error. */
prof_status prof_series_next(struct prof_series *, prof_writer *, uint64_t now_ns) PROF_MUST_CHECK;

/*
 * Deletes parts until the wished number is left, the oldest first.  The newest part with calls stays: instead of it
 * those without calls are deleted, and while the present one has none yet, there may be one part too many.
 */
void prof_series_trim(struct prof_series *, const prof_writer *);

#endif
