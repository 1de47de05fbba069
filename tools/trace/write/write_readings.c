/*
 * tools/trace/write/write_readings.c - see write_readings.h.
 */
#include "write_readings.h"

#include "write_tables.h"

prof_status prof_writer_readings(prof_writer *writer, const struct prof_readings_record *record) {
  struct prof_payload payload = {0};
  struct prof_format_chunk head = {.kind = PROF_FORMAT_READINGS};
  uint32_t width = record->head_count + 1;
  prof_payload_u32s(&payload, record->process, record->head_count, record->count);
  for (uint32_t i = 0; i < record->head_count; i++) {
    const struct prof_reading_head *of = &record->heads[i];
    prof_payload_u32s(&payload, of->what, of->is_sum ? PROF_FORMAT_READINGS_SUM : 0);
    prof_payload_u64(&payload, of->divisor);
    prof_payload_string(&payload, of->name.text, of->name.bytes);
    prof_payload_string(&payload, of->unit.text, of->unit.bytes);
  }
  for (uint32_t i = 0; i < record->count * width; i++)
    prof_payload_varint(&payload, prof_zigzag(record->values[i] - (i < width ? 0 : record->values[i - width])));
  return prof_writer_payload(writer, &head, &payload);
}
