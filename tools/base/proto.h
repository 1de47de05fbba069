/*
 * tools/base/proto.h - builds messages of protocol buffers: fields of a number, a text, or another message.
 *
 *    struct prof_proto message = {0};
 *    prof_proto_number(&message, 1, 150);
 *    if (message.failed) ... no memory ...
 *    prof_proto_fini(&message);
 *
 * A zeroed message is empty.  Readers skip fields that are missing, so callers omit zeros.  After a failure all calls
 * do nothing.  Source: "Encoding" (protocol buffers documentation).
 */
#ifndef PROF_BASE_PROTO_H
#define PROF_BASE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct prof_proto {
  PROF_VEC(uint8_t) bytes;
  bool failed; /* no memory */
};

void prof_proto_varint(struct prof_proto *, uint64_t); /* without a field: part of a packed list */
void prof_proto_number(struct prof_proto *, uint32_t field, uint64_t);
void prof_proto_fixed64(struct prof_proto *, uint32_t field, uint64_t);
void prof_proto_bytes(struct prof_proto *, uint32_t field, const void *, size_t bytes);
void prof_proto_text(struct prof_proto *, uint32_t field, const char *);
void prof_proto_message(struct prof_proto *, uint32_t field, const struct prof_proto *inner);
void prof_proto_clear(struct prof_proto *); /* empties it and keeps its memory */
void prof_proto_fini(struct prof_proto *);

#endif
