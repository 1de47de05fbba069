/*
 * tools/export/perfetto_counters.c - see perfetto_counters.h.
 */
#include "perfetto_counters.h"

#include <stdlib.h>

#include "base/order.h"

bool prof_perfetto_counters_add(struct prof_perfetto_counters *counters, const struct prof_perfetto_reading *reading) {
  return prof_vec_push(&counters->readings, *reading);
}

static int by_counter(const void *left, const void *right) {
  const struct prof_perfetto_reading *a = left, *b = right;
  return prof_order(a->process, b->process) ?: prof_order(a->point, b->point) ?: prof_order(a->time_ns, b->time_ns);
}

/* Begins the counter's track and sequence. */
static bool begin_track(struct prof_perfetto_file *out, const struct prof_point *point, uint32_t process,
                        struct prof_perfetto_uuids *uuids, struct prof_text_table *texts) {
  const uint32_t name = prof_text_table_plain(texts, point->name), unit = prof_text_table_plain(texts, point->unit);
  if (name == UINT32_MAX || unit == UINT32_MAX)
    return false;
  prof_perfetto_counter_track(out, uuids->others, uuids->processes + process, texts->texts.items[name],
                              texts->texts.items[unit]);
  prof_perfetto_sequence(out, uuids->others++);
  return true;
}

bool prof_perfetto_counters_write(struct prof_perfetto_counters *counters, struct prof_perfetto_file *out,
                                  const prof_trace *trace, struct prof_perfetto_uuids *uuids,
                                  struct prof_text_table *texts) {
  const struct prof_point *points = prof_trace_points(trace, NULL);
  const struct prof_perfetto_reading *readings = counters->readings.items;
  if (counters->readings.count)
    qsort(counters->readings.items, counters->readings.count, sizeof *counters->readings.items, by_counter);
  for (size_t i = 0; i < counters->readings.count; i++) {
    bool other = i == 0 || readings[i].process != readings[i - 1].process || readings[i].point != readings[i - 1].point;
    if (other && !begin_track(out, &points[readings[i].point], readings[i].process, uuids, texts))
      return false;
    prof_perfetto_count(out, readings[i].time_ns, readings[i].value);
  }
  return true;
}

void prof_perfetto_counters_fini(struct prof_perfetto_counters *counters) {
  prof_vec_fini(&counters->readings);
}
