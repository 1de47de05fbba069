/*
 * tools/record/region/log_reader.h - reads the log in the shared region: the programs' records of themselves.
 *
 * In: records that programs append (wire/control.h); a faulty program may have damaged them.  Out: checked views, each
 * as soon as it is finished.  A writer that the system keeps from running in the middle of a record, or that died
 * there, doesn't hold up the others: what a thread has told is known before its later events are read.  Used by the
 * pump only.
 */
#ifndef PROF_RECORD_LOG_READER_H
#define PROF_RECORD_LOG_READER_H

#include <stdbool.h>

#include "record/region/region.h"

struct prof_log_view {
  enum prof_log_kind kind;
  const char *text; /* executable, path or message; "": the kind has none */
  union {
    struct prof_log_process process;
    struct prof_log_module module; /* MODULE, CALLER */
    struct prof_log_function function;
    struct prof_log_number number;
    struct prof_log_attached attached;
    struct prof_log_counts counts;
    struct prof_log_slice slice;
    struct prof_log_named named;
  };
  const uint8_t *data; /* COUNTS: the objects, in the region, still changing; else NULL */
  size_t data_bytes;
};

#define PROF_LOG_LATE_MAX 1024

struct prof_log_part {
  uint64_t from, to; /* offsets */
};

struct prof_log_reader {
  uint64_t at;                                  /* offset of the next record */
  struct prof_log_part late[PROF_LOG_LATE_MAX]; /* before `at`, of records that are unfinished */
  uint32_t late_count;
  bool searches;    /* the record before `at` has no valid length: the next one may begin anywhere */
  uint32_t garbled; /* records skipped: damaged, or one too many of these */
  char text[4096];  /* a copy of a view's text: the region may change at any time */
};

/* A finished record that wasn't returned yet; false: there is none. */
bool prof_log_next(struct prof_log_reader *, const struct prof_region *, struct prof_log_view *out);

/* Has a record begun behind those that were seen, or changed since? */
bool prof_log_waits(const struct prof_log_reader *, const struct prof_region *);

#endif
