/*
 * tools/export/machine_tracks.c - see machine_tracks.h.
 */
#include "machine_tracks.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "tally/reading_values.h"

struct shown { /* a value of a series from time_ns on */
  uint64_t time_ns;
  double value;
};

/* The series' next one that the filter shows, from *at on; false: there is none. */
static bool next_shown(const struct prof_export_source *source, const struct prof_reading_series *series, size_t *at,
                       struct shown *out) {
  const struct prof_filter *filter = source->filter;
  const uint64_t start = prof_trace_info(source->trace)->start_ticks;
  while (*at < series->count) {
    const size_t i = (*at)++;
    const uint64_t time = series->readings[i].time;
    if (time < start || (filter->active && (time < filter->begin_ticks || time >= filter->end_ticks)) ||
        !prof_reading_value(source->trace, series, i, &out->value))
      continue;
    out->time_ns = prof_trace_ns(source->trace, time - start);
    return true;
  }
  return false;
}

static void put_text(FILE *file, const char *text) {
  prof_json_quote(file, text, strlen(text));
}

void prof_chrome_machine_write(FILE *file, const struct prof_export_source *source) {
  size_t count;
  const struct prof_reading_series *series = prof_trace_reading_series(source->trace, &count);
  const struct prof_process *processes = prof_trace_processes(source->trace, NULL);
  if (count > 0)
    fputs(",\n{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"machine\"}}", file);
  for (size_t i = 0; i < count; i++) {
    struct shown shown;
    const uint32_t pid = series[i].process == PROF_NONE ? 0 : processes[series[i].process].pid;
    for (size_t at = 0; next_shown(source, &series[i], &at, &shown);) {
      fprintf(file,
              ",\n{\"ph\":\"C\",\"pid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03" PRIu64 ",\"cat\":\"machine\",\"name\":",
              pid, shown.time_ns / 1000, shown.time_ns % 1000);
      put_text(file, series[i].name);
      fputs(",\"args\":{", file);
      put_text(file, series[i].unit);
      fprintf(file, ":%.17g}}", shown.value);
    }
  }
}

void prof_perfetto_machine_write(struct prof_perfetto_file *out, const struct prof_export_source *source,
                                 struct prof_perfetto_uuids *uuids) {
  size_t count;
  const struct prof_reading_series *series = prof_trace_reading_series(source->trace, &count);
  for (size_t i = 0; i < count; i++) {
    struct shown shown;
    const uint64_t parent = series[i].process == PROF_NONE ? 0 : uuids->processes + series[i].process;
    size_t at = 0;
    bool begun = false;
    while (next_shown(source, &series[i], &at, &shown)) {
      if (!begun) {
        prof_perfetto_counter_track(out, uuids->others, parent, series[i].name, series[i].unit);
        prof_perfetto_sequence(out, uuids->others++);
      }
      begun = true;
      prof_perfetto_count(out, shown.time_ns, shown.value);
    }
  }
}
