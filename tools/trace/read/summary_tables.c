/*
 * tools/trace/read/summary_tables.c - takes SUMMARY, MEASURES, TRACKS and PMU_SUMS into a trace: the payloads as they
 * are, and the figures of threads.  See docs/trace-format-summary.md; tools/fold/summary and tools/tally read the rest.
 */
#include "trace.h"
#include "trace/bytes.h"

#define SUMS 9 /* numbers between the times and the threads */
#define THREAD_LEAST_BYTES 3

/* The last one is valid. */
static prof_status keep(struct prof_trace *trace, const struct prof_byte_reader *reader, const uint8_t **kept,
                        size_t *bytes) {
  *bytes = (size_t)(reader->end - reader->at);
  *kept = (const uint8_t *)prof_arena_copy(&trace->arena, (const char *)reader->at, *bytes);
  return *kept ? PROF_OK : PROF_NO_MEMORY;
}

prof_status prof_trace_take_summary(struct prof_trace *trace, struct prof_byte_reader *reader) {
  return keep(trace, reader, &trace->summary, &trace->summary_bytes);
}

prof_status prof_trace_take_measures(struct prof_trace *trace, struct prof_byte_reader *reader) {
  return keep(trace, reader, &trace->measures, &trace->measures_bytes);
}

prof_status prof_trace_take_tracks(struct prof_trace *trace, struct prof_byte_reader *reader) {
  return keep(trace, reader, &trace->tracks, &trace->tracks_bytes);
}

prof_status prof_trace_take_pmu_sums(struct prof_trace *trace, struct prof_byte_reader *reader) {
  return keep(trace, reader, &trace->pmu_sums, &trace->pmu_sums_bytes);
}

static prof_status settle_thread(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint64_t number = prof_byte_reader_varint(reader), events = prof_byte_reader_varint(reader);
  uint64_t untimed = prof_byte_reader_varint(reader);
  if (reader->bad || number == 0 || number > UINT32_MAX)
    return PROF_OK; /* the fold reports it */
  uint32_t index = prof_trace_thread(trace, (uint32_t)number);
  if (index == PROF_NONE)
    return PROF_NO_MEMORY;
  trace->threads.items[index].events = events;
  trace->threads.items[index].untimed = untimed < events ? untimed : events;
  trace->info.events += events;
  trace->info.untimed += trace->threads.items[index].untimed;
  return PROF_OK;
}

prof_status prof_trace_settle_summary(struct prof_trace *trace) {
  struct prof_byte_reader reader = {trace->summary, trace->summary + trace->summary_bytes, false};
  prof_status status = PROF_OK;
  if (!trace->summary)
    return PROF_OK;
  (void)prof_byte_reader_u64(&reader);
  trace->info.last_ticks = prof_byte_reader_u64(&reader);
  for (int i = 0; i < SUMS; i++)
    (void)prof_byte_reader_u64(&reader);
  uint32_t count = prof_byte_reader_u32(&reader);
  if (!prof_byte_reader_fits(&reader, count, THREAD_LEAST_BYTES))
    return PROF_OK;
  for (; count > 0 && status == PROF_OK; count--)
    status = settle_thread(trace, &reader);
  return status;
}

const uint8_t *prof_trace_measures(const prof_trace *trace, size_t *bytes) {
  if (bytes)
    *bytes = trace->measures_bytes;
  return trace->measures;
}

const uint8_t *prof_trace_tracks(const prof_trace *trace, size_t *bytes) {
  if (bytes)
    *bytes = trace->tracks_bytes;
  return trace->tracks;
}

const uint8_t *prof_trace_pmu_sums(const prof_trace *trace, size_t *bytes) {
  if (bytes)
    *bytes = trace->pmu_sums_bytes;
  return trace->pmu_sums;
}

const uint8_t *prof_trace_summary(const prof_trace *trace, size_t *bytes) {
  if (bytes)
    *bytes = trace->summary_bytes;
  return trace->summary;
}
