/*
 * tools/trace/read/pack_tables.c - PACK chunks: their offsets, and their content on demand.
 *
 * All memory is one arena.  A payload is taken as a whole or not at all; counts are compared with the payload's size
 * before anything is allocated.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "proftrace_pack.h"
#include "trace.h"
#include "trace/bytes.h"

struct owned { /* what a caller gets, and the memory of it */
  struct prof_packed packed;
  struct prof_arena arena;
  PROF_VEC(struct prof_packed_lines) lines;
  PROF_VEC(struct prof_packed_source) sources;
};

prof_status prof_trace_take_pack(struct prof_trace *trace, uint64_t offset) {
  return prof_vec_push(&trace->packs, offset) ? PROF_OK : PROF_NO_MEMORY;
}

/* A count of items of at least `least` bytes each. */
static uint32_t take_count(struct prof_byte_reader *reader, size_t least) {
  uint32_t count = prof_byte_reader_u32(reader);
  reader->bad |= !prof_byte_reader_fits(reader, count, least);
  return reader->bad ? 0 : count;
}

static uint32_t take_u32(struct prof_byte_reader *reader) {
  uint64_t value = prof_byte_reader_varint(reader);
  reader->bad |= value > UINT32_MAX;
  return (uint32_t)value;
}

struct texts {
  const char **items;
  uint32_t count;
};

/* The text with this number; 0: NULL. */
static const char *take_numbered(struct prof_byte_reader *reader, const struct texts *texts) {
  uint32_t number = take_u32(reader);
  reader->bad |= number > texts->count;
  return reader->bad || number == 0 ? NULL : texts->items[number - 1];
}

static prof_status take_texts(struct prof_byte_reader *reader, struct prof_arena *arena, struct texts *out) {
  out->count = take_count(reader, sizeof(uint32_t));
  out->items = prof_arena_array(arena, out->count, sizeof *out->items);
  for (uint32_t i = 0; i < out->count && out->items && !reader->bad; i++)
    if ((out->items[i] = prof_trace_take_text(arena, reader)) == NULL)
      return reader->bad ? PROF_CORRUPT : PROF_NO_MEMORY;
  return reader->bad ? PROF_CORRUPT : out->items ? PROF_OK : PROF_NO_MEMORY;
}

/* Addresses ascend; each number is the distance from the address before. */
static uint64_t take_step(struct prof_byte_reader *reader, uint64_t before, bool first) {
  uint64_t step = prof_byte_reader_varint(reader), address = before + step;
  reader->bad |= address < before || (!first && step == 0);
  return address;
}

static prof_status take_addresses(struct prof_byte_reader *reader, struct prof_arena *arena, const struct texts *texts,
                                  struct prof_packed_lines *lines) {
  uint32_t count = take_count(reader, 2), frames = take_count(reader, 4), used = 0;
  struct prof_packed_address *addresses = prof_arena_array(arena, count, sizeof *addresses);
  struct prof_packed_frame *all = prof_arena_array(arena, frames, sizeof *all);
  if (!addresses || !all)
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < count && !reader->bad; i++) {
    addresses[i].address = take_step(reader, i ? addresses[i - 1].address : 0, i == 0);
    addresses[i].first_frame = used;
    addresses[i].frame_count = take_u32(reader);
    if (addresses[i].frame_count > frames - used)
      return PROF_CORRUPT;
    for (uint32_t j = 0; j < addresses[i].frame_count && !reader->bad; j++) {
      const char *function = take_numbered(reader, texts), *file = take_numbered(reader, texts);
      uint32_t line = take_u32(reader), column = take_u32(reader);
      all[used++] = (struct prof_packed_frame){function, file, line, column};
    }
  }
  lines->addresses = addresses;
  lines->address_count = count;
  lines->frames = all;
  lines->frame_count = used;
  return reader->bad || used != frames ? PROF_CORRUPT : PROF_OK;
}

static prof_status take_extents(struct prof_byte_reader *reader, struct prof_arena *arena, const struct texts *texts,
                                struct prof_packed_lines *lines) {
  uint32_t count = take_count(reader, 4);
  struct prof_packed_extent *extents = prof_arena_array(arena, count, sizeof *extents);
  if (!extents)
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < count && !reader->bad; i++) {
    extents[i].address = take_step(reader, i ? extents[i - 1].address : 0, i == 0);
    extents[i].file = take_numbered(reader, texts);
    extents[i].first = take_u32(reader);
    extents[i].last = take_u32(reader);
    reader->bad |= !extents[i].file || extents[i].first == 0 || extents[i].last < extents[i].first;
  }
  lines->extents = extents;
  lines->extent_count = count;
  return reader->bad ? PROF_CORRUPT : PROF_OK;
}

static prof_status take_lines(const struct prof_trace *trace, struct prof_byte_reader *reader, struct owned *owned) {
  struct prof_packed_lines lines = {.module = prof_index_of(&trace->module_index, prof_byte_reader_u32(reader))};
  struct texts texts = {0};
  lines.flags = prof_byte_reader_u32(reader);
  lines.splits_missing = prof_byte_reader_u32(reader);
  lines.built = (int64_t)prof_byte_reader_u64(reader);
  lines.reason = prof_trace_take_text(&owned->arena, reader);
  lines.remedy = prof_trace_take_text(&owned->arena, reader);
  if (reader->bad || lines.module == PROF_NONE)
    return PROF_CORRUPT;
  if (!lines.reason || !lines.remedy)
    return PROF_NO_MEMORY;
  prof_status status = take_texts(reader, &owned->arena, &texts);
  if (status == PROF_OK)
    status = take_addresses(reader, &owned->arena, &texts, &lines);
  if (status == PROF_OK)
    status = take_extents(reader, &owned->arena, &texts, &lines);
  if (status != PROF_OK)
    return status;
  return prof_vec_push(&owned->lines, lines) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_source(struct prof_byte_reader *reader, struct owned *owned) {
  struct prof_packed_source source = {.path = prof_trace_take_text(&owned->arena, reader)};
  source.changed = (int64_t)prof_byte_reader_u64(reader);
  source.bytes = prof_byte_reader_u32(reader);
  const uint8_t *text = prof_byte_reader_bytes(reader, source.bytes);
  if (reader->bad)
    return PROF_CORRUPT;
  source.text = prof_arena_copy(&owned->arena, text, source.bytes);
  return source.path && source.text && prof_vec_push(&owned->sources, source) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_pack(const struct prof_trace *trace, uint64_t offset, struct prof_unpacker *unpacker,
                             struct owned *owned) {
  struct prof_format_chunk head;
  const uint8_t *payload;
  if (!prof_trace_chunk_header(trace, offset, &head))
    return PROF_CORRUPT;
  prof_status status = prof_unpack(unpacker, trace, offset, &head, NULL, &payload);
  if (status != PROF_OK)
    return status;
  struct prof_byte_reader reader = {payload, payload + head.raw_bytes, false};
  switch (prof_byte_reader_u32(&reader)) {
  case PROF_FORMAT_PACK_LINES:
    return take_lines(trace, &reader, owned);
  case PROF_FORMAT_PACK_SOURCE:
    return take_source(&reader, owned);
  default:
    return reader.bad ? PROF_CORRUPT : PROF_OK; /* of a later version */
  }
}

uint64_t prof_trace_lacks_bytes(const struct prof_trace *trace) {
  return trace->lacks_bytes;
}

bool prof_trace_is_packed(const struct prof_trace *trace) {
  return trace->packs.count > 0;
}

prof_status prof_trace_packed(const struct prof_trace *trace, struct prof_diag *diag, struct prof_packed **out) {
  struct prof_unpacker unpacker = {0};
  struct owned *owned = calloc(1, sizeof *owned);
  prof_status status = owned ? PROF_OK : PROF_NO_MEMORY;
  *out = NULL;
  for (size_t i = 0; i < trace->packs.count && status == PROF_OK; i++) {
    status = take_pack(trace, trace->packs.items[i], &unpacker, owned);
    if (status != PROF_OK && status != PROF_NO_MEMORY) {
      prof_trace_note_damage((struct prof_trace *)(uintptr_t)trace, trace->packs.items[i]);
      status = PROF_OK;
    }
  }
  prof_unpacker_fini(&unpacker);
  if (status != PROF_OK) {
    prof_packed_free(owned ? &owned->packed : NULL);
    return prof_diag_memory(diag);
  }
  owned->packed =
      (struct prof_packed){owned->lines.items, owned->lines.count, owned->sources.items, owned->sources.count};
  *out = &owned->packed;
  return PROF_OK;
}

void prof_packed_free(struct prof_packed *packed) {
  struct owned *owned = (struct owned *)packed; /* its first member */
  if (!owned)
    return;
  prof_arena_fini(&owned->arena);
  prof_vec_fini(&owned->lines);
  prof_vec_fini(&owned->sources);
  free(owned);
}
