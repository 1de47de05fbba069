/*
 * tools/command/info/part_info.c - see part_info.h.
 */
#include "part_info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/units.h"

static uint64_t since_start_ns(const prof_trace *trace, uint64_t ticks) {
  uint64_t start = prof_trace_info(trace)->start_ticks;
  return ticks > start ? prof_trace_ns(trace, ticks - start) : 0;
}

static uint32_t count_shown(const prof_trace *trace, size_t *all) {
  const struct prof_thread_info *threads = prof_trace_threads(trace, all);
  uint32_t shown = 0;
  for (size_t i = 0; i < *all; i++)
    shown += !threads[i].hidden;
  return shown;
}

void prof_part_info_print(const prof_trace *trace, const struct prof_output *output) {
  const struct prof_part *part = prof_trace_part(trace);
  char begin[PROF_UNITS_BYTES], end[PROF_UNITS_BYTES];
  size_t threads;
  if (part == NULL)
    return;
  uint32_t shown = count_shown(trace, &threads);
  prof_units_duration(begin, since_start_ns(trace, part->begin_ticks));
  prof_units_duration(end, since_start_ns(trace, part->end_ticks));
  prof_output_fact(output, "part of a recording", "from %s to %s, %u of %zu thread%s", begin,
                   part->end_ticks == UINT64_MAX ? "its end" : end, shown, threads, threads == 1 ? "" : "s");
}

void prof_part_info_json(const prof_trace *trace, struct prof_json *json) {
  const struct prof_part *part = prof_trace_part(trace);
  size_t threads;
  if (part == NULL)
    return;
  prof_json_object(json, "part");
  prof_json_count(json, "begin_ns", since_start_ns(trace, part->begin_ticks));
  if (part->end_ticks == UINT64_MAX)
    prof_json_number(json, "end_ns", NAN);
  else
    prof_json_count(json, "end_ns", since_start_ns(trace, part->end_ticks));
  prof_json_count(json, "threads", count_shown(trace, &threads));
  prof_json_object_end(json);
}

uint64_t prof_info_span_ticks(const prof_trace *trace) {
  size_t count, bytes;
  const struct prof_chunk_ref *chunks = prof_trace_chunks(trace, &count);
  const uint8_t *summary = prof_trace_summary(trace, &bytes);
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < count; i++) {
    first = chunks[i].first_time < first ? chunks[i].first_time : first;
    last = chunks[i].last_time > last ? chunks[i].last_time : last;
  }
  if (summary != NULL && bytes >= 2 * sizeof(uint64_t)) { /* which begins with both */
    memcpy(&first, summary, sizeof first);
    memcpy(&last, summary + sizeof first, sizeof last);
  }
  return last > first ? last - first : 0;
}
