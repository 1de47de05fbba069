/*
 * tools/trace/write/write_bursts.c - see write_bursts.h.
 */
#include "write_bursts.h"

#include "trace/bytes.h"
#include "write_tables.h"

prof_status prof_writer_states(prof_writer *writer, const struct prof_state_change *changes, size_t count) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_STATES};
  prof_payload_u32(&payload, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    prof_payload_u64(&payload, changes[i].time);
    prof_payload_u32s(&payload, changes[i].site, changes[i].state);
  }
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_paths(prof_writer *writer, uint32_t first, const struct prof_path *paths, size_t count) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_PATHS};
  uint64_t address = 0;
  prof_payload_u32s(&payload, first, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    prof_payload_varint(&payload, paths[i].parent == 0 ? 0 : first + i - paths[i].parent);
    prof_payload_varint(&payload, prof_zigzag(paths[i].address - address));
    address = paths[i].address;
  }
  return prof_writer_payload(writer, &head, &payload);
}

static void put_thread(struct prof_payload *payload, const struct prof_window_thread *thread,
                       const struct prof_window_row *rows) {
  prof_payload_varint(payload, thread->thread);
  prof_payload_varint(payload, thread->events);
  prof_payload_varint(payload, thread->row_count);
  for (uint32_t i = 0; i < thread->row_count; i++) {
    const struct prof_window_row *row = &rows[thread->first_row + i];
    prof_payload_varint(payload, row->site);
    prof_payload_u32(payload, row->caller);
    prof_payload_varint(payload, row->calls);
    prof_payload_varint(payload, row->iterations);
  }
}

prof_status prof_writer_windows(prof_writer *writer, const struct prof_windows_record *record) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {
      .kind = PROF_FORMAT_WINDOWS, .events = record->count, .first_time = record->windows[0].begin};
  uint64_t begin = head.first_time;
  prof_payload_u32(&payload, record->count);
  for (uint32_t i = 0; i < record->count; i++) {
    const struct prof_window *window = &record->windows[i];
    prof_payload_varint(&payload, window->begin - begin);
    prof_payload_varint(&payload, window->end - window->begin);
    prof_payload_u64(&payload, window->seed);
    prof_payload_u32(&payload, window->part);
    prof_payload_varint(&payload, window->flags);
    prof_payload_varint(&payload, window->thread_count);
    for (uint32_t k = 0; k < window->thread_count; k++)
      put_thread(&payload, &record->threads[window->first_thread + k], record->rows);
    begin = window->begin;
    if (window->end > head.last_time)
      head.last_time = window->end;
  }
  return prof_writer_payload(writer, &head, &payload);
}
