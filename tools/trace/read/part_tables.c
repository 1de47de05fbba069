/*
 * tools/trace/read/part_tables.c - takes PART into a trace: what a part of a longer recording shows.
 */
#include "trace.h"
#include "trace/bytes.h"

#define ROW_BYTES 104

static struct prof_part_thread take_row(struct prof_byte_reader *reader) {
  struct prof_part_thread row = {.thread = prof_byte_reader_u32(reader)};
  row.hidden = prof_byte_reader_u32(reader) & PROF_FORMAT_PART_HIDDEN;
  uint64_t *const figures[] = {&row.events,     &row.untimed, &row.lost,      &row.stalled_ticks,
                               &row.inversions, &row.torn,    &row.unmatched, &row.skipped,
                               &row.too_deep,   &row.cpu_ns,  &row.moves,     &row.line_readings};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    *figures[i] = prof_byte_reader_u64(reader);
  return row;
}

prof_status prof_trace_take_part(struct prof_trace *trace, struct prof_byte_reader *reader) {
  struct prof_part part = {.begin_ticks = prof_byte_reader_u64(reader)};
  part.end_ticks = prof_byte_reader_u64(reader);
  part.thread_count = prof_byte_reader_u32(reader);
  if (reader->bad || part.begin_ticks >= part.end_ticks || !prof_byte_reader_fits(reader, part.thread_count, ROW_BYTES))
    return PROF_CORRUPT;
  trace->part_threads.count = 0;
  if (!prof_vec_reserve(&trace->part_threads, part.thread_count))
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < part.thread_count; i++)
    trace->part_threads.items[trace->part_threads.count++] = take_row(reader);
  part.threads = trace->part_threads.items;
  trace->part = part;
  trace->has_part = true;
  return PROF_OK;
}

/* No figure falls below 0: another recorder's figures may have begun anew. */
static void subtract(uint64_t *figure, uint64_t before) {
  *figure -= before < *figure ? before : *figure;
}

void prof_trace_settle_part(struct prof_trace *trace) {
  for (size_t i = 0; i < trace->part_threads.count; i++) {
    const struct prof_part_thread *row = &trace->part_threads.items[i];
    uint32_t index = prof_index_of(&trace->thread_index, row->thread);
    if (index == PROF_NONE)
      continue;
    struct prof_thread_info *thread = &trace->threads.items[index];
    thread->hidden = row->hidden;
    thread->events = row->events;
    thread->untimed = row->untimed < row->events ? row->untimed : row->events;
    subtract(&thread->lost, row->lost);
    subtract(&thread->stalled_ticks, row->stalled_ticks);
    subtract(&thread->inversions, row->inversions);
    subtract(&thread->torn, row->torn);
    subtract(&thread->unmatched, row->unmatched);
    subtract(&thread->skipped, row->skipped);
    subtract(&thread->too_deep, row->too_deep);
    subtract(&thread->cpu_ns, row->cpu_ns);
    subtract(&thread->moves, row->moves);
    subtract(&thread->line_readings, row->line_readings);
  }
}

const struct prof_part *prof_trace_part(const prof_trace *trace) {
  return trace->has_part ? &trace->part : NULL;
}
