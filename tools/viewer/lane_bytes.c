/*
 * tools/viewer/lane_bytes.c - lanes as the bytes of docs/view-format.md.
 */
#include <string.h>

#include "viewer/lanes.h"

#define VARINT_BYTES 10
#define HEAD_NUMBERS 6

struct bytes {
  PROF_VEC(uint8_t) of;
  bool failed;
};

static void put_varint(struct bytes *bytes, uint64_t value) {
  if (!prof_vec_reserve(&bytes->of, VARINT_BYTES)) {
    bytes->failed = true;
    return;
  }
  for (; value >= 0x80; value >>= 7)
    bytes->of.items[bytes->of.count++] = (uint8_t)(value | 0x80);
  bytes->of.items[bytes->of.count++] = (uint8_t)value;
}

static void put_u32(struct bytes *bytes, uint32_t value) {
  if (!prof_vec_reserve(&bytes->of, 4)) {
    bytes->failed = true;
    return;
  }
  for (unsigned i = 0; i < 4; i++, value >>= 8)
    bytes->of.items[bytes->of.count++] = (uint8_t)value;
}

/* A column of a lane's calls or cells. */
#define PUT_COLUMN(bytes, vec, member)                                                                                 \
  for (size_t i_ = 0; i_ < (vec)->count; i_++)                                                                         \
  put_varint(bytes, (vec)->items[i_].member)

static void put_calls(struct bytes *bytes, const struct prof_lane *lane) {
  uint64_t end = 0;
  for (size_t i = 0; i < lane->calls.count; i++) {
    const struct prof_lane_call *call = &lane->calls.items[i];
    put_varint(bytes, call->begin > end ? call->begin - end : 0);
    end = (call->begin > end ? call->begin : end) + call->length;
  }
  PUT_COLUMN(bytes, &lane->calls, length);
  PUT_COLUMN(bytes, &lane->calls, frame);
  PUT_COLUMN(bytes, &lane->calls, flags);
}

static void put_cells(struct bytes *bytes, const struct prof_lane *lane) {
  uint64_t before = 0;
  for (size_t i = 0; i < lane->cells.count; i++) {
    put_varint(bytes, lane->cells.items[i].bucket - before);
    before = lane->cells.items[i].bucket;
  }
  PUT_COLUMN(bytes, &lane->cells, cover);
  PUT_COLUMN(bytes, &lane->cells, calls);
  PUT_COLUMN(bytes, &lane->cells, frame);
}

static void put_lane(struct bytes *bytes, const struct prof_lane *lane) {
  const uint32_t head[HEAD_NUMBERS] = {(uint32_t)lane->kind, lane->thread, lane->depth, (uint32_t)lane->calls.count,
                                       (uint32_t)lane->cells.count};
  size_t begin = bytes->of.count;
  for (unsigned i = 0; i < HEAD_NUMBERS; i++)
    put_u32(bytes, head[i]);
  put_calls(bytes, lane);
  put_cells(bytes, lane);
  while (bytes->of.count & 3 && !bytes->failed)
    put_varint(bytes, 0);
  if (bytes->failed)
    return;
  uint32_t length = (uint32_t)(bytes->of.count - begin - HEAD_NUMBERS * sizeof(uint32_t));
  memcpy(bytes->of.items + begin + (HEAD_NUMBERS - 1) * sizeof length, &length, sizeof length);
}

uint8_t *prof_lanes_bytes(const struct prof_lanes *lanes, size_t *count) {
  struct bytes bytes = {.failed = lanes->failed};
  put_u32(&bytes, lanes->shift);
  put_u32(&bytes, (uint32_t)lanes->items.count);
  for (size_t i = 0; i < lanes->items.count && !bytes.failed; i++)
    put_lane(&bytes, &lanes->items.items[i]);
  *count = bytes.of.count;
  if (!bytes.failed)
    return bytes.of.items;
  prof_vec_fini(&bytes.of);
  return NULL;
}
