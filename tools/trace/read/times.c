/*
 * tools/trace/read/times.c - converts the deltas of a chunk to times: the hot loop of every reader.
 *
 * Source: D. Lemire, N. Kurz, C. Rupp, "Stream VByte: faster byte-oriented integer compression" (2018): one control
 * byte has the lengths of four numbers; a shuffle by a table of 256 masks spreads their bytes.  Without SSSE3: one
 * number at a time.
 */
#include <pthread.h>
#include <string.h>

#include "cursor_inline.h"
#include "trace/format.h"

static uint32_t next_escaped(struct prof_times *position) {
  uint32_t used, delta = prof_delta_escaped(position->chunk, position->escape, position->delta, &used);
  position->delta += used;
  position->escape++;
  return delta;
}

static void one_by_one(struct prof_times *position, uint32_t count, uint64_t *times) {
  for (uint32_t i = 0; i < count; i++, position->index++) {
    position->time += next_escaped(position);
    times[i] = position->time;
  }
}

/* By the chunk's table; eight at a time if none is escaped, the normal case. */
static void by_table(struct prof_times *position, uint32_t count, uint64_t *times) {
  const uint8_t *codes = position->chunk->codes + position->index;
  const uint32_t *table = position->chunk->table;
  const uint64_t ones = 0x0101010101010101u;
  uint64_t time = position->time, eight;
  uint32_t i = 0;
  while (i < count) {
    memcpy(&eight, codes + i, sizeof eight);                        /* the length column and padding follow */
    if (i + 8 <= count && !((~eight - ones) & eight & ones << 7)) { /* no byte is 255 */
      for (uint32_t k = 0; k < 8; k++)
        times[i + k] = time += table[codes[i + k]];
      i += 8;
      continue;
    }
    for (uint32_t end = count - i < 8 ? count : i + 8; i < end; i++)
      times[i] = time += codes[i] == PROF_FORMAT_CODE_ESCAPE ? next_escaped(position) : table[codes[i]];
  }
  position->time = time;
  position->index += count;
}

#if defined __x86_64__

#include <immintrin.h>

struct spread {
  uint8_t mask[256][16];
  uint8_t bytes[256];
};
static struct spread spread;
static pthread_once_t spread_once = PTHREAD_ONCE_INIT;

static void make_spread(void) {
  for (unsigned control = 0; control < 256; control++) {
    uint8_t from = 0;
    for (unsigned number = 0; number < 4; number++) {
      unsigned length = (control >> 2 * number & 3) + 1;
      for (unsigned byte = 0; byte < 4; byte++)
        spread.mask[control][4 * number + byte] = byte < length ? from++ : 0x80;
    }
    spread.bytes[control] = from;
  }
}

/* Eight of a byte each: their sums from the first on, added to `time` (twice the same number), which becomes the last.
 */
__attribute__((target("ssse3,sse4.1"))) static inline __m128i add_eight(__m128i time, const uint8_t *delta,
                                                                        uint64_t *times) {
  __m128i sums = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)delta)); /* at most 8 * 255 */
  sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 2));
  sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 4));
  sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 8));
  _mm_storeu_si128((__m128i *)times, _mm_add_epi64(time, _mm_cvtepu16_epi64(sums)));
  _mm_storeu_si128((__m128i *)(times + 2), _mm_add_epi64(time, _mm_cvtepu16_epi64(_mm_srli_si128(sums, 4))));
  _mm_storeu_si128((__m128i *)(times + 4), _mm_add_epi64(time, _mm_cvtepu16_epi64(_mm_srli_si128(sums, 8))));
  _mm_storeu_si128((__m128i *)(times + 6), _mm_add_epi64(time, _mm_cvtepu16_epi64(_mm_srli_si128(sums, 12))));
  const __m128i last = _mm_srli_si128(sums, 14);
  return _mm_add_epi64(time, _mm_unpacklo_epi64(last, last));
}

/*
 * Four at a time, or eight of a byte each, while 16 bytes can be read: 8 follow the column, so all but its last few
 * groups.  Returns the number.
 */
__attribute__((target("ssse3,sse4.1"))) static uint32_t by_four(struct prof_times *position, uint32_t count,
                                                                uint64_t *times) {
  const uint8_t *delta = position->delta, *end = position->chunk->side;
  const uint8_t *lengths = position->chunk->lengths + position->index / 4;
  __m128i time = _mm_set1_epi64x((long long)position->time);
  uint32_t i = 0;
  while (i + 4 <= count && end - delta >= 16) {
    unsigned control = *lengths;
    if (!control && i + 8 <= count && !lengths[1]) { /* the normal case */
      time = add_eight(time, delta, times + i);
      delta += 8;
      lengths += 2;
      i += 8;
      continue;
    }
    __m128i four = _mm_loadu_si128((const __m128i *)delta);
    four = _mm_shuffle_epi8(four, _mm_loadu_si128((const __m128i *)spread.mask[control]));
    delta += spread.bytes[control];
    __m128i low = _mm_cvtepu32_epi64(four), high = _mm_cvtepu32_epi64(_mm_srli_si128(four, 8));
    low = _mm_add_epi64(low, _mm_slli_si128(low, 8));
    high = _mm_add_epi64(high, _mm_slli_si128(high, 8));
    high = _mm_add_epi64(high, _mm_shuffle_epi32(low, 0xee));
    _mm_storeu_si128((__m128i *)(times + i), _mm_add_epi64(time, low));
    high = _mm_add_epi64(time, high);
    _mm_storeu_si128((__m128i *)(times + i + 2), high);
    time = _mm_shuffle_epi32(high, 0xee);
    lengths++;
    i += 4;
  }
  position->delta = delta;
  position->index += i;
  position->escape += i;
  position->time = (uint64_t)_mm_cvtsi128_si64(time);
  return i;
}

#endif

uint32_t prof_times_next(struct prof_times *position, uint64_t *times, uint32_t most) {
  uint32_t left = position->chunk->event_count - position->index, count = left < most ? left : most, done = 0;
  if (position->chunk->codes) {
    by_table(position, count, times);
    return count;
  }
#if defined __x86_64__
  if (__builtin_cpu_supports("sse4.1")) {
    pthread_once(&spread_once, make_spread);
    done = by_four(position, count, times);
  }
#endif
  one_by_one(position, count - done, times + done);
  return count;
}
