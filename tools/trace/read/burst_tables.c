/*
 * tools/trace/read/burst_tables.c - takes states, paths and offsets of windows' chunks into a trace.
 *
 * As in tables.c: a payload is taken as a whole or not at all.
 */
#include "base/order.h"
#include "trace.h"
#include "trace/bytes.h"

#define STATE_BYTES 16
#define PATH_LEAST_BYTES 2

prof_status prof_trace_take_states(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t count = prof_byte_reader_u32(reader);
  size_t before = trace->states.count;
  if (reader->bad || !prof_byte_reader_fits(reader, count, STATE_BYTES))
    return PROF_CORRUPT;
  if (!prof_vec_reserve(&trace->states, count))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_state_change change = {.time = prof_byte_reader_u64(reader)};
    change.site = prof_byte_reader_u32(reader);
    change.state = prof_byte_reader_u32(reader);
    if (change.state > PROF_RECORD_OFF) {
      trace->states.count = before;
      return PROF_CORRUPT;
    }
    trace->states.items[trace->states.count++] = change;
  }
  return PROF_OK;
}

static int compare_changes(const void *left, const void *right) {
  const struct prof_state_change *a = left, *b = right;
  return prof_order(a->time, b->time) ?: prof_order(a->site, b->site);
}

void prof_trace_index_states(struct prof_trace *trace) {
  prof_vec_sort(&trace->states, compare_changes);
}

/* Paths whose chunk is missing have address 0. */
prof_status prof_trace_take_paths(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t first = prof_byte_reader_u32(reader), count = prof_byte_reader_u32(reader);
  if (reader->bad || first == 0 || first >= PROF_FORMAT_PATHS_LIMIT || count > PROF_FORMAT_PATHS_LIMIT - first ||
      !prof_byte_reader_fits(reader, count, PATH_LEAST_BYTES))
    return PROF_CORRUPT;
  struct prof_byte_reader check = *reader;
  for (uint32_t i = 0; i < count; i++) {
    check.bad |= prof_byte_reader_varint(&check) >= first + i && !check.bad;
    (void)prof_byte_reader_varint(&check);
  }
  if (check.bad)
    return PROF_CORRUPT;
  size_t all = (size_t)first + count;
  if (all > trace->paths.count && !prof_vec_reserve(&trace->paths, all - trace->paths.count))
    return PROF_NO_MEMORY;
  while (trace->paths.count < all)
    trace->paths.items[trace->paths.count++] = (struct prof_path){0};
  uint64_t address = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t back = (uint32_t)prof_byte_reader_varint(reader);
    address += prof_unzigzag(prof_byte_reader_varint(reader));
    trace->paths.items[first + i] = (struct prof_path){address, back == 0 ? 0 : first + i - back};
  }
  return PROF_OK;
}

prof_status prof_trace_take_windows(struct prof_trace *trace, uint64_t offset, const struct prof_format_chunk *head) {
  struct prof_window_chunk_ref ref = {offset, head->first_time, head->last_time, head->events};
  return prof_vec_push(&trace->window_chunks, ref) ? PROF_OK : PROF_NO_MEMORY;
}

PROF_TRACE_GIVE(prof_trace_states, struct prof_state_change, states)
PROF_TRACE_GIVE(prof_trace_paths, struct prof_path, paths)
PROF_TRACE_GIVE(prof_trace_window_chunks, struct prof_window_chunk_ref, window_chunks)

void prof_trace_bursts_fini(struct prof_trace *trace) {
  prof_vec_fini(&trace->states);
  prof_vec_fini(&trace->paths);
  prof_vec_fini(&trace->window_chunks);
}
