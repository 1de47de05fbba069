/*
 * tools/base/proto.c - see proto.h.
 */
#include "base/proto.h"

#include <string.h>

enum { KIND_VARINT = 0, KIND_FIXED64 = 1, KIND_BYTES = 2 };

#define VARINT_MOST 10

void prof_proto_varint(struct prof_proto *message, uint64_t value) {
  if (message->failed || !prof_vec_reserve(&message->bytes, VARINT_MOST)) {
    message->failed = true;
    return;
  }
  for (; value >= 0x80; value >>= 7)
    message->bytes.items[message->bytes.count++] = (uint8_t)(value | 0x80);
  message->bytes.items[message->bytes.count++] = (uint8_t)value;
}

void prof_proto_number(struct prof_proto *message, uint32_t field, uint64_t value) {
  prof_proto_varint(message, field << 3 | KIND_VARINT);
  prof_proto_varint(message, value);
}

void prof_proto_fixed64(struct prof_proto *message, uint32_t field, uint64_t value) {
  prof_proto_varint(message, field << 3 | KIND_FIXED64);
  if (message->failed || !prof_vec_reserve(&message->bytes, sizeof value)) {
    message->failed = true;
    return;
  }
  for (size_t i = 0; i < sizeof value; i++)
    message->bytes.items[message->bytes.count++] = (uint8_t)(value >> 8 * i);
}

void prof_proto_bytes(struct prof_proto *message, uint32_t field, const void *from, size_t bytes) {
  prof_proto_varint(message, field << 3 | KIND_BYTES);
  prof_proto_varint(message, bytes);
  if (message->failed || !prof_vec_reserve(&message->bytes, bytes)) {
    message->failed = true;
    return;
  }
  if (bytes)
    memcpy(message->bytes.items + message->bytes.count, from, bytes);
  message->bytes.count += bytes;
}

void prof_proto_text(struct prof_proto *message, uint32_t field, const char *text) {
  prof_proto_bytes(message, field, text, strlen(text));
}

void prof_proto_message(struct prof_proto *message, uint32_t field, const struct prof_proto *inner) {
  prof_proto_bytes(message, field, inner->bytes.items, inner->bytes.count);
  message->failed |= inner->failed;
}

void prof_proto_clear(struct prof_proto *message) {
  message->bytes.count = 0;
}

void prof_proto_fini(struct prof_proto *message) {
  prof_vec_fini(&message->bytes);
}
