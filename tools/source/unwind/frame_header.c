/*
 * tools/source/unwind/frame_header.c - see frame_header.h.
 */
#include "source/unwind/frame_header.h"

#include <string.h>

#include "base/order.h"

enum {
  HEAD_BYTES = 4,
  PAIR_BYTES = 8,
  ENCODING_OMIT = 0xff,
  ENCODING_TABLE = 0x3b, /* 32 bits, signed, counted from the section */
};

void prof_frame_header_read(const struct prof_frame_section *section, struct prof_frame_header *out) {
  struct prof_bytes bytes = prof_bytes_from(section->bytes, section->size, 0);
  uint8_t head[HEAD_BYTES] = {0};
  *out = (struct prof_frame_header){.section = *section};
  for (size_t i = 0; i < sizeof head; i++)
    head[i] = prof_bytes_u8(&bytes);
  if (head[0] != 1 || head[2] == ENCODING_OMIT || head[3] != ENCODING_TABLE)
    return;
  if (head[1] != ENCODING_OMIT)
    prof_frame_pointer(&bytes, section, head[1]);
  uint64_t count = prof_frame_pointer(&bytes, section, head[2]);
  if (bytes.bad || count > prof_bytes_left(&bytes) / PAIR_BYTES)
    return;
  out->pairs = bytes.at;
  out->count = count;
}

struct prof_frame_start prof_frame_header_at(const struct prof_frame_header *header, size_t index) {
  int32_t pair[2];
  memcpy(pair, header->pairs + index * PAIR_BYTES, sizeof pair);
  return (struct prof_frame_start){header->section.address + (uint64_t)(int64_t)pair[0],
                                   header->section.address + (uint64_t)(int64_t)pair[1]};
}

uint64_t prof_frame_header_begin(const struct prof_frame_header *header, uint64_t address) {
  size_t behind = prof_search(0, header->count, middle, prof_frame_header_at(header, middle).begin <= address);
  return behind > 0 ? prof_frame_header_at(header, behind - 1).begin : 0;
}
