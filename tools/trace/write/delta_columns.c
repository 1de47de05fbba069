/*
 * tools/trace/write/delta_columns.c - see delta_columns.h.
 */
#include "delta_columns.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED 16384u       /* only smaller deltas can be in the table */
#define TABLE_FROM_COUNT 512 /* for fewer events a table costs more than it saves */
#define STRETCH 128u         /* length of a counted block of events, of each ... */
#define STRETCH_EVERY 512u
#define RANKS 1024u /* counts from this on share a rank: */
_Static_assert(PROF_FORMAT_CHUNK_EVENTS / (RANKS - 1) < PROF_FORMAT_TABLE_LIMIT, "all more frequent ones have room");

struct prof_delta_columns {
  uint32_t counts[COUNTED];
  uint8_t codes[COUNTED]; /* delta -> code, PROF_FORMAT_CODE_ESCAPE: none */
};

struct prof_delta_columns *prof_delta_columns_new(void) {
  return calloc(1, sizeof(struct prof_delta_columns));
}

void prof_delta_columns_free(struct prof_delta_columns *columns) {
  free(columns);
}

/* It grows by a few bytes for each event, also where a table is first made: writers keep to a file's ceiling by it. */
size_t prof_delta_columns_bound(uint32_t count) {
  const size_t table = PROF_FORMAT_TABLE_LIMIT * 4 + (size_t)count, few = 3 * (size_t)count;
  return (table < few ? table : few) + ((size_t)count + 3) / 4 + (size_t)count * 4;
}
_Static_assert(PROF_FORMAT_TABLE_LIMIT * 4 <= 2 * TABLE_FROM_COUNT, "those with a table have room for it");

/* The lowest count whose deltas all fit into the table; *spare: how many deltas with one less fit, too. */
static uint32_t threshold(const struct prof_delta_columns *columns, uint32_t *spare) {
  uint32_t ranks[RANKS] = {0};
  for (uint32_t delta = 0; delta < COUNTED; delta++)
    ranks[columns->counts[delta] < RANKS ? columns->counts[delta] : RANKS - 1]++;
  uint32_t lowest = RANKS, sum = 0;
  while (lowest > 2 && sum + ranks[lowest - 1] <= PROF_FORMAT_TABLE_LIMIT)
    sum += ranks[--lowest];
  *spare = PROF_FORMAT_TABLE_LIMIT - sum;
  return lowest;
}

/* Writes the table and makes the codes; returns its bytes.  *covered: counted events with a code. */
static uint32_t make_table(struct prof_delta_columns *columns, uint8_t *out, uint64_t *covered) {
  uint32_t spare, least = threshold(columns, &spare), entries = 0;
  memset(columns->codes, PROF_FORMAT_CODE_ESCAPE, sizeof columns->codes);
  for (uint32_t delta = 0; delta < COUNTED; delta++) {
    uint32_t count = columns->counts[delta];
    bool nearly = count + 1 == least && count > 1 && spare > 0;
    if (count < least && !nearly)
      continue;
    spare -= nearly;
    columns->codes[delta] = (uint8_t)entries;
    memcpy(out + 4 * entries++, &delta, sizeof delta);
    *covered += count;
  }
  return 4 * entries;
}

/* Writes deltas without a code (all without a table), with two bits of length for each. */
static void write_escapes(const uint32_t *deltas, const uint8_t *codes, uint8_t *lengths,
                          struct prof_format_events *head, uint32_t escapes) {
  uint8_t *at = lengths + (escapes + 3) / 4, *first = at;
  uint32_t done = 0;
  memset(lengths, 0, (escapes + 3) / 4);
  for (uint32_t i = 0; done < escapes; i++) {
    if (codes && codes[i] != PROF_FORMAT_CODE_ESCAPE)
      continue;
    uint32_t length = (31 - (uint32_t)__builtin_clz(deltas[i] | 1)) / 8;
    memcpy(at, &deltas[i], sizeof deltas[i]);
    at += length + 1;
    lengths[done / 4] |= (uint8_t)(length << 2 * (done % 4));
    done++;
  }
  head->length_bytes = (escapes + 3) / 4;
  head->delta_bytes = (uint32_t)(at - first);
}

/* Writes the codes of all events; returns the number without a code. */
static uint32_t write_codes(const struct prof_delta_columns *columns, const uint32_t *deltas, uint32_t count,
                            uint8_t *codes) {
  uint32_t escapes = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t code = deltas[i] < COUNTED ? columns->codes[deltas[i]] : PROF_FORMAT_CODE_ESCAPE;
    codes[i] = code;
    escapes += code == PROF_FORMAT_CODE_ESCAPE;
  }
  return escapes;
}

/*
 * Counts blocks instead of every n-th event: a program's period may be a multiple of n.  Returns the number of events.
 */
static uint32_t count_some(struct prof_delta_columns *columns, const uint32_t *deltas, uint32_t count) {
  uint32_t looked_at = 0;
  memset(columns->counts, 0, sizeof columns->counts);
  for (uint32_t begin = 0; begin < count; begin += STRETCH_EVERY) {
    uint32_t end = count - begin < STRETCH ? count : begin + STRETCH;
    looked_at += end - begin;
    for (uint32_t i = begin; i < end; i++)
      if (deltas[i] < COUNTED)
        columns->counts[deltas[i]]++;
  }
  return looked_at;
}

uint8_t *prof_delta_columns_write(struct prof_delta_columns *columns, const uint32_t *deltas, uint32_t count,
                                  uint8_t *out, struct prof_format_events *head) {
  uint64_t covered = 0;
  head->table_bytes = 0;
  if (count >= TABLE_FROM_COUNT) {
    uint32_t looked_at = count_some(columns, deltas, count);
    head->table_bytes = make_table(columns, out, &covered);
    if (covered < looked_at / 2)
      head->table_bytes = 0;
  }
  const uint8_t *codes = NULL;
  uint32_t escapes = count;
  if (head->table_bytes) {
    codes = out += head->table_bytes;
    escapes = write_codes(columns, deltas, count, out);
    out += count;
  }
  write_escapes(deltas, codes, out, head, escapes);
  return out + head->length_bytes + head->delta_bytes;
}

#if defined __x86_64__

#include <emmintrin.h>

/* Eight with a byte each, of a column: true: `at` has them. */
static inline bool put_eight(const uint32_t *deltas, uint8_t *at) {
  __m128i low = _mm_loadu_si128((const __m128i *)deltas), high = _mm_loadu_si128((const __m128i *)(deltas + 4));
  __m128i beyond = _mm_srli_epi32(_mm_or_si128(low, high), 8);
  if (_mm_movemask_epi8(_mm_cmpeq_epi32(beyond, _mm_setzero_si128())) != 0xffff)
    return false;
  low = _mm_packs_epi32(low, high);
  _mm_storel_epi64((__m128i *)at, _mm_packus_epi16(low, low));
  return true;
}

#else

static inline bool put_eight(const uint32_t *deltas, uint8_t *at) {
  for (int i = 0; i < 8; i++) {
    if (deltas[i] > UINT8_MAX)
      return false;
    at[i] = (uint8_t)deltas[i];
  }
  return true;
}

#endif

/* Four with the length of the largest: 1, 2 or 4 bytes. */
static inline uint8_t *put_four(const uint32_t *four, uint8_t *at, uint8_t *length) {
  uint32_t all = four[0] | four[1] | four[2] | four[3];
  if (all <= UINT8_MAX) {
    uint32_t bytes = four[0] | four[1] << 8 | four[2] << 16 | four[3] << 24;
    memcpy(at, &bytes, sizeof bytes);
    *length = 0;
    return at + 4;
  }
  if (all <= UINT16_MAX) {
    uint64_t bytes = (uint64_t)(four[2] | four[3] << 16) << 32 | (four[0] | four[1] << 16);
    memcpy(at, &bytes, sizeof bytes);
    *length = 0x55;
    return at + 8;
  }
  memcpy(at, four, 16);
  *length = 0xff;
  return at + 16;
}

uint8_t *prof_delta_columns_write_quickly(const uint32_t *deltas, uint32_t count, uint8_t *out,
                                          struct prof_format_events *head) {
  uint8_t *lengths = out, *at = out + (count + 3) / 4, *first = at;
  uint32_t i = 0;
  head->table_bytes = 0;
  for (; i + 8 <= count; i += 8, lengths += 2) {
    if (put_eight(deltas + i, at)) {
      memset(lengths, 0, 2);
      at += 8;
      continue;
    }
    at = put_four(deltas + i, at, lengths);
    at = put_four(deltas + i + 4, at, lengths + 1);
  }
  if (i + 4 <= count) {
    at = put_four(deltas + i, at, lengths++);
    i += 4;
  }
  if (i < count) {
    *lengths = 0;
    for (; i < count; i++, at += 4) {
      memcpy(at, &deltas[i], 4);
      *lengths |= (uint8_t)(3 << 2 * (i % 4));
    }
  }
  head->length_bytes = (count + 3) / 4;
  head->delta_bytes = (uint32_t)(at - first);
  return at;
}
