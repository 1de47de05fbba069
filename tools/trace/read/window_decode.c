/*
 * tools/trace/read/window_decode.c - unpacks and checks a WINDOWS chunk.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "trace.h"
#include "trace/bytes.h"

struct storage {
  struct prof_unpacker unpacker;
  PROF_VEC(struct prof_window) windows;
  PROF_VEC(struct prof_window_thread) threads;
  PROF_VEC(struct prof_window_row) rows;
};

static prof_status take_rows(struct storage *storage, struct prof_byte_reader *reader, uint64_t count) {
  for (uint64_t i = 0; i < count && !reader->bad; i++) {
    struct prof_window_row row = {.site = (uint32_t)prof_byte_reader_varint(reader)};
    row.caller = prof_byte_reader_u32(reader);
    row.calls = prof_byte_reader_varint(reader);
    row.iterations = prof_byte_reader_varint(reader);
    if (!prof_vec_push(&storage->rows, row))
      return PROF_NO_MEMORY;
  }
  return reader->bad ? PROF_CORRUPT : PROF_OK;
}

static prof_status take_thread(struct storage *storage, struct prof_byte_reader *reader,
                               const struct prof_trace *trace) {
  uint32_t number = (uint32_t)prof_byte_reader_varint(reader);
  struct prof_window_thread thread = {.thread = prof_index_of(&trace->thread_index, number),
                                      .first_row = (uint32_t)storage->rows.count,
                                      .events = prof_byte_reader_varint(reader)};
  uint64_t rows = prof_byte_reader_varint(reader);
  prof_status status = take_rows(storage, reader, rows); /* each takes bytes of the payload: it can't be many */
  if (status != PROF_OK)
    return status;
  thread.row_count = (uint32_t)rows;
  /* The thread's own chunk may be missing. */
  return thread.thread == PROF_NONE || prof_vec_push(&storage->threads, thread) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take_window(struct storage *storage, struct prof_byte_reader *reader, const struct prof_trace *trace,
                               uint64_t *begin, uint64_t last) {
  uint64_t step = prof_byte_reader_varint(reader);
  if (step > last - *begin)
    return PROF_CORRUPT;
  struct prof_window window = {.begin = *begin += step, .first_thread = (uint32_t)storage->threads.count};
  uint64_t length = prof_byte_reader_varint(reader);
  if (length == 0 || length > last - window.begin)
    return PROF_CORRUPT;
  window.end = window.begin + length;
  window.seed = prof_byte_reader_u64(reader);
  window.part = prof_byte_reader_u32(reader);
  window.flags = (uint32_t)prof_byte_reader_varint(reader);
  prof_status status = PROF_OK;
  uint64_t threads = prof_byte_reader_varint(reader);
  for (uint64_t i = 0; i < threads && status == PROF_OK; i++)
    status = take_thread(storage, reader, trace);
  window.thread_count = (uint32_t)storage->threads.count - window.first_thread;
  if (status != PROF_OK || reader->bad)
    return status != PROF_OK ? status : PROF_CORRUPT;
  return prof_vec_push(&storage->windows, window) ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status take(struct storage *storage, struct prof_byte_reader *reader, const struct prof_format_chunk *head,
                        const struct prof_trace *trace) {
  uint32_t count = prof_byte_reader_u32(reader);
  uint64_t begin = head->first_time;
  prof_status status = count == head->events ? PROF_OK : PROF_CORRUPT;
  storage->windows.count = storage->threads.count = storage->rows.count = 0;
  for (uint32_t i = 0; i < count && status == PROF_OK; i++)
    status = take_window(storage, reader, trace, &begin, head->last_time);
  return status == PROF_OK && (reader->bad || reader->at != reader->end) ? PROF_CORRUPT : status;
}

prof_status prof_window_chunk_load(const struct prof_trace *trace, size_t index, struct prof_diag *diag,
                                   struct prof_window_chunk *chunk) {
  uint64_t offset = trace->window_chunks.items[index].offset;
  struct storage *storage = chunk->storage != NULL ? chunk->storage : calloc(1, sizeof *storage);
  struct prof_format_chunk head;
  const uint8_t *payload;
  if (storage == NULL)
    return prof_diag_memory(diag);
  *chunk = (struct prof_window_chunk){.storage = storage};
  prof_status status = prof_unpack_at(&storage->unpacker, trace, offset, &head, diag, &payload);
  if (status != PROF_OK)
    return status;
  struct prof_byte_reader reader = {payload, payload + head.raw_bytes, false};
  status = take(storage, &reader, &head, trace);
  if (status != PROF_OK)
    return prof_unpack_wrong(trace, offset, status, diag, "a chunk of windows");
  chunk->windows = storage->windows.items;
  chunk->threads = storage->threads.items;
  chunk->rows = storage->rows.items;
  chunk->count = (uint32_t)storage->windows.count;
  return PROF_OK;
}

void prof_window_chunk_free(struct prof_window_chunk *chunk) {
  struct storage *storage = chunk->storage;
  if (storage == NULL)
    return;
  prof_unpacker_fini(&storage->unpacker);
  prof_vec_fini(&storage->windows);
  prof_vec_fini(&storage->threads);
  prof_vec_fini(&storage->rows);
  free(storage);
  *chunk = (struct prof_window_chunk){0};
}
