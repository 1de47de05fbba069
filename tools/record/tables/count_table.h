/*
 * tools/record/tables/count_table.h - counters of lines in the shared region (wire/counts.h), and their COUNTS chunks.
 *
 * In: COUNTS records of the log.  Out: chunks with the counters' current values; later chunks replace earlier ones.
 * Used by the pump only.
 */
#ifndef PROF_RECORD_COUNT_TABLE_H
#define PROF_RECORD_COUNT_TABLE_H

#include <stddef.h>

#include "base/vec.h"
#include "control.h"
#include "trace/write/write.h"

struct prof_count_entry {
  uint32_t process, first_site;
  const uint8_t *objects; /* in the region; programs still write to it */
  size_t bytes;
  uint64_t packed; /* their packed size when last written; 0: never */
};

struct prof_count_table { /* all zero: empty */
  PROF_VEC(struct prof_count_entry) entries;
};

void prof_count_table_add(struct prof_count_table *, const struct prof_log_counts *, const uint8_t *objects,
                          size_t bytes);
void prof_count_table_write(struct prof_count_table *, prof_writer *);
/* Writes those that were never written, to learn their packed size. */
void prof_count_table_try(struct prof_count_table *, prof_writer *);
/* Maximum size of the next prof_count_table_write: unpacked, or twice the last packed size. */
uint64_t prof_count_table_bytes(const struct prof_count_table *);
/* Cost of one reading of the clock for a line, thousandths of a tick, reported by the first program that times lines;
 * 0: none. */
uint32_t prof_count_table_line_cost(const struct prof_count_table *);
void prof_count_table_fini(struct prof_count_table *);

#endif
