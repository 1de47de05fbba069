/*
 * tools/trace/read/raw.c - see raw.h.
 */
#include "raw.h"

#include <stdlib.h>

#include "base/diag.h"
#include "trace.h"

struct prof_raw {
  const struct prof_trace *trace;
  uint64_t offset;
  struct prof_unpacker unpacker;
  uint8_t buffer[PROF_TRACE_RESYNC_BYTES];
};

const uint8_t *prof_raw_id(const prof_trace *trace) {
  return trace->id;
}

prof_raw *prof_raw_new(const prof_trace *trace) {
  struct prof_raw *raw = calloc(1, sizeof *raw);
  if (raw)
    *raw = (struct prof_raw){.trace = trace, .offset = trace->first_chunk};
  return raw;
}

void prof_raw_free(prof_raw *raw) {
  if (!raw)
    return;
  prof_unpacker_fini(&raw->unpacker);
  free(raw);
}

prof_status prof_raw_next(prof_raw *raw,
                          bool (*wants)(void *context, uint64_t offset, const struct prof_format_chunk *),
                          void *context, struct prof_diag *diag, struct prof_raw_chunk *out) {
  for (;;) {
    uint64_t offset = raw->offset, size = raw->trace->info.file_bytes;
    if (offset < size && !prof_trace_chunk_header(raw->trace, offset, &out->head)) {
      raw->offset = prof_trace_resync(raw->trace, offset + 1, raw->buffer, sizeof raw->buffer);
      continue;
    }
    if (offset >= size || size - offset - sizeof out->head < out->head.packed_bytes)
      return PROF_EMPTY;
    raw->offset = offset + prof_trace_chunk_bytes(&out->head);
    if (!wants(context, offset, &out->head))
      continue;
    prof_status status = prof_unpack_check(&raw->unpacker, raw->trace, offset, &out->head, diag);
    if (status == PROF_NO_MEMORY)
      return status;
    if (status != PROF_OK)
      continue;
    out->offset = offset;
    out->packed = raw->unpacker.packed;
    return PROF_OK;
  }
}

prof_status prof_raw_unpack(prof_raw *raw, const struct prof_raw_chunk *chunk, struct prof_diag *diag,
                            const uint8_t **payload) {
  return prof_unpack(&raw->unpacker, raw->trace, chunk->offset, &chunk->head, diag, payload);
}
