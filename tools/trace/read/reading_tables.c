/*
 * tools/trace/read/reading_tables.c - takes READINGS into a trace.
 *
 * Chunks of a process may come in any order, and after a new start of a figure: equal ones become one series.
 */
#include <string.h>

#include "base/order.h"
#include "trace.h"
#include "trace/bytes.h"

static uint32_t find(struct prof_trace *trace, const struct prof_reading_series *wanted) {
  for (uint32_t i = 0; i < trace->reading_series.count; i++) {
    const struct prof_reading_series *series = &trace->reading_series.items[i];
    if (series->process == wanted->process && series->what == wanted->what && series->is_sum == wanted->is_sum &&
        series->divisor == wanted->divisor && strcmp(series->name, wanted->name) == 0 &&
        strcmp(series->unit, wanted->unit) == 0)
      return i;
  }
  uint32_t index = (uint32_t)trace->reading_series.count;
  if (!prof_vec_push(&trace->reading_series, *wanted))
    return PROF_NONE;
  if (!prof_vec_push(&trace->reading_values, (struct prof_trace_readings){0})) {
    trace->reading_series.count--;
    return PROF_NONE;
  }
  return index;
}

/* One that may begin; its number goes to *index. */
static prof_status take_head(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t process,
                             uint32_t *index) {
  struct prof_reading_series series = {.process = process, .what = prof_byte_reader_u32(reader)};
  series.is_sum = prof_byte_reader_u32(reader) & PROF_FORMAT_READINGS_SUM;
  series.divisor = prof_byte_reader_u64(reader);
  series.name = prof_trace_take_text(&trace->arena, reader);
  series.unit = prof_trace_take_text(&trace->arena, reader);
  if (series.name == NULL || series.unit == NULL)
    return PROF_NO_MEMORY;
  *index = find(trace, &series);
  return *index == PROF_NONE ? PROF_NO_MEMORY : PROF_OK;
}

static bool take_values(struct prof_trace *trace, struct prof_byte_reader *reader, const uint32_t *indices,
                        uint32_t head_count, uint32_t count) {
  uint64_t values[PROF_FORMAT_READINGS_SERIES + 1] = {0};
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k <= head_count; k++)
      values[k] += prof_unzigzag(prof_byte_reader_varint(reader));
    for (uint32_t k = 0; k < head_count; k++)
      if (!prof_vec_push(&trace->reading_values.items[indices[k]], ((struct prof_reading){values[0], values[k + 1]})))
        return false;
  }
  return true;
}

/* A copy of the reader goes through it, so that nothing of a malformed chunk is taken. */
static bool is_sound(struct prof_byte_reader trial, uint32_t head_count, uint32_t count) {
  for (uint32_t i = 0; i < head_count; i++) {
    prof_byte_reader_bytes(&trial, 2 * sizeof(uint32_t));
    trial.bad |= prof_byte_reader_u64(&trial) == 0; /* the divisor */
    for (int text = 0; text < 2; text++)
      prof_byte_reader_bytes(&trial, prof_byte_reader_u32(&trial));
  }
  for (uint64_t i = 0; i < (uint64_t)count * (head_count + 1) && !trial.bad; i++)
    prof_byte_reader_varint(&trial);
  return !trial.bad;
}

prof_status prof_trace_take_readings(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t process = prof_byte_reader_u32(reader), head_count = prof_byte_reader_u32(reader);
  uint32_t count = prof_byte_reader_u32(reader), indices[PROF_FORMAT_READINGS_SERIES];
  if (reader->bad || head_count > PROF_FORMAT_READINGS_SERIES || !is_sound(*reader, head_count, count))
    return PROF_CORRUPT;
  uint32_t owner = process != 0 ? prof_trace_process(trace, process) : PROF_NONE;
  if (process != 0 && owner == PROF_NONE)
    return PROF_NO_MEMORY;
  for (uint32_t i = 0; i < head_count; i++) {
    prof_status status = take_head(trace, reader, owner, &indices[i]);
    if (status != PROF_OK)
      return status;
  }
  return take_values(trace, reader, indices, head_count, count) ? PROF_OK : PROF_NO_MEMORY;
}

static int by_time(const void *left, const void *right) {
  const struct prof_reading *a = left, *b = right;
  return prof_order(a->time, b->time) ?: prof_order(a->value, b->value);
}

void prof_trace_settle_readings(struct prof_trace *trace) {
  for (size_t i = 0; i < trace->reading_series.count; i++) {
    struct prof_trace_readings *values = &trace->reading_values.items[i];
    prof_vec_sort(values, by_time);
    trace->reading_series.items[i].readings = values->items;
    trace->reading_series.items[i].count = values->count;
  }
}

void prof_trace_free_readings(struct prof_trace *trace) {
  for (size_t i = 0; i < trace->reading_values.count; i++)
    prof_vec_fini(&trace->reading_values.items[i]);
  prof_vec_fini(&trace->reading_values);
  prof_vec_fini(&trace->reading_series);
}

PROF_TRACE_GIVE(prof_trace_reading_series, struct prof_reading_series, reading_series)
