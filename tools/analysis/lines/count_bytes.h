/*
 * tools/analysis/lines/count_bytes.h - the objects of a COUNTS chunk one by one, and the bytes that describe their
 * counters (wire/counts.h, wire/work.h).
 *
 * In: any bytes.  Past the end numbers are 0, strings are empty, and `bad` is set, which callers check once at the end.
 */
#ifndef PROF_ANALYSIS_COUNT_BYTES_H
#define PROF_ANALYSIS_COUNT_BYTES_H

#include "proftrace.h"

struct prof_count_bytes {
  const uint8_t *at, *end;
  bool bad;
};

struct prof_count_object {
  const uint8_t *counters; /* 8 bytes each */
  uint32_t counter_count;
  struct prof_count_bytes bytes;
};

/* Finds the next object with this magic from `at` on; *next: behind it.  PROF_OK; PROF_NOT_FOUND: no more objects;
 * PROF_CORRUPT: damaged, *next is the block's end. */
prof_status prof_count_object_find(const struct prof_count_block *, uint64_t magic, size_t at,
                                   struct prof_count_object *, size_t *next) PROF_MUST_CHECK;

uint64_t prof_count_bytes_u64(struct prof_count_bytes *); /* LEB128 */
uint32_t prof_count_bytes_u32(struct prof_count_bytes *); /* the same; bad if it has more bits */
/* A number of items of at least `least` bytes each. */
uint32_t prof_count_bytes_items(struct prof_count_bytes *, size_t least);
const char *prof_count_bytes_string(struct prof_count_bytes *);
/* 8 bytes. */
uint64_t prof_count_bytes_key(struct prof_count_bytes *);

#endif
