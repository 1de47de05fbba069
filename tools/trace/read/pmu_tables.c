/*
 * tools/trace/read/pmu_tables.c - takes hardware counters and offsets of their samples into a trace; unpacks such a
 * chunk.
 *
 * A payload is taken as a whole or not at all.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "trace.h"
#include "trace/bytes.h"

#define PMU_BYTES 40    /* of one counter, at least */
#define RECORD_BYTES 4u /* of one sample, at least */

prof_status prof_trace_take_pmus(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_pmu pmus[PROF_FORMAT_PMU_COUNTERS];
  uint32_t count = prof_byte_reader_u32(reader);
  if (reader->bad || count > PROF_FORMAT_PMU_COUNTERS || !prof_byte_reader_fits(reader, count, PMU_BYTES))
    return PROF_CORRUPT;
  for (uint32_t i = 0; i < count; i++) {
    pmus[i] = (struct prof_pmu){.number = prof_byte_reader_u32(reader)};
    pmus[i].flags = prof_byte_reader_u32(reader);
    pmus[i].value = prof_byte_reader_u64(reader);
    pmus[i].enabled_ns = prof_byte_reader_u64(reader);
    pmus[i].running_ns = prof_byte_reader_u64(reader);
    pmus[i].name = prof_trace_take_text(&trace->arena, reader);
    pmus[i].reason = prof_trace_take_text(&trace->arena, reader);
    if (reader->bad || pmus[i].number == 0)
      return PROF_CORRUPT;
    if (pmus[i].name == NULL || pmus[i].reason == NULL)
      return PROF_NO_MEMORY;
  }
  if (!prof_vec_reserve(&trace->pmus, count))
    return PROF_NO_MEMORY;
  trace->pmus.count = 0; /* the last chunk is valid */
  for (uint32_t i = 0; i < count; i++)
    if (!prof_vec_push(&trace->pmus, pmus[i]))
      return PROF_NO_MEMORY;
  return PROF_OK;
}

prof_status prof_trace_take_pmu_samples(struct prof_trace *trace, uint64_t offset,
                                        const struct prof_format_chunk *head) {
  struct prof_pmu_chunk_ref ref = {.offset = offset,
                                   .first_time = head->first_time,
                                   .last_time = head->last_time,
                                   .thread = PROF_NONE,
                                   .count = head->events};
  if (head->thread && (ref.thread = prof_trace_thread(trace, head->thread)) == PROF_NONE)
    return PROF_NO_MEMORY;
  return prof_vec_push(&trace->pmu_chunks, ref) ? PROF_OK : PROF_NO_MEMORY;
}

void prof_trace_free_pmus(struct prof_trace *trace) {
  prof_vec_fini(&trace->pmus);
  prof_vec_fini(&trace->pmu_chunks);
}

PROF_TRACE_GIVE(prof_trace_pmus, struct prof_pmu, pmus)
PROF_TRACE_GIVE(prof_trace_pmu_chunks, struct prof_pmu_chunk_ref, pmu_chunks)

/* ---- one chunk ---- */

struct storage {
  struct prof_unpacker unpacker;
  PROF_VEC(struct prof_pmu_record) records;
};

static prof_status take(struct storage *storage, struct prof_byte_reader *reader, const struct prof_format_chunk *head,
                        const struct prof_trace *trace, struct prof_pmu_chunk *chunk) {
  uint32_t process = prof_byte_reader_u32(reader);
  chunk->tid = prof_byte_reader_u32(reader);
  chunk->pmu = prof_byte_reader_u32(reader);
  uint32_t count = prof_byte_reader_u32(reader);
  chunk->process = prof_index_of(&trace->process_index, process);
  if (reader->bad || count != head->events || chunk->process == PROF_NONE || chunk->pmu == 0 ||
      !prof_byte_reader_fits(reader, count, RECORD_BYTES))
    return PROF_CORRUPT;
  storage->records.count = 0;
  if (!prof_vec_reserve(&storage->records, count))
    return PROF_NO_MEMORY;
  uint64_t time = head->first_time, address = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t step = prof_byte_reader_varint(reader);
    if (step > head->last_time - time) /* first <= last was checked */
      return PROF_CORRUPT;
    time += step;
    address += prof_unzigzag(prof_byte_reader_varint(reader));
    struct prof_pmu_record record = {.time = time, .address = address};
    record.flags = (uint32_t)prof_byte_reader_varint(reader);
    record.weight = prof_byte_reader_varint(reader);
    storage->records.items[storage->records.count++] = record;
  }
  if (reader->bad || reader->at != reader->end || time != head->last_time)
    return PROF_CORRUPT;
  chunk->count = count;
  chunk->records = storage->records.items;
  return PROF_OK;
}

prof_status prof_pmu_chunk_load(const struct prof_trace *trace, size_t index, struct prof_diag *diag,
                                struct prof_pmu_chunk *chunk) {
  uint64_t offset = trace->pmu_chunks.items[index].offset;
  struct storage *storage = chunk->storage != NULL ? chunk->storage : calloc(1, sizeof *storage);
  struct prof_format_chunk head;
  const uint8_t *payload;
  if (storage == NULL)
    return prof_diag_memory(diag);
  *chunk = (struct prof_pmu_chunk){.storage = storage};
  prof_status status = prof_unpack_at(&storage->unpacker, trace, offset, &head, diag, &payload);
  if (status != PROF_OK)
    return status;
  struct prof_byte_reader reader = {payload, payload + head.raw_bytes, false};
  status = take(storage, &reader, &head, trace, chunk);
  return status == PROF_OK ? PROF_OK : prof_unpack_wrong(trace, offset, status, diag, "a chunk of counters' samples");
}

void prof_pmu_chunk_free(struct prof_pmu_chunk *chunk) {
  struct storage *storage = chunk->storage;
  if (storage == NULL)
    return;
  prof_unpacker_fini(&storage->unpacker);
  prof_vec_fini(&storage->records);
  free(storage);
  *chunk = (struct prof_pmu_chunk){0};
}
