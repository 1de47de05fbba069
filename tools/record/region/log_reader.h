/*
 * tools/record/region/log_reader.h - reads the log in the shared region: the programs' records of themselves.
 *
 * In: records that programs append (wire/control.h), which a broken program may have garbled.  Out: checked views, in
 * the order of the log.  Used by the pump only.
 */
#ifndef PROF_RECORD_LOG_READER_H
#define PROF_RECORD_LOG_READER_H

#include <stdbool.h>

#include "record/region/region.h"

struct prof_log_view {
  enum prof_log_kind kind;
  const char *text; /* executable, path or message; "" where the kind has none */
  union {
    struct prof_log_process process;
    struct prof_log_module module; /* MODULE, CALLER */
    struct prof_log_function function;
    struct prof_log_number number;
    struct prof_log_counts counts;
    struct prof_log_slice slice;
  };
  const uint8_t *data; /* COUNTS: the objects, in the region, where they go on changing; else NULL */
  size_t data_bytes;
};

struct prof_log_reader {
  uint64_t at;         /* offset of the next record */
  uint64_t waiting_ns; /* since when the record at `at` is unfinished; 0: it isn't */
  uint32_t garbled;    /* records passed over */
  char text[4096];     /* holds a view's text, since the region may change under our eyes */
};

/* The next finished record; false: none yet.  now_ns: a clock of the caller's choice, which decides when a record whose
 * writer has died is passed over. */
bool prof_log_next(struct prof_log_reader *, const struct prof_region *, uint64_t now_ns, struct prof_log_view *out);

#endif
