/*
 * tools/trace/write/columns.c - the columns of an EVENTS chunk: room, edges, open frames, packing.  See
 * encoder_state.h.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "delta_columns.h"
#include "encoder_state.h"
#include "write_file.h"

#define MIN_MATCH 7 /* zstd takes no higher */

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
  /* Short matches cost more than the bytes that they stand for: 7 is 1-3% smaller than 6 on lua, zstd and SQLite. */
  if (!packer->context || !packer->deltas ||
      ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, prof_writer_level(writer))) ||
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

static bool grow_columns(struct prof_encoder *encoder, uint32_t need) {
  uint32_t capacity = encoder->capacity ? encoder->capacity : 1024;
  while (capacity < need)
    capacity *= 2;
  uint8_t *ops = realloc(encoder->ops, capacity);
  if (ops)
    encoder->ops = ops;
  uint32_t *deltas = realloc(encoder->deltas, capacity * sizeof *deltas);
  if (deltas)
    encoder->deltas = deltas;
  if (!ops || !deltas)
    return false;
  encoder->capacity = capacity;
  return true;
}

bool prof_encoder_reserve(struct prof_encoder *encoder, uint32_t more) {
  if (encoder->count + more > encoder->capacity && !grow_columns(encoder, encoder->count + more))
    return false;
  return prof_vec_reserve(&encoder->side, (size_t)more * PROF_ENCODER_SIDE_BYTES);
}

static void free_columns(struct prof_encoder *encoder) {
  free(encoder->ops);
  free(encoder->deltas);
  encoder->ops = NULL;
  encoder->deltas = NULL;
  encoder->capacity = 0;
  prof_vec_fini(&encoder->side);
}

void prof_encoder_free(prof_encoder *encoder) {
  if (!encoder)
    return;
  free_columns(encoder);
  prof_vec_fini(&encoder->frames);
  prof_vec_fini(&encoder->edges);
  free(encoder->table);
  free(encoder->stack);
  free(encoder->suspended);
  free(encoder);
}

#define TABLE_FIRST_SHIFT 57 /* 128 slots */

static struct prof_edge_slot *find(struct prof_edge_slot *table, uint32_t shift, uint64_t key) {
  uint32_t mask = (1u << (64 - shift)) - 1, at = prof_edge_hash(key, shift);
  while (table[at].key && table[at].key != key)
    at = (at + 1) & mask;
  return &table[at];
}

static bool grow_table(struct prof_encoder *encoder) {
  uint32_t shift = encoder->table ? encoder->table_shift - 1 : TABLE_FIRST_SHIFT;
  struct prof_edge_slot *table = calloc(((size_t)1 << (64 - shift)) + 1, sizeof *table); /* one that stays free */
  if (!table)
    return false;
  for (size_t i = 0; encoder->table && i < (size_t)1 << (64 - encoder->table_shift); i++)
    if (encoder->table[i].key)
      *find(table, shift, encoder->table[i].key) = encoder->table[i];
  free(encoder->table);
  encoder->table = table;
  encoder->table_shift = shift;
  return true;
}

struct prof_edge_slot *prof_encoder_edge(struct prof_encoder *encoder, uint64_t key, uint32_t function) {
  size_t slots = encoder->table ? (size_t)1 << (64 - encoder->table_shift) : 0;
  if (2 * (size_t)(encoder->edge_count + 1) > slots && !grow_table(encoder))
    return NULL;
  struct prof_edge_slot *slot = find(encoder->table, encoder->table_shift, key);
  if (slot->key)
    return slot;
  if (!prof_vec_reserve(&encoder->edges, 8))
    return NULL;
  prof_payload_u32(&encoder->edges, prof_event_site((uint32_t)key));
  prof_payload_u32(&encoder->edges, (uint32_t)(key >> 32));
  *slot = (struct prof_edge_slot){key, encoder->edge_count++, function};
  return slot;
}

static void forget_edges(struct prof_encoder *encoder) {
  if (encoder->table)
    memset(encoder->table, 0, ((size_t)1 << (64 - encoder->table_shift)) * sizeof *encoder->table);
  encoder->edge_count = 0;
  encoder->edges.count = 0;
}

bool prof_encoder_begin(struct prof_encoder *encoder, uint64_t time) {
  uint64_t base = time > encoder->last_time ? time : encoder->last_time;
  forget_edges(encoder);
  encoder->frames.count = 0;
  encoder->frames.failed = false;
  if (!encoder->table && !grow_table(encoder))
    return false;
  uint64_t outer_entry = 0, outer_stalled = 0;
  for (uint32_t i = 1; i <= encoder->depth; i++) {
    const struct prof_open_frame *frame = &encoder->stack[i];
    const struct prof_edge_slot *edge = prof_encoder_edge(encoder, frame->key, frame->function);
    if (!edge)
      return false;
    prof_payload_varint(&encoder->frames, edge->index);
    prof_payload_varint(&encoder->frames, i == 1 ? base - frame->entry : frame->entry - outer_entry);
    prof_payload_varint(&encoder->frames, frame->stalled - outer_stalled);
    outer_entry = frame->entry;
    outer_stalled = frame->stalled;
  }
  if (encoder->frames.failed)
    return false;
  if (encoder->frame_count != encoder->depth)
    encoder->frames_spared = 0;
  encoder->frame_count = encoder->depth;
  encoder->frames_omitted = encoder->omitted;
  encoder->base_time = encoder->last_time = base;
  encoder->stalled_before = encoder->figures.stalled_ticks + (encoder->stall_begin ? base - encoder->stall_begin : 0);
  encoder->inversions_before = encoder->figures.inversions;
  encoder->side.count = 0;
  return true;
}

/* What packing takes off the frames. */
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
  bytes += bytes / 8; /* beside other columns they may pack a little worse */
  return bytes < raw ? raw - bytes : 0;
}

uint64_t prof_encoder_begin_packed_bytes(struct prof_encoder *encoder) {
  if (!encoder->count && encoder->depth && prof_encoder_begin(encoder, encoder->last_time))
    encoder->frames_spared = spared_bytes(encoder);
  return prof_encoder_begin_bytes(encoder);
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
      .inversions = (uint32_t)(encoder->figures.inversions - encoder->inversions_before),
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
  raw = prof_delta_columns_write(packer->deltas, encoder->deltas, encoder->count, raw, &head);
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
  if (raw_bytes >= PROF_WRITER_PACK_FROM_BYTES)
    result = ZSTD_compress2(packer->context, packed, packer->packed_capacity, packer->raw, raw_bytes);
  if (ZSTD_isError(result) || result >= raw_bytes) {
    head.codec = PROF_FORMAT_STORED;
    head.packed_bytes = head.raw_bytes;
    return prof_writer_append(packer->writer, &head, packer->raw);
  }
  head.packed_bytes = (uint32_t)result;
  return prof_writer_append(packer->writer, &head, packed);
}

/* Entries among the ops.  Byte sums of short stretches, so that the compiler can take many at a time. */
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
    encoder->figures.events += encoder->count;
    encoder->figures.untimed += encoder->untimed;
    encoder->figures.calls += count_entries(encoder->ops, encoder->count) - encoder->loop_entries;
    encoder->figures.loop_entries += encoder->loop_entries;
  } else {
    encoder->figures.dropped += encoder->count;
  }
  bool busy = encoder->count > PROF_FORMAT_CHUNK_EVENTS / 2;
  encoder->count = encoder->loop_entries = encoder->untimed = 0;
  encoder->frames_spared = 0;
  if (!busy) /* a thread that fills no chunks shall not hold room for a whole one */
    free_columns(encoder);
  return status;
}

prof_status prof_encoder_release(struct prof_encoder *encoder) {
  prof_status status = prof_encoder_flush(encoder, false);
  free_columns(encoder);
  return status;
}

uint64_t prof_encoder_memory_bytes(const struct prof_encoder *encoder) {
  size_t slots = encoder->table ? ((size_t)1 << (64 - encoder->table_shift)) + 1 : 0;
  return sizeof *encoder + encoder->capacity * (sizeof *encoder->ops + sizeof *encoder->deltas) +
         encoder->side.capacity + encoder->frames.capacity + encoder->edges.capacity + slots * sizeof *encoder->table +
         (encoder->stack_limit + 2) * sizeof *encoder->stack;
}
