/*
 * tools/trace/read/unpack.c - reads a chunk's payload, checks it and decompresses it within bounds.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/diag.h"
#include "trace.h"

#define DAMAGED "what else the trace holds is still read"

static prof_status corrupt(const struct prof_trace *trace, uint64_t offset, struct prof_diag *diag, const char *what) {
  return prof_diag_fill(diag, PROF_CORRUPT, trace->path, offset, DAMAGED, "%s", what);
}

/* A stored payload that need not be copied (memory.h). */
static bool is_in_memory(const struct prof_trace *trace, uint64_t offset, const struct prof_format_chunk *head) {
  return trace->memory && head->codec == PROF_FORMAT_STORED && head->raw_bytes == head->packed_bytes &&
         offset + sizeof *head + head->packed_bytes <= trace->info.file_bytes;
}

prof_status prof_unpack_check(struct prof_unpacker *unpacker, const struct prof_trace *trace, uint64_t offset,
                              const struct prof_format_chunk *head, struct prof_diag *diag) {
  if (is_in_memory(trace, offset, head))
    return PROF_OK;
  uint8_t *packed = prof_vec_grow(unpacker->packed, &unpacker->packed_capacity, head->packed_bytes, 1);
  if (!packed)
    return prof_diag_memory(diag);
  unpacker->packed = packed;
  if (!prof_trace_read(trace, offset + sizeof *head, packed, head->packed_bytes))
    return prof_diag_fill(diag, PROF_TRUNCATED, trace->path, offset, DAMAGED, "the file ends inside a chunk");
  if (crc32(0, packed, head->packed_bytes) != head->payload_crc)
    return corrupt(trace, offset, diag, "a chunk's checksum is wrong");
  return PROF_OK;
}

/* wanted < head->raw_bytes: only so much, with the same context, which then starts anew. */
static prof_status decompress(struct prof_unpacker *unpacker, const struct prof_trace *trace, uint64_t offset,
                              const struct prof_format_chunk *head, size_t wanted, struct prof_diag *diag) {
  /* Refuse a frame whose size differs from the header's before any memory is allocated for it. */
  if (ZSTD_getFrameContentSize(unpacker->packed, head->packed_bytes) != head->raw_bytes)
    return corrupt(trace, offset, diag, "a chunk's compressed size doesn't fit its header");
  if (!unpacker->context && !(unpacker->context = ZSTD_createDCtx()))
    return prof_diag_memory(diag);
  size_t result, got;
  if (wanted < head->raw_bytes) {
    ZSTD_inBuffer in = {unpacker->packed, head->packed_bytes, 0};
    ZSTD_outBuffer out = {unpacker->raw, wanted, 0};
    ZSTD_DCtx_reset(unpacker->context, ZSTD_reset_session_only);
    do
      result = ZSTD_decompressStream(unpacker->context, &out, &in);
    while (!ZSTD_isError(result) && result > 0 && out.pos < wanted && in.pos < in.size);
    got = out.pos;
  } else {
    result = got =
        ZSTD_decompressDCtx(unpacker->context, unpacker->raw, head->raw_bytes, unpacker->packed, head->packed_bytes);
  }
  if (ZSTD_isError(result))
    return prof_diag_fill(diag, PROF_CORRUPT, trace->path, offset, DAMAGED, "a chunk can't be unpacked (%s)",
                          ZSTD_getErrorName(result));
  return got == wanted ? PROF_OK : corrupt(trace, offset, diag, "a chunk unpacks to another size");
}

prof_status prof_unpack_begin(struct prof_unpacker *unpacker, const struct prof_trace *trace, uint64_t offset,
                              const struct prof_format_chunk *head, size_t wanted, struct prof_diag *diag,
                              const uint8_t **payload, size_t *got) {
  if (is_in_memory(trace, offset, head)) {
    *payload = trace->memory + offset + sizeof *head;
    *got = wanted < head->raw_bytes ? wanted : head->raw_bytes;
    return PROF_OK;
  }
  prof_status status = prof_unpack_check(unpacker, trace, offset, head, diag);
  if (status != PROF_OK)
    return status;
  if (head->codec > PROF_FORMAT_ZSTD)
    return prof_diag_fill(diag, PROF_UNSUPPORTED, trace->path, offset, "use a newer prof",
                          "a chunk is packed in a way that this version doesn't know (codec %u)", head->codec);
  if (head->codec == PROF_FORMAT_STORED && head->raw_bytes != head->packed_bytes)
    return corrupt(trace, offset, diag, "a stored chunk has two sizes");
  if (wanted > head->raw_bytes)
    wanted = head->raw_bytes;
  uint8_t *raw = prof_vec_grow(unpacker->raw, &unpacker->raw_capacity, wanted + PROF_UNPACK_PADDING, 1);
  if (!raw)
    return prof_diag_memory(diag);
  unpacker->raw = raw;
  if (head->codec == PROF_FORMAT_STORED)
    memcpy(raw, unpacker->packed, wanted);
  else
    status = decompress(unpacker, trace, offset, head, wanted, diag);
  memset(raw + wanted, 0, PROF_UNPACK_PADDING);
  *payload = raw;
  *got = wanted;
  return status;
}

prof_status prof_unpack(struct prof_unpacker *unpacker, const struct prof_trace *trace, uint64_t offset,
                        const struct prof_format_chunk *head, struct prof_diag *diag, const uint8_t **payload) {
  size_t got;
  return prof_unpack_begin(unpacker, trace, offset, head, head->raw_bytes, diag, payload, &got);
}

prof_status prof_unpack_at(struct prof_unpacker *unpacker, const struct prof_trace *trace, uint64_t offset,
                           struct prof_format_chunk *head, struct prof_diag *diag, const uint8_t **payload) {
  if (!prof_trace_chunk_header(trace, offset, head))
    return prof_diag_fill(diag, PROF_CORRUPT, trace->path, offset, NULL, "the file changed while it was read");
  return prof_unpack(unpacker, trace, offset, head, diag, payload);
}

prof_status prof_unpack_wrong(const struct prof_trace *trace, uint64_t offset, prof_status status,
                              struct prof_diag *diag, const char *what) {
  if (status == PROF_NO_MEMORY)
    return prof_diag_memory(diag);
  return prof_diag_fill(diag, status, trace->path, offset, "what else the trace holds is still read",
                        "%s has a wrong structure", what);
}

void prof_unpacker_fini(struct prof_unpacker *unpacker) {
  ZSTD_freeDCtx(unpacker->context);
  free(unpacker->packed);
  free(unpacker->raw);
  memset(unpacker, 0, sizeof *unpacker);
}
