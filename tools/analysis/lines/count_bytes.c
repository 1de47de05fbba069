/*
 * tools/analysis/lines/count_bytes.c - see count_bytes.h.
 */
#include "analysis/lines/count_bytes.h"

#include <string.h>

#include "counts.h"
#include "work.h"

prof_status prof_count_object_find(const struct prof_count_block *block, uint64_t magic, size_t at,
                                   struct prof_count_object *out, size_t *next) {
  struct prof_counts_object head;
  for (*next = block->bytes; block->bytes - at >= sizeof head;) {
    memcpy(&head, block->objects + at, sizeof head);
    if (head.magic == 0) { /* between objects */
      at += 8;
      continue;
    }
    size_t left = block->bytes - at - sizeof head, counters = 8 * (size_t)head.counter_count;
    if ((head.magic != PROF_COUNTS_MAGIC && head.magic != PROF_WORK_MAGIC) || counters > left ||
        head.flow_bytes > left - counters)
      return PROF_CORRUPT;
    const uint8_t *begin = block->objects + at + sizeof head, *bytes = begin + counters;
    at += (sizeof head + counters + head.flow_bytes + 7) / 8 * 8;
    at = at < block->bytes ? at : block->bytes;
    if (head.magic != magic)
      continue;
    *out = (struct prof_count_object){begin, head.counter_count, {bytes, bytes + head.flow_bytes, false}};
    *next = at;
    return PROF_OK;
  }
  return PROF_NOT_FOUND;
}

uint64_t prof_count_bytes_u64(struct prof_count_bytes *bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && bytes->at < bytes->end; shift += 7) {
    uint8_t byte = *bytes->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  bytes->bad = true;
  return 0;
}

uint32_t prof_count_bytes_u32(struct prof_count_bytes *bytes) {
  uint64_t value = prof_count_bytes_u64(bytes);
  bytes->bad |= value > UINT32_MAX;
  return (uint32_t)value;
}

uint32_t prof_count_bytes_items(struct prof_count_bytes *bytes, size_t least) {
  uint32_t count = prof_count_bytes_u32(bytes);
  if (count <= (size_t)(bytes->end - bytes->at) / least)
    return count;
  bytes->bad = true;
  return 0;
}

const char *prof_count_bytes_string(struct prof_count_bytes *bytes) {
  const uint8_t *end = memchr(bytes->at, 0, (size_t)(bytes->end - bytes->at));
  const char *string = (const char *)bytes->at;
  if (end == NULL) {
    bytes->bad = true;
    return "";
  }
  bytes->at = end + 1;
  return string;
}

uint64_t prof_count_bytes_key(struct prof_count_bytes *bytes) {
  uint64_t key = 0;
  if ((size_t)(bytes->end - bytes->at) < sizeof key) {
    bytes->bad = true;
    return 0;
  }
  memcpy(&key, bytes->at, sizeof key);
  bytes->at += sizeof key;
  return key;
}
