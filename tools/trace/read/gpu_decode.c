/*
 * tools/trace/read/gpu_decode.c - unpacks and checks a GPU_RECORDS chunk.
 *
 * The result has a value for every record and column: missing columns share a row of zeros.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "trace.h"
#include "trace/bytes.h"

struct storage {
  struct prof_unpacker unpacker;
  uint64_t *values[PROF_GPU_COLUMN_COUNT]; /* [0]: zeros */
  size_t capacity[PROF_GPU_COLUMN_COUNT];
};

static bool take_column(struct prof_byte_reader *reader, const struct prof_format_gpu_column *head, uint64_t *values,
                        uint32_t count) {
  const uint8_t *begin = prof_byte_reader_bytes(reader, head->bytes);
  uint64_t value = 0;
  if (reader->bad || begin == NULL)
    return false;
  struct prof_byte_reader column = {begin, begin + head->bytes, false};
  if (head->coding == PROF_FORMAT_GPU_SAME)
    value = prof_byte_reader_varint(&column);
  for (uint32_t i = 0; i < count && !column.bad; i++) {
    if (head->coding == PROF_FORMAT_GPU_DIFFERENCE)
      value += prof_unzigzag(prof_byte_reader_varint(&column));
    else if (head->coding == PROF_FORMAT_GPU_PLAIN)
      value = prof_byte_reader_varint(&column);
    values[i] = value;
  }
  return !column.bad && column.at == column.end;
}

static uint64_t *room(struct storage *storage, uint32_t column, uint32_t count) {
  uint64_t *values = prof_vec_grow(storage->values[column], &storage->capacity[column], count, sizeof *values);
  if (values != NULL)
    storage->values[column] = values;
  return values;
}

/* Times above 2^62 would overflow sums. */
static bool times_are_right(const struct prof_gpu_chunk *chunk) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < chunk->count; i++)
    all |= chunk->columns[PROF_GPU_START][i] | chunk->columns[PROF_GPU_DURATION][i];
  return all >> 62 == 0;
}

static prof_status take(struct storage *storage, struct prof_byte_reader *reader, struct prof_gpu_chunk *chunk) {
  struct prof_format_gpu_records records;
  const uint8_t *bytes = prof_byte_reader_bytes(reader, sizeof records);
  if (bytes == NULL)
    return PROF_CORRUPT;
  memcpy(&records, bytes, sizeof records);
  bytes = prof_byte_reader_bytes(reader, (size_t)records.column_count * sizeof(struct prof_format_gpu_column));
  if (bytes == NULL || records.record_count != chunk->count || records.record != chunk->record)
    return PROF_CORRUPT;
  if (room(storage, 0, chunk->count) == NULL)
    return PROF_NO_MEMORY;
  memset(storage->values[0], 0, chunk->count * sizeof *storage->values[0]);
  for (uint32_t column = 0; column < PROF_GPU_COLUMN_COUNT; column++)
    chunk->columns[column] = storage->values[0];
  for (uint32_t i = 0; i < records.column_count; i++) {
    struct prof_format_gpu_column head;
    memcpy(&head, bytes + i * sizeof head, sizeof head);
    if (head.column == 0 || head.column >= PROF_GPU_COLUMN_COUNT || head.coding > PROF_FORMAT_GPU_PLAIN) {
      prof_byte_reader_bytes(reader, head.bytes); /* of a later version */
      continue;
    }
    if (chunk->columns[head.column] != storage->values[0])
      return PROF_CORRUPT;
    uint64_t *values = room(storage, head.column, chunk->count);
    if (values == NULL)
      return PROF_NO_MEMORY;
    if (!take_column(reader, &head, values, chunk->count))
      return PROF_CORRUPT;
    chunk->columns[head.column] = values;
  }
  return reader->bad || reader->at != reader->end || !times_are_right(chunk) ? PROF_CORRUPT : PROF_OK;
}

prof_status prof_gpu_chunk_load(const prof_trace *trace, size_t index, struct prof_diag *diag,
                                struct prof_gpu_chunk *chunk) {
  const struct prof_gpu_chunk_ref *ref = &trace->gpu_chunks.items[index];
  struct storage *storage = chunk->storage != NULL ? chunk->storage : calloc(1, sizeof *storage);
  struct prof_format_chunk head;
  const uint8_t *payload;
  if (storage == NULL)
    return prof_diag_memory(diag);
  *chunk =
      (struct prof_gpu_chunk){.source = ref->source, .record = ref->record, .count = ref->count, .storage = storage};
  prof_status status = prof_unpack_at(&storage->unpacker, trace, ref->offset, &head, diag, &payload);
  if (status != PROF_OK)
    return status;
  struct prof_byte_reader reader = {payload, payload + head.raw_bytes, false};
  status = take(storage, &reader, chunk);
  return status == PROF_OK ? PROF_OK : prof_unpack_wrong(trace, ref->offset, status, diag, "a chunk of GPU records");
}

void prof_gpu_chunk_free(struct prof_gpu_chunk *chunk) {
  struct storage *storage = chunk->storage;
  if (storage == NULL)
    return;
  prof_unpacker_fini(&storage->unpacker);
  for (uint32_t column = 0; column < PROF_GPU_COLUMN_COUNT; column++)
    free(storage->values[column]);
  free(storage);
  *chunk = (struct prof_gpu_chunk){0};
}
