/*
 * tools/trace/write/write_part.c - see write_part.h.
 */
#include "write_part.h"

#include "write_tables.h"

prof_status prof_writer_part(prof_writer *writer, const struct prof_part *part) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_PART};
  prof_payload_u64s(&payload, part->begin_ticks, part->end_ticks);
  prof_payload_u32(&payload, part->thread_count);
  for (uint32_t i = 0; i < part->thread_count; i++) {
    const struct prof_part_thread *row = &part->threads[i];
    prof_payload_u32s(&payload, row->thread, row->hidden ? PROF_FORMAT_PART_HIDDEN : 0);
    prof_payload_u64s(&payload, row->events, row->untimed, row->lost, row->stalled_ticks, row->inversions, row->torn,
                      row->unmatched, row->skipped, row->too_deep, row->cpu_ns, row->moves, row->line_readings);
  }
  return prof_writer_payload(writer, &head, &payload);
}

prof_status prof_writer_copy(prof_writer *writer, const struct prof_format_chunk *head, const uint8_t *packed) {
  struct prof_format_chunk own = *head;
  return prof_writer_append(writer, &own, packed);
}
