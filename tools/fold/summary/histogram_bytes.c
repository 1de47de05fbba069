/*
 * tools/fold/summary/histogram_bytes.c - see histogram_bytes.h.
 */
#include "fold/summary/histogram_bytes.h"

#include "fold/summary/rows.h"

#define BUCKETS (PROF_HISTOGRAM_OCTAVES * PROF_HISTOGRAM_BUCKETS)

void prof_histogram_bytes_put(struct prof_payload *payload, const struct prof_histogram_pool *pool,
                              const struct prof_histogram *histogram) {
  uint32_t buckets = 0, before = 0;
  const bool is_empty = prof_histogram_is_empty(histogram);
  for (uint32_t i = 0; i < BUCKETS && !is_empty; i++)
    buckets += prof_histogram_at(pool, histogram, i) > 0;
  PROF_ROW_PUT(payload, is_empty ? 0 : prof_histogram_min(histogram), histogram->max, buckets);
  for (uint32_t i = 0; i < BUCKETS && buckets > 0; i++) {
    uint64_t count = prof_histogram_at(pool, histogram, i);
    if (count == 0)
      continue;
    PROF_ROW_PUT(payload, i - before, count);
    before = i;
  }
}

bool prof_histogram_bytes_get(struct prof_byte_reader *reader, struct prof_histogram_pool *pool,
                              struct prof_histogram *to) {
  uint64_t value[3];
  uint32_t bucket = 0;
  prof_rows_get(reader, value, 3);
  reader->bad |= value[1] < value[0];
  if (reader->bad || value[2] == 0)
    return true;
  to->min_inverted = ~value[0];
  to->max = value[1];
  for (; value[2] > 0 && !reader->bad; value[2]--) {
    bucket += prof_rows_number(reader, prof_byte_reader_varint(reader), BUCKETS);
    uint64_t count = prof_byte_reader_varint(reader);
    reader->bad |= bucket >= BUCKETS || count >> 48;
    if (!reader->bad && !prof_histogram_put(pool, to, bucket, count))
      return false;
  }
  return true;
}
