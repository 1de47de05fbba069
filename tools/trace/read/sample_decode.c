/*
 * tools/trace/read/sample_decode.c - unpacks and checks a SAMPLES or SWITCHES chunk.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "trace.h"
#include "trace/bytes.h"

struct storage {
  struct prof_unpacker unpacker;
  uint64_t *times, *addresses;
  uint32_t *processors, *paths;
  size_t time_capacity, address_capacity, processor_capacity, path_capacity;
};

static struct prof_byte_reader column(struct prof_byte_reader *reader, uint32_t bytes) {
  const uint8_t *begin = prof_byte_reader_bytes(reader, bytes);
  return (struct prof_byte_reader){begin, begin ? begin + bytes : NULL, begin == NULL};
}

static bool ends_well(const struct prof_byte_reader *reader) {
  return !reader->bad && reader->at == reader->end;
}

static bool take_times(struct prof_byte_reader *reader, uint64_t *times, uint32_t count, uint64_t first,
                       uint64_t last) {
  uint64_t time = first;
  for (uint32_t i = 0; i < count && !reader->bad; i++) {
    uint64_t step = prof_byte_reader_varint(reader);
    if (step > last - time) /* first <= last was checked */
      return false;
    times[i] = time += step;
  }
  return ends_well(reader) && time == last;
}

static bool make_room(struct storage *storage, uint32_t count) {
  uint64_t *times = prof_vec_grow(storage->times, &storage->time_capacity, count, sizeof *times);
  storage->times = times ? times : storage->times;
  uint64_t *addresses = prof_vec_grow(storage->addresses, &storage->address_capacity, count, sizeof *addresses);
  storage->addresses = addresses ? addresses : storage->addresses;
  uint32_t *processors = prof_vec_grow(storage->processors, &storage->processor_capacity, count, sizeof *processors);
  storage->processors = processors ? processors : storage->processors;
  uint32_t *paths = prof_vec_grow(storage->paths, &storage->path_capacity, count, sizeof *paths);
  storage->paths = paths ? paths : storage->paths;
  return times && addresses && processors && paths;
}

static prof_status take(struct storage *storage, struct prof_byte_reader *reader, const struct prof_format_chunk *head,
                        const struct prof_trace *trace, struct prof_sample_chunk *chunk) {
  struct prof_format_samples fixed;
  const uint8_t *bytes = prof_byte_reader_bytes(reader, sizeof fixed);
  if (bytes == NULL)
    return PROF_CORRUPT;
  memcpy(&fixed, bytes, sizeof fixed);
  bool has_addresses = chunk->kind == PROF_SAMPLE_SAMPLES;
  if (fixed.record_count != head->events || fixed.flag_bytes != fixed.record_count ||
      (!has_addresses && (fixed.address_bytes || fixed.path_bytes)))
    return PROF_CORRUPT;
  chunk->process = prof_index_of(&trace->process_index, fixed.process);
  chunk->tid = fixed.tid;
  chunk->count = fixed.record_count;
  struct prof_byte_reader times = column(reader, fixed.time_bytes), addresses = column(reader, fixed.address_bytes);
  chunk->flags = prof_byte_reader_bytes(reader, fixed.flag_bytes);
  struct prof_byte_reader processors = column(reader, fixed.processor_bytes), paths = column(reader, fixed.path_bytes);
  if (reader->bad || reader->at != reader->end || chunk->process == PROF_NONE)
    return PROF_CORRUPT;
  if (!make_room(storage, chunk->count))
    return PROF_NO_MEMORY;
  if (!take_times(&times, storage->times, chunk->count, head->first_time, head->last_time))
    return PROF_CORRUPT;
  uint64_t address = 0;
  for (uint32_t i = 0; i < chunk->count && has_addresses; i++)
    storage->addresses[i] = address += prof_unzigzag(prof_byte_reader_varint(&addresses));
  for (uint32_t i = 0; i < chunk->count; i++)
    storage->processors[i] = (uint32_t)prof_byte_reader_varint(&processors);
  for (uint32_t i = 0; i < chunk->count && fixed.path_bytes > 0; i++)
    storage->paths[i] = (uint32_t)prof_byte_reader_varint(&paths);
  if (!ends_well(&addresses) || !ends_well(&processors) || !ends_well(&paths))
    return PROF_CORRUPT;
  chunk->times = storage->times;
  chunk->addresses = has_addresses ? storage->addresses : NULL;
  chunk->processors = storage->processors;
  chunk->paths = fixed.path_bytes > 0 ? storage->paths : NULL;
  return PROF_OK;
}

prof_status prof_sample_chunk_load(const struct prof_trace *trace, size_t index, struct prof_diag *diag,
                                   struct prof_sample_chunk *chunk) {
  const struct prof_sample_chunk_ref *ref = &trace->sample_chunks.items[index];
  struct storage *storage = chunk->storage != NULL ? chunk->storage : calloc(1, sizeof *storage);
  struct prof_format_chunk head;
  const uint8_t *payload;
  if (storage == NULL)
    return prof_diag_memory(diag);
  *chunk = (struct prof_sample_chunk){.kind = ref->kind, .storage = storage};
  prof_status status = prof_unpack_at(&storage->unpacker, trace, ref->offset, &head, diag, &payload);
  if (status != PROF_OK)
    return status;
  struct prof_byte_reader reader = {payload, payload + head.raw_bytes, false};
  status = take(storage, &reader, &head, trace, chunk);
  return status == PROF_OK ? PROF_OK : prof_unpack_wrong(trace, ref->offset, status, diag, "a chunk of samples");
}

void prof_sample_chunk_free(struct prof_sample_chunk *chunk) {
  struct storage *storage = chunk->storage;
  if (storage == NULL)
    return;
  prof_unpacker_fini(&storage->unpacker);
  free(storage->times);
  free(storage->addresses);
  free(storage->processors);
  free(storage->paths);
  free(storage);
  *chunk = (struct prof_sample_chunk){0};
}
