/*
 * tools/trace/bytes.h - reads and writes numbers and strings of a chunk's payload.
 *
 * A prof_byte_reader never leaves its bytes: past the end it reads zeros and sets `bad`, which callers check once at
 * the end.
 */
#ifndef PROF_TRACE_BYTES_H
#define PROF_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"

#define PROF_VARINT_LIMIT 10 /* bytes */

struct prof_byte_reader {
  const uint8_t *at, *end;
  bool bad;
};

static inline const uint8_t *prof_byte_reader_bytes(struct prof_byte_reader *reader, size_t count) {
  if ((size_t)(reader->end - reader->at) < count) {
    reader->bad = true;
    reader->at = reader->end;
    return NULL;
  }
  const uint8_t *result = reader->at;
  reader->at += count;
  return result;
}

#define PROF_BYTE_READER_NUMBER(type, name)                                                                            \
  static inline type prof_byte_reader_##name(struct prof_byte_reader *reader) {                                        \
    type value = 0;                                                                                                    \
    const uint8_t *bytes = prof_byte_reader_bytes(reader, sizeof value);                                               \
    if (bytes)                                                                                                         \
      memcpy(&value, bytes, sizeof value);                                                                             \
    return value;                                                                                                      \
  }
PROF_BYTE_READER_NUMBER(uint16_t, u16)
PROF_BYTE_READER_NUMBER(uint32_t, u32)
PROF_BYTE_READER_NUMBER(uint64_t, u64)
#undef PROF_BYTE_READER_NUMBER

/* Is there room for `count` items of at least `least` bytes each? */
static inline bool prof_byte_reader_fits(const struct prof_byte_reader *reader, uint32_t count, size_t least) {
  return count <= (size_t)(reader->end - reader->at) / least;
}

/* Signed differences as small numbers: 0, -1, 1, -2, ... are 0, 1, 2, 3, ... */
static inline uint64_t prof_zigzag(uint64_t difference) {
  return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}
static inline uint64_t prof_unzigzag(uint64_t value) {
  return value >> 1 ^ -(value & 1);
}

/* Unsigned LEB128; NULL when it doesn't end before `end`, has more than 10 bytes or more than 64 bits. */
static inline const uint8_t *prof_varint_get(const uint8_t *at, const uint8_t *end, uint64_t *value) {
  if (at < end && *at < 0x80) {
    *value = *at;
    return at + 1;
  }
  uint64_t result = 0;
  for (unsigned i = 0; i < PROF_VARINT_LIMIT && at + i < end; i++) {
    uint64_t bits = at[i] & 0x7f;
    if (i == PROF_VARINT_LIMIT - 1 && bits > 1)
      return NULL;
    result |= bits << 7 * i;
    if (at[i] < 0x80) {
      *value = result;
      return at + i + 1;
    }
  }
  return NULL;
}

static inline uint64_t prof_byte_reader_varint(struct prof_byte_reader *reader) {
  uint64_t value = 0;
  const uint8_t *next = reader->bad ? NULL : prof_varint_get(reader->at, reader->end, &value);
  if (!next) {
    reader->bad = true;
    return 0;
  }
  reader->at = next;
  return value;
}

/* Writes at most PROF_VARINT_LIMIT bytes; returns their end. */
static inline uint8_t *prof_varint_put(uint8_t *at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *at++ = (uint8_t)value;
  return at;
}

/* A payload being built; `failed`: no memory, checked once at the end. */
struct prof_payload {
  uint8_t *items;
  size_t count, capacity;
  bool failed;
};

static inline void prof_payload_bytes(struct prof_payload *payload, const void *bytes, size_t count) {
  if (!prof_vec_reserve(payload, count)) {
    payload->failed = true;
    return;
  }
  if (count)
    memcpy(payload->items + payload->count, bytes, count);
  payload->count += count;
}
static inline void prof_payload_u16(struct prof_payload *payload, uint16_t value) {
  prof_payload_bytes(payload, &value, sizeof value);
}
static inline void prof_payload_u32(struct prof_payload *payload, uint32_t value) {
  prof_payload_bytes(payload, &value, sizeof value);
}
static inline void prof_payload_u64(struct prof_payload *payload, uint64_t value) {
  prof_payload_bytes(payload, &value, sizeof value);
}
/* Several numbers in sequence. */
#define prof_payload_u32s(payload, ...) prof_payload_numbers(payload, uint32_t, __VA_ARGS__)
#define prof_payload_u64s(payload, ...) prof_payload_numbers(payload, uint64_t, __VA_ARGS__)
#define prof_payload_numbers(payload, type, ...)                                                                       \
  prof_payload_bytes(payload, (const type[]){__VA_ARGS__}, sizeof(type[]){__VA_ARGS__})
static inline void prof_payload_string(struct prof_payload *payload, const char *text, size_t bytes) {
  prof_payload_u32(payload, (uint32_t)bytes);
  prof_payload_bytes(payload, text, bytes);
}
static inline void prof_payload_varint(struct prof_payload *payload, uint64_t value) {
  uint8_t bytes[PROF_VARINT_LIMIT];
  prof_payload_bytes(payload, bytes, (size_t)(prof_varint_put(bytes, value) - bytes));
}

#endif
