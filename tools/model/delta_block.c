/*
 * tools/model/delta_block.c - see delta_block.h.
 */
#include "model/delta_block.h"

#include <string.h>
#if defined(__x86_64__)
#include <tmmintrin.h>
#endif

void prof_delta_tables_init(struct prof_delta_tables *tables) {
  for (uint32_t four = 0; four < 256; four++) {
    uint8_t from = 0;
    for (uint32_t i = 0; i < 4; i++)
      for (uint32_t byte = 0; byte < 4; byte++)
        tables->shuffle[four][4 * i + byte] = byte <= (four >> 2 * i & 3) ? from++ : 0x80;
    tables->bytes[four] = from;
  }
#if defined(__x86_64__)
  tables->shuffles = __builtin_cpu_supports("ssse3");
#else
  tables->shuffles = false;
#endif
}

/* Events of the block from `done` on, one at a time. */
static void one_by_one(struct prof_delta_position *position, uint32_t done, uint32_t count, uint64_t *times) {
  const uint8_t *deltas = position->deltas;
  uint64_t time = position->time;
  for (uint32_t i = done; i < count; i++) {
    uint32_t more = position->lengths[i / 4] >> 2 * (i & 3) & 3, delta;
    memcpy(&delta, deltas, sizeof delta); /* readable: the column is followed by 8 bytes */
    deltas += more + 1;
    time += delta & (UINT32_MAX >> (24 - 8 * more));
    times[i] = time;
  }
  position->deltas = deltas;
  position->time = time;
}

#if defined(__x86_64__)
/* As far as 16 bytes can be read at once, which is while 16 events are left; returns the events done. */
__attribute__((target("ssse3"))) static uint32_t by_fours(const struct prof_delta_tables *tables,
                                                          struct prof_delta_position *position, uint32_t count,
                                                          uint64_t *times) {
  const uint8_t *deltas = position->deltas, *lengths = position->lengths;
  const __m128i zero = _mm_setzero_si128();
  __m128i time = _mm_set1_epi64x((long long)position->time);
  uint32_t i = 0;
  for (; i + 16 <= count; i += 4) {
    uint32_t four = *lengths++;
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)deltas);
    __m128i values = _mm_shuffle_epi8(bytes, _mm_loadu_si128((const __m128i *)(const void *)tables->shuffle[four]));
    deltas += tables->bytes[four];
    __m128i low = _mm_unpacklo_epi32(values, zero), high = _mm_unpackhi_epi32(values, zero);
    low = _mm_add_epi64(low, _mm_slli_si128(low, 8));
    high = _mm_add_epi64(high, _mm_slli_si128(high, 8));
    high = _mm_add_epi64(high, _mm_unpackhi_epi64(low, low));
    _mm_storeu_si128((__m128i *)(void *)(times + i), _mm_add_epi64(time, low));
    high = _mm_add_epi64(time, high);
    _mm_storeu_si128((__m128i *)(void *)(times + i + 2), high);
    time = _mm_unpackhi_epi64(high, high);
  }
  position->deltas = deltas;
  if (i > 0)
    position->time = times[i - 1];
  return i;
}
#endif

void prof_delta_block(const struct prof_delta_tables *tables, struct prof_delta_position *position, uint32_t count,
                      uint64_t *times) {
  uint32_t done = 0;
#if defined(__x86_64__)
  if (tables->shuffles)
    done = by_fours(tables, position, count, times);
#else
  (void)tables;
#endif
  one_by_one(position, done, count, times);
  position->lengths += count / 4;
}
