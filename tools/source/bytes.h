/*
 * tools/source/bytes.h - a cursor over bytes that somebody else wrote.
 *
 * Reading beyond the end gives zeros and sets `bad`; the cursor then stays where it is.  Little-endian.
 */
#ifndef PROF_SOURCE_BYTES_H
#define PROF_SOURCE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct prof_bytes {
  const uint8_t *at, *end;
  bool bad;
};

/* Of `size` bytes at `bytes`, those from `from` on. */
static inline struct prof_bytes prof_bytes_from(const uint8_t *bytes, uint64_t size, uint64_t from) {
  if (from > size || bytes == NULL)
    return (struct prof_bytes){NULL, NULL, true};
  return (struct prof_bytes){bytes + from, bytes + size, false};
}

static inline size_t prof_bytes_left(const struct prof_bytes *bytes) {
  return (size_t)(bytes->end - bytes->at);
}

static inline void prof_bytes_fail(struct prof_bytes *bytes) {
  bytes->bad = true;
  bytes->at = bytes->end;
}

static inline void prof_bytes_skip(struct prof_bytes *bytes, uint64_t count) {
  if (count > prof_bytes_left(bytes))
    prof_bytes_fail(bytes);
  else
    bytes->at += count;
}

/* An unsigned number of 1 to 8 bytes. */
static inline uint64_t prof_bytes_number(struct prof_bytes *bytes, unsigned width) {
  uint64_t value = 0;
  if (width > prof_bytes_left(bytes) || width > sizeof value) {
    prof_bytes_fail(bytes);
    return 0;
  }
  memcpy(&value, bytes->at, width);
  bytes->at += width;
  return value;
}

static inline uint8_t prof_bytes_u8(struct prof_bytes *bytes) {
  if (bytes->at == bytes->end) {
    bytes->bad = true;
    return 0;
  }
  return *bytes->at++;
}

static inline uint16_t prof_bytes_u16(struct prof_bytes *bytes) {
  return (uint16_t)prof_bytes_number(bytes, 2);
}

static inline uint32_t prof_bytes_u32(struct prof_bytes *bytes) {
  return (uint32_t)prof_bytes_number(bytes, 4);
}

static inline uint64_t prof_bytes_u64(struct prof_bytes *bytes) {
  return prof_bytes_number(bytes, 8);
}

/* LEB128; bits beyond 64 are dropped, padding is allowed. */
static inline uint64_t prof_bytes_uleb(struct prof_bytes *bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = prof_bytes_u8(bytes);
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0 || bytes->bad)
      return bytes->bad ? 0 : value;
  }
}

static inline int64_t prof_bytes_sleb(struct prof_bytes *bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0;;) {
    uint8_t byte = prof_bytes_u8(bytes);
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0 && !bytes->bad)
      continue;
    if (shift < 64 && (byte & 0x40) != 0)
      value |= UINT64_MAX << shift;
    return bytes->bad ? 0 : (int64_t)value;
  }
}

static inline void prof_bytes_leb_skip(struct prof_bytes *bytes) {
  while ((prof_bytes_u8(bytes) & 0x80) != 0)
    ;
}

/* A text up to its NUL; NULL and `bad`: it has none. */
static inline const char *prof_bytes_text(struct prof_bytes *bytes) {
  const uint8_t *begin = bytes->at, *nul = begin == NULL ? NULL : memchr(begin, 0, prof_bytes_left(bytes));
  if (nul == NULL) {
    prof_bytes_fail(bytes);
    return NULL;
  }
  bytes->at = nul + 1;
  return (const char *)begin;
}

#endif
