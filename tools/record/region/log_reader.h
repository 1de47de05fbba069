/*
 * tools/record/region/log_reader.h - reads the log in the shared region: the programs' records of themselves.
 *
 * In: records that programs append (wire/control.h); a faulty program may have damaged them.  Out: checked views, in
 * the log's order.  Used by the pump only.
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
    struct prof_log_counts counts;
    struct prof_log_slice slice;
  };
  const uint8_t *data; /* COUNTS: the objects, in the region, still changing; else NULL */
  size_t data_bytes;
};

struct prof_log_reader {
  uint64_t at;         /* offset of the next record */
  uint64_t waiting_ns; /* since when the record at `at` is unfinished; 0: it is finished */
  uint32_t garbled;    /* records skipped */
  char text[4096];     /* a copy of a view's text: the region may change at any time */
};

/* The next finished record; false: none yet.  now_ns: any clock; it decides when the record of a dead writer is
 * skipped. */
bool prof_log_next(struct prof_log_reader *, const struct prof_region *, uint64_t now_ns, struct prof_log_view *out);

#endif
