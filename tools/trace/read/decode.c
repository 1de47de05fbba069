/*
 * tools/trace/read/decode.c - unpacks and checks an EVENTS chunk.
 *
 * After prof_chunk_load all reads of a cursor are valid: column sizes add up, `lengths` uses up `deltas` exactly, every
 * entry names an existing edge, the side column has exactly what the ops take from it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cursor_inline.h"
#include "trace.h"
#include "trace/bytes.h"

struct storage {
  struct prof_unpacker unpacker;
  struct prof_frame *frames;
  size_t frame_capacity;
  uint32_t table[PROF_FORMAT_TABLE_LIMIT + 1];
};

/* Bytes of all deltas: one each, plus its two-bit code. */
static uint64_t delta_bytes(const uint8_t *lengths, uint32_t count) {
  uint64_t extra = 0;
  uint32_t whole = count / 4;
  for (uint32_t i = 0; i < whole; i++) {
    uint32_t pairs = lengths[i];
    pairs = (pairs & 0x33) + (pairs >> 2 & 0x33);
    extra += (pairs & 15) + (pairs >> 4);
  }
  for (uint32_t i = 0; i < count % 4; i++)
    extra += lengths[whole] >> 2 * i & 3;
  return count + extra;
}

#define HEAD_BYTES 16384u /* enough for most chunks' edges and frames */
#define CONTRADICTS "a chunk's columns contradict each other"
#define CONTRADICTS_REMEDY "what else the trace holds is still read"
#define BLOCK 64u

/* Are all ops of a block at most the highest edge?  Compilers vectorise this. */
static bool is_plain(const uint8_t *ops, uint32_t count, uint8_t highest) {
  uint8_t beyond = 0;
  for (uint32_t i = 0; i < count; i++)
    beyond |= ops[i] > highest;
  return !beyond;
}

/* Takes an edge of one or two bytes, the normal case; false: it is longer or wrong, nothing was taken. */
static bool take_short_edge(struct prof_side *side, const struct prof_chunk *chunk) {
  if (chunk->side_end - side->at < 2)
    return false;
  uint32_t low = side->at[0], high = side->at[1];
  bool two = low >= 0x80;
  uint32_t edge = two ? (low & 0x7f) | high << 7 : low;
  if ((two && high >= 0x80) || edge >= chunk->edge_count)
    return false;
  side->at += 1 + two;
  return true;
}

/* Checks the side column against the ops: all fields present, all edges known, nothing left over, no more time added
 * than the chunk lasts. */
static bool ops_are_right(const struct prof_chunk *chunk, uint64_t lasts) {
  const uint8_t highest =
      chunk->edge_count < PROF_FORMAT_OP_LAST_EDGE ? (uint8_t)chunk->edge_count : PROF_FORMAT_OP_LAST_EDGE;
  struct prof_side side = {chunk->side};
  struct prof_step step;
  for (uint32_t at = 0; at < chunk->event_count; at += BLOCK) {
    uint32_t count = chunk->event_count - at < BLOCK ? chunk->event_count - at : BLOCK;
    const uint8_t *ops = chunk->ops + at;
    if (is_plain(ops, count, highest))
      continue;
    for (uint32_t i = 0; i < count; i++) {
      if (ops[i] <= highest)
        continue;
      if (ops[i] == PROF_FORMAT_OP_FAR_EDGE && take_short_edge(&side, chunk))
        continue;
      uint64_t added;
      if (ops[i] < PROF_FORMAT_OP_FAR_EDGE || !prof_side_take(&side, chunk, ops[i], &step, &added) || added > lasts)
        return false;
      lasts -= added;
    }
  }
  return side.at == chunk->side_end;
}

/* Copies the table, aligned, and counts events without a code.  False: a code is neither in the table nor an escape. */
static bool take_codes(struct storage *storage, const uint8_t *table, uint32_t table_bytes, const uint8_t *codes,
                       uint32_t count, uint32_t *escapes) {
  memcpy(storage->table, table, table_bytes);
  uint32_t escaped = 0, beyond = 0;
  const uint8_t entries = (uint8_t)(table_bytes / 4);
  for (uint32_t i = 0; i < count; i++) {
    escaped += codes[i] == PROF_FORMAT_CODE_ESCAPE;
    beyond += codes[i] >= entries;
  }
  *escapes = escaped;
  return beyond == escaped;
}

static prof_status take_frames(struct storage *storage, const struct prof_format_events *head, const uint8_t *column) {
  struct prof_frame *frames =
      prof_vec_grow(storage->frames, &storage->frame_capacity, (size_t)head->frame_count + 1, sizeof *frames);
  if (!frames)
    return PROF_NO_MEMORY;
  storage->frames = frames;
  struct prof_byte_reader reader = {column, column + head->frame_bytes, false};
  uint64_t entry = 0, stalled = 0;
  for (uint32_t i = 0; i < head->frame_count; i++) {
    uint64_t edge = prof_byte_reader_varint(&reader), step = prof_byte_reader_varint(&reader);
    uint64_t stall = prof_byte_reader_varint(&reader);
    entry = i ? entry + step : head->base_time - step;
    stalled += stall;
    bool forward = i ? step <= head->base_time - (entry - step) : step <= head->base_time;
    bool stall_fits = stalled >= stall && stalled <= head->stalled_before;
    if (reader.bad || edge >= head->edge_count || !forward || !stall_fits)
      return PROF_CORRUPT;
    frames[i] = (struct prof_frame){(uint32_t)edge, entry, stalled};
  }
  return reader.at == reader.end ? PROF_OK : PROF_CORRUPT;
}

/* Later times are rejected: sums of deltas must fit 64 bits. */
#define TIME_LIMIT ((uint64_t)1 << 62)

/* Compares the header with the size of the payload. */
static bool columns_add_up(const struct prof_format_events *head, const struct prof_format_chunk *chunk) {
  uint64_t sum = sizeof *head;
  const uint32_t code_bytes = head->table_bytes ? head->event_count : 0;
  const uint32_t sizes[] = {head->edge_bytes, head->frame_bytes,  head->op_bytes,    head->table_bytes,
                            code_bytes,       head->length_bytes, head->delta_bytes, head->side_bytes};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    sum += sizes[i];
  return sum == chunk->raw_bytes && head->event_count == chunk->events && head->op_bytes == head->event_count &&
         head->table_bytes % 4 == 0 && head->table_bytes <= 4 * PROF_FORMAT_TABLE_LIMIT &&
         head->edge_bytes == (uint64_t)8 * head->edge_count && head->frame_count <= PROF_FORMAT_FRAME_LIMIT &&
         head->frame_bytes >= (uint64_t)3 * head->frame_count && head->base_time == chunk->first_time &&
         chunk->last_time <= TIME_LIMIT;
}

/* trusted: this process has made it (memory.h). */
static prof_status lay_out(struct prof_chunk *out, struct storage *storage, const struct prof_format_chunk *chunk,
                           const uint8_t *payload, bool trusted) {
  struct prof_format_events head;
  if (chunk->raw_bytes < sizeof head)
    return PROF_CORRUPT;
  memcpy(&head, payload, sizeof head);
  if (!columns_add_up(&head, chunk))
    return PROF_CORRUPT;
  const uint8_t *edges = payload + sizeof head, *frames = edges + head.edge_bytes, *ops = frames + head.frame_bytes;
  const uint8_t *codes = ops + head.op_bytes + head.table_bytes;
  const uint8_t *lengths = codes + (head.table_bytes ? head.event_count : 0), *deltas = lengths + head.length_bytes;
  const uint8_t *side = deltas + head.delta_bytes;
  uint32_t escapes = head.event_count;
  if (head.table_bytes &&
      !take_codes(storage, ops + head.op_bytes, head.table_bytes, codes, head.event_count, &escapes))
    return PROF_CORRUPT;
  if (!trusted &&
      (head.length_bytes != ((uint64_t)escapes + 3) / 4 || delta_bytes(lengths, escapes) != head.delta_bytes))
    return PROF_CORRUPT;
  prof_status status = take_frames(storage, &head, frames);
  if (status != PROF_OK)
    return status;
  *out = (struct prof_chunk){.event_count = head.event_count,
                             .edge_count = head.edge_count,
                             .frame_count = head.frame_count,
                             .frames_omitted = head.frames_omitted,
                             .base_time = head.base_time,
                             .stalled_before = head.stalled_before,
                             .edges = (const struct prof_edge *)edges, /* malloc's address + 64: aligned */
                             .frames = storage->frames,
                             .ops = ops,
                             .codes = head.table_bytes ? codes : NULL,
                             .table = storage->table,
                             .lengths = lengths,
                             .deltas = deltas,
                             .side = side,
                             .side_end = side + head.side_bytes,
                             .inversions = head.inversions,
                             .storage = storage};
  return trusted || ops_are_right(out, chunk->last_time - head.base_time) ? PROF_OK : PROF_CORRUPT;
}

/* Its edges and frames, from the beginning of the payload; wanted: bytes that there should be. */
static prof_status lay_out_frames(struct prof_chunk *out, struct storage *storage,
                                  const struct prof_format_chunk *chunk, const uint8_t *payload, size_t got,
                                  size_t *wanted) {
  struct prof_format_events head;
  if (got < sizeof head)
    return PROF_CORRUPT;
  memcpy(&head, payload, sizeof head);
  if (!columns_add_up(&head, chunk))
    return PROF_CORRUPT;
  *wanted = sizeof head + (size_t)head.edge_bytes + head.frame_bytes;
  if (*wanted > got)
    return PROF_OK;
  prof_status status = take_frames(storage, &head, payload + sizeof head + head.edge_bytes);
  if (status == PROF_OK)
    *out = (struct prof_chunk){.edge_count = head.edge_count,
                               .frame_count = head.frame_count,
                               .frames_omitted = head.frames_omitted,
                               .base_time = head.base_time,
                               .stalled_before = head.stalled_before,
                               .edges = (const struct prof_edge *)(payload + sizeof head),
                               .frames = storage->frames,
                               .storage = storage};
  return status;
}

static prof_status load_frames(const prof_trace *trace, uint64_t offset, const struct prof_format_chunk *head,
                               struct prof_diag *diag, struct prof_chunk *out) {
  struct storage *storage = out->storage;
  const uint8_t *payload = NULL;
  size_t got = 0, wanted = HEAD_BYTES;
  prof_status status;
  do { /* seldom twice: a large table of edges, or a deep stack */
    status = prof_unpack_begin(&storage->unpacker, trace, offset, head, wanted, diag, &payload, &got);
    if (status == PROF_OK) {
      status = lay_out_frames(out, storage, head, payload, got, &wanted);
      if (status == PROF_CORRUPT)
        prof_diag_fill(diag, status, trace->path, offset, CONTRADICTS_REMEDY, CONTRADICTS);
      else if (status != PROF_OK)
        prof_diag_memory(diag);
    }
  } while (status == PROF_OK && wanted > got);
  return status;
}

static prof_status load_all(const prof_trace *trace, uint64_t offset, const struct prof_format_chunk *head,
                            struct prof_diag *diag, struct prof_chunk *out) {
  struct storage *storage = out->storage;
  const uint8_t *payload = NULL;
  prof_status status = prof_unpack(&storage->unpacker, trace, offset, head, diag, &payload);
  if (status == PROF_OK) {
    status = lay_out(out, storage, head, payload, trace->memory != NULL);
    if (status == PROF_CORRUPT)
      prof_diag_fill(diag, status, trace->path, offset, CONTRADICTS_REMEDY, CONTRADICTS);
    else if (status != PROF_OK)
      prof_diag_memory(diag);
  }
  return status;
}

static prof_status load(const prof_trace *trace, size_t index, bool events, struct prof_diag *diag,
                        struct prof_chunk *out) {
  struct storage *storage = out->storage ? out->storage : calloc(1, sizeof *storage);
  *out = (struct prof_chunk){.storage = storage};
  if (!storage)
    return prof_diag_memory(diag);
  if (index >= trace->chunks.count)
    return prof_diag_fill(diag, PROF_USAGE, trace->path, PROF_NO_OFFSET, NULL, "there is no chunk %zu", index);
  uint64_t offset = trace->chunks.items[index].offset;
  struct prof_format_chunk head;
  prof_status status = PROF_CORRUPT;
  if (prof_trace_chunk_header(trace, offset, &head) && head.kind == PROF_FORMAT_EVENTS)
    status = events ? load_all(trace, offset, &head, diag, out) : load_frames(trace, offset, &head, diag, out);
  else
    prof_diag_fill(diag, status, trace->path, offset, "the file was changed while it was read", "a chunk is gone");
  if (status != PROF_OK) {
    *out = (struct prof_chunk){.storage = storage};
    if (status != PROF_NO_MEMORY && events)
      prof_trace_note_damage((struct prof_trace *)trace, offset); /* atomic; nothing else changes */
  }
  return status;
}

prof_status prof_chunk_load(const prof_trace *trace, size_t index, struct prof_diag *diag, struct prof_chunk *out) {
  return load(trace, index, true, diag, out);
}

prof_status prof_chunk_load_frames(const prof_trace *trace, size_t index, struct prof_diag *diag,
                                   struct prof_chunk *out) {
  return load(trace, index, false, diag, out);
}

void prof_chunk_free(struct prof_chunk *chunk) {
  struct storage *storage = chunk->storage;
  if (storage) {
    prof_unpacker_fini(&storage->unpacker);
    free(storage->frames);
    free(storage);
  }
  memset(chunk, 0, sizeof *chunk);
}
