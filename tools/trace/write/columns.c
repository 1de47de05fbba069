/*
 * tools/trace/write/columns.c - lays out, packs and appends the columns of an EVENTS chunk.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "delta_columns.h"
#include "encode.h"
#include "encoder_inline.h"
#include "write_tables.h"

#define MIN_MATCH 7 /* zstd's maximum */

struct prof_packer {
  prof_writer *writer;
  ZSTD_CCtx *context;
  struct prof_delta_columns *deltas;
  uint8_t *raw, *packed;
  size_t raw_capacity, packed_capacity;
};

prof_packer *prof_packer_new(prof_writer *writer) {
  prof_packer *packer = calloc(1, sizeof *packer);
  if (!packer)
    return NULL;
  packer->writer = writer;
  packer->context = ZSTD_createCCtx();
  packer->deltas = prof_delta_columns_new();
  /* Short matches cost more than the bytes that they replace: 7 is 1-3% smaller than 6 on lua, zstd and SQLite. */
  if (!packer->context || !packer->deltas ||
      ZSTD_isError(
          ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel,
                                 prof_writer_level(writer) != PROF_WRITER_UNPACKED ? prof_writer_level(writer) : 1)) ||
      ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_minMatch, MIN_MATCH))) {
    prof_packer_free(packer);
    return NULL;
  }
  return packer;
}

void prof_packer_free(prof_packer *packer) {
  if (!packer)
    return;
  ZSTD_freeCCtx(packer->context);
  prof_delta_columns_free(packer->deltas);
  free(packer->raw);
  free(packer->packed);
  free(packer);
}

/* Bytes that packing saves on the frames. */
static uint64_t spared_bytes(const struct prof_encoder *encoder) {
  prof_packer *packer = encoder->packer;
  size_t raw = encoder->frames.count;
  uint8_t *packed = prof_vec_grow(packer->packed, &packer->packed_capacity, ZSTD_compressBound(raw), 1);
  if (!packed)
    return 0;
  packer->packed = packed;
  size_t bytes = ZSTD_compress2(packer->context, packed, packer->packed_capacity, encoder->frames.items, raw);
  if (ZSTD_isError(bytes))
    return 0;
  bytes += bytes / 8; /* with other columns they may pack a little worse */
  return bytes < raw ? raw - bytes : 0;
}

void prof_encoder_pack_frames(struct prof_encoder *encoder) {
  encoder->frames_spared = spared_bytes(encoder);
}

static size_t lay_out(struct prof_encoder *encoder, prof_packer *packer) {
  struct prof_format_events head = {
      .event_count = encoder->count,
      .edge_count = encoder->edge_count,
      .frame_count = encoder->frame_count,
      .frames_omitted = encoder->frames_omitted,
      .base_time = encoder->base_time,
      .stalled_before = encoder->stalled_before,
      .edge_bytes = (uint32_t)encoder->edges.count,
      .frame_bytes = (uint32_t)encoder->frames.count,
      .op_bytes = encoder->count,
      .side_bytes = (uint32_t)encoder->side.count,
      .inversions = encoder->inversions,
  };
  size_t most = sizeof head + head.edge_bytes + head.frame_bytes + head.op_bytes + head.side_bytes +
                prof_delta_columns_bound(encoder->count);
  uint8_t *raw = prof_vec_grow(packer->raw, &packer->raw_capacity, most, 1);
  if (!raw)
    return 0;
  packer->raw = raw;
  raw += sizeof head;
  if (head.edge_bytes)
    memcpy(raw, encoder->edges.items, head.edge_bytes);
  raw += head.edge_bytes;
  if (head.frame_bytes)
    memcpy(raw, encoder->frames.items, head.frame_bytes);
  raw += head.frame_bytes;
  memcpy(raw, encoder->ops, head.op_bytes);
  raw += head.op_bytes;
  raw = prof_writer_level(packer->writer) == PROF_WRITER_UNPACKED
            ? prof_delta_columns_write_quickly(encoder->deltas, encoder->count, raw, &head)
            : prof_delta_columns_write(packer->deltas, encoder->deltas, encoder->count, raw, &head);
  memcpy(raw, encoder->side.items, head.side_bytes);
  raw += head.side_bytes;
  memcpy(packer->raw, &head, sizeof head);
  return (size_t)(raw - packer->raw);
}

static prof_status write_chunk(struct prof_encoder *encoder, prof_packer *packer, size_t raw_bytes, bool last) {
  uint8_t *packed = prof_vec_grow(packer->packed, &packer->packed_capacity, ZSTD_compressBound(raw_bytes), 1);
  if (!packed)
    return prof_writer_memory(packer->writer);
  packer->packed = packed;
  struct prof_format_chunk head = {
      .kind = PROF_FORMAT_EVENTS,
      .codec = PROF_FORMAT_ZSTD,
      .thread = encoder->thread,
      .sequence = encoder->sequence,
      .events = encoder->count,
      .first_time = encoder->base_time,
      .last_time = encoder->last_time,
      .raw_bytes = (uint32_t)raw_bytes,
      .untimed = encoder->untimed,
      .flags = (last ? PROF_FORMAT_CHUNK_LAST : 0) | (encoder->resumes ? PROF_FORMAT_CHUNK_RESUMED : 0),
  };
  size_t result = raw_bytes;
  if (raw_bytes >= PROF_WRITER_PACK_FROM_BYTES && prof_writer_level(packer->writer) != PROF_WRITER_UNPACKED)
    result = ZSTD_compress2(packer->context, packed, packer->packed_capacity, packer->raw, raw_bytes);
  if (ZSTD_isError(result) || result >= raw_bytes) {
    head.codec = PROF_FORMAT_STORED;
    head.packed_bytes = head.raw_bytes;
    return prof_writer_append(packer->writer, &head, packer->raw);
  }
  head.packed_bytes = (uint32_t)result;
  return prof_writer_append(packer->writer, &head, packed);
}

/* Counts entries among the ops.  Sums bytes over short blocks, so that compilers vectorise it. */
static uint64_t count_entries(const uint8_t *ops, uint32_t count) {
  uint64_t entries = 0;
  for (uint32_t at = 0; at < count;) {
    uint32_t end = count - at < UINT8_MAX ? count : at + UINT8_MAX;
    uint8_t stretch = 0;
    for (; at < end; at++)
      stretch += ops[at] != PROF_FORMAT_OP_EXIT && ops[at] != PROF_FORMAT_OP_SPECIAL;
    entries += stretch;
  }
  return entries;
}

prof_status prof_encoder_flush(struct prof_encoder *encoder, bool last) {
  if (!encoder->count)
    return prof_writer_error(encoder->packer->writer, NULL);
  size_t raw_bytes = lay_out(encoder, encoder->packer);
  prof_status status =
      raw_bytes ? write_chunk(encoder, encoder->packer, raw_bytes, last) : prof_writer_memory(encoder->packer->writer);
  encoder->sequence++;
  encoder->resumes = false;
  if (status == PROF_OK) {
    encoder->written.events += encoder->count;
    encoder->written.untimed += encoder->untimed;
    encoder->written.calls += count_entries(encoder->ops, encoder->count) - encoder->loop_entries;
    encoder->written.loop_entries += encoder->loop_entries;
  } else {
    encoder->written.dropped += encoder->count;
  }
  bool busy = encoder->count > PROF_FORMAT_CHUNK_EVENTS / 2;
  encoder->count = encoder->loop_entries = encoder->untimed = 0;
  encoder->frames_spared = 0;
  if (!busy) /* threads that fill no chunks keep no buffer for a full one */
    prof_encoder_free_columns(encoder);
  return status;
}

prof_status prof_encoder_release(struct prof_encoder *encoder) {
  prof_status status = prof_encoder_flush(encoder, false);
  prof_encoder_free_columns(encoder);
  return status;
}
