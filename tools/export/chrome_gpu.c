/*
 * tools/export/chrome_gpu.c - see chrome_gpu.h.
 *
 * A track per stream with an X event per work; an X event per API call in the calling thread; a flow (s and f) from the
 * call to the work.  Times are those of the recording's clock, stalls included, as in chrome.c.  Source: "Trace Event
 * Format" (Google, public document).
 */
#include "chrome_gpu.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/gpu/gpu_study.h"
#include "base/json.h"
#include "gpu_tracks.h"

#define FIRST_TRACK 1000000000u /* above all thread ids */

struct writer {
  FILE *file;
  struct prof_gpu_study *study;
  const struct prof_gpu_source *sources;
  uint64_t start;
};

static uint32_t pid_of(const struct writer *writer, uint32_t source) {
  return writer->sources[source].pid;
}

static void put_microseconds(const struct writer *writer, const char *key, uint64_t ticks) {
  uint64_t ns = prof_trace_ns(writer->study->trace, ticks);
  fprintf(writer->file, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, ns / 1000, ns % 1000);
}

static void put_begin(const struct writer *writer, const char *phase, uint32_t pid, uint32_t tid, uint64_t time) {
  fprintf(writer->file, ",\n{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, phase, pid, tid);
  put_microseconds(writer, "ts", time > writer->start ? time - writer->start : 0);
}

static void put_name(const struct writer *writer, const char *name) {
  fputs(",\"name\":", writer->file);
  prof_json_quote(writer->file, name, strlen(name));
}

static void put_thread_name(const struct writer *writer, uint32_t source, uint64_t tid, const char *name) {
  fprintf(writer->file, ",\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu64, pid_of(writer, source), tid);
  fputs(",\"name\":\"thread_name\",\"args\":{\"name\":", writer->file);
  prof_json_quote(writer->file, name, strlen(name));
  fputs("}}", writer->file);
}

static void put_track(const struct writer *writer, uint32_t track, const struct prof_gpu_lane *lane) {
  char text[PROF_GPU_TRACK_BYTES];
  prof_gpu_track_name(text, writer->study, lane);
  put_thread_name(writer, lane->source, track, text);
}

/* Names of threads by NVTX; written last, because viewers show the last name. */
static void put_threads(const struct writer *writer) {
  for (size_t i = 0; i < writer->study->named.count; i++) {
    const struct prof_gpu_named *named = &writer->study->named.items[i];
    if (named->kind == PROF_GPU_NAMED_THREAD)
      put_thread_name(writer, named->source, named->thing, named->name);
  }
}

static void put_call(const struct writer *writer, const struct prof_gpu_api_call *call) {
  put_begin(writer, "X", pid_of(writer, call->source), call->tid, call->start);
  put_microseconds(writer, "dur", call->duration);
  fputs(",\"cat\":\"cuda\"", writer->file);
  put_name(writer, prof_trace_gpu_text(writer->study->trace, call->source, call->name));
  putc('}', writer->file);
}

static void put_work(const struct writer *writer, size_t index) {
  const struct prof_gpu_span *span = &writer->study->timeline.spans.items[index];
  const struct prof_gpu_lane *lane = &writer->study->timeline.lanes.items[span->lane];
  const struct prof_gpu_api_call *call = prof_gpu_study_call(writer->study, span->call);
  uint32_t pid = pid_of(writer, lane->source), track = FIRST_TRACK + span->lane;
  put_begin(writer, "X", pid, track, span->start);
  put_microseconds(writer, "dur", span->end - span->start);
  fputs(",\"cat\":\"gpu\"", writer->file);
  put_name(writer, prof_gpu_study_what(writer->study, span, true));
  putc('}', writer->file);
  if (call == NULL)
    return;
  put_begin(writer, "s", pid_of(writer, call->source), call->tid, call->start);
  fprintf(writer->file, ",\"cat\":\"launch\",\"name\":\"launch\",\"id\":%zu}", index + 1);
  put_begin(writer, "f", pid, track, span->start);
  fprintf(writer->file, ",\"cat\":\"launch\",\"name\":\"launch\",\"bp\":\"e\",\"id\":%zu}", index + 1);
}

prof_status prof_chrome_gpu_write(FILE *file, const struct prof_export_source *source, struct prof_diag *diag,
                                  bool *any) {
  size_t count;
  struct prof_gpu_study study;
  struct writer writer = {.file = file, .study = &study, .start = prof_trace_info(source->trace)->start_ticks};
  *any = false;
  prof_trace_gpu_chunks(source->trace, &count);
  if (count == 0)
    return PROF_OK;
  prof_status status =
      prof_gpu_study_open(&study, source->trace, source->filter, source->names, PROF_DEMANGLE_FULL, diag);
  if (status != PROF_OK)
    return status;
  writer.sources = prof_trace_gpu_sources(source->trace, &count);
  for (uint32_t i = 0; i < study.timeline.lanes.count; i++)
    put_track(&writer, FIRST_TRACK + i, &study.timeline.lanes.items[i]);
  put_threads(&writer);
  for (size_t i = 0; i < study.call_count; i++)
    if (!study.calls[i].nested && prof_gpu_track_shows(&study, &study.calls[i], study.calls[i].start)) {
      put_call(&writer, &study.calls[i]);
      *any = true;
    }
  for (size_t i = 0; i < study.timeline.spans.count; i++) {
    const struct prof_gpu_span *span = &study.timeline.spans.items[i];
    if (prof_gpu_track_shows(&study, prof_gpu_study_call(&study, span->call), span->start)) {
      put_work(&writer, i);
      *any = true;
    }
  }
  prof_gpu_study_close(&study);
  return PROF_OK;
}
