/*
 * tools/fold/summary/rows.h - rows of numbers in the payload of SUMMARY, for bytes.c and burst_bytes.c.
 */
#ifndef PROF_FOLD_SUMMARY_ROWS_H
#define PROF_FOLD_SUMMARY_ROWS_H

#include <math.h>

#include "trace/bytes.h"

static inline void prof_rows_put(struct prof_payload *payload, const uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    prof_payload_varint(payload, values[i]);
}
#define PROF_ROW_PUT(payload, ...)                                                                                     \
  prof_rows_put(payload, (const uint64_t[]){__VA_ARGS__}, sizeof(uint64_t[]){__VA_ARGS__} / 8)

static inline void prof_rows_put_doubles(struct prof_payload *payload, const double *values, size_t count) {
  prof_payload_bytes(payload, values, count * sizeof *values);
}

/* `count` varints of a row. */
static inline void prof_rows_get(struct prof_byte_reader *reader, uint64_t *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    values[i] = prof_byte_reader_varint(reader);
}

/* `count` doubles, which are sums: neither negative nor infinite. */
static inline void prof_rows_get_doubles(struct prof_byte_reader *reader, double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *bytes = prof_byte_reader_bytes(reader, sizeof *values);
    values[i] = 0;
    if (bytes)
      memcpy(&values[i], bytes, sizeof *values);
    if (!isfinite(values[i]) || values[i] < 0) {
      values[i] = 0;
      reader->bad = true;
    }
  }
}

static inline uint32_t prof_rows_number(struct prof_byte_reader *reader, uint64_t value, uint64_t limit) {
  reader->bad |= value >= limit;
  return reader->bad ? 0 : (uint32_t)value;
}
#define PROF_ROWS_ANY (1ull << 32)

/* The number of rows that follow, of at least so many bytes each; 0 for one that cannot be. */
static inline uint32_t prof_rows_count(struct prof_byte_reader *reader, size_t least) {
  uint32_t count = prof_byte_reader_u32(reader);
  reader->bad |= !prof_byte_reader_fits(reader, count, least);
  return reader->bad ? 0 : count;
}

struct prof_summary;
/* burst_bytes.c: frames that are open; inherited: those that are no calls.  false: no memory. */
void prof_summary_put_going(const struct prof_summary *, bool inherited, struct prof_payload *);
bool prof_summary_get_going(struct prof_summary *, bool inherited, struct prof_byte_reader *);
/* Behind all other lists, of a recording with a budget.  false: no memory. */
void prof_summary_put_bursts(const struct prof_summary *, struct prof_payload *);
bool prof_summary_get_bursts(struct prof_summary *, struct prof_byte_reader *);

#endif
