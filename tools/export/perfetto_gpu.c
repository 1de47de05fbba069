/*
 * tools/export/perfetto_gpu.c - see perfetto_gpu.h.
 *
 * API calls lie below their thread's track, as a call may be within functions that the filter hides.  Times are those
 * of the recording's clock, stalls included.  An arrow leads from a call to its work.
 */
#include "perfetto_gpu.h"

#include <stdlib.h>

#include "analysis/gpu/gpu_study.h"
#include "base/diag.h"
#include "base/order.h"
#include "gpu_tracks.h"
#include "text_table.h"

struct slice {
  uint64_t begin, end; /* ns */
  uint64_t track, flow;
  uint32_t name; /* in `texts` */
};

struct strange { /* a thread without instrumented calls */
  uint32_t source, tid;
};

struct writer {
  struct prof_perfetto_file *out;
  struct prof_gpu_study *study;
  const struct prof_perfetto_uuids *uuids;
  uint64_t start;                     /* ticks */
  uint64_t first_lane, first_strange; /* track numbers */
  PROF_VEC(struct slice) slices;
  PROF_VEC(struct strange) strange;
  struct prof_text_table texts;
  bool failed;
};

static void add(struct writer *writer, uint64_t track, uint64_t flow, uint64_t begin, uint64_t ticks,
                const char *name) {
  const uint64_t since = begin > writer->start ? begin - writer->start : 0;
  const struct slice slice = {.begin = prof_trace_ns(writer->study->trace, since),
                              .end = prof_trace_ns(writer->study->trace, since + ticks),
                              .track = track,
                              .flow = flow,
                              .name = prof_text_table_plain(&writer->texts, name)};
  writer->failed |= slice.name == UINT32_MAX || !prof_vec_push(&writer->slices, slice);
}

/* The track of a thread's calls of CUDA. */
static uint64_t track_of(struct writer *writer, const struct prof_gpu_api_call *call) {
  const struct strange new = {call->source, call->tid};
  size_t at = 0;
  if (call->thread != PROF_NONE)
    return writer->uuids->others + call->thread;
  while (at < writer->strange.count &&
         (writer->strange.items[at].source != new.source || writer->strange.items[at].tid != new.tid))
    at++;
  writer->failed |= at == writer->strange.count && !prof_vec_push(&writer->strange, new);
  return writer->first_strange + at;
}

static bool is_work(const struct writer *writer, uint64_t track) {
  return track >= writer->first_lane && track < writer->first_strange;
}

/* flows: by call, the number of its first work + 1. */
static void add_calls(struct writer *writer, const uint64_t *flows) {
  struct prof_gpu_study *study = writer->study;
  for (size_t i = 0; i < study->call_count; i++) {
    const struct prof_gpu_api_call *call = &study->calls[i];
    if (!call->nested && prof_gpu_track_shows(study, call, call->start))
      add(writer, track_of(writer, call), flows[i], call->start, call->duration,
          prof_trace_gpu_text(study->trace, call->source, call->name));
  }
}

static void add_works(struct writer *writer, uint64_t *flows) {
  struct prof_gpu_study *study = writer->study;
  for (size_t i = 0; i < study->timeline.spans.count; i++) {
    const struct prof_gpu_span *span = &study->timeline.spans.items[i];
    const struct prof_gpu_api_call *call = prof_gpu_study_call(study, span->call);
    if (!prof_gpu_track_shows(study, call, span->start))
      continue;
    uint64_t flow = 0;
    if (call != NULL && !call->nested) {
      flow = flows[span->call] ? flows[span->call] : i + 1; /* a call's works share an arrow */
      flows[span->call] = flow;
    }
    add(writer, writer->first_lane + span->lane, flow, span->start, span->end - span->start,
        prof_gpu_study_what(study, span, true));
  }
}

static int by_track(const void *a, const void *b) {
  const struct slice *left = a, *right = b;
  return prof_order(left->track, right->track) ?: prof_order(left->begin, right->begin) ?: prof_order(right->end,
                                                                                                      left->end);
}

/* Kernels of a stream may overlap (graphs): a slice ends before the next begins, if it isn't within. */
static void write_slices(struct writer *writer) {
  PROF_VEC(uint64_t) ends = {0};
  for (size_t i = 0; i < writer->slices.count && !writer->failed; i++) {
    const struct slice *slice = &writer->slices.items[i];
    if (i == 0 || slice[-1].track != slice->track)
      prof_perfetto_sequence(writer->out, slice->track);
    for (; ends.count && ends.items[ends.count - 1] <= slice->begin; ends.count--)
      prof_perfetto_end(writer->out, ends.items[ends.count - 1]);
    const uint64_t outer = ends.count ? ends.items[ends.count - 1] : UINT64_MAX;
    prof_perfetto_begin(writer->out, &(struct prof_perfetto_event){.time_ns = slice->begin,
                                                                   .name = writer->texts.texts.items[slice->name],
                                                                   .flow = slice->flow,
                                                                   .ends_flow = is_work(writer, slice->track)});
    writer->failed = !prof_vec_push(&ends, slice->end < outer ? slice->end : outer);
    if (i + 1 == writer->slices.count || slice[1].track != slice->track)
      for (; ends.count; ends.count--)
        prof_perfetto_end(writer->out, ends.items[ends.count - 1]);
  }
  prof_vec_fini(&ends);
}

static uint64_t process_track(const struct writer *writer, uint32_t source) {
  size_t count;
  const uint32_t process = prof_trace_gpu_sources(writer->study->trace, &count)[source].process;
  return process == PROF_NONE ? 0 : writer->uuids->processes + process;
}

static void write_lane(struct writer *writer, uint64_t uuid, const struct prof_gpu_lane *lane) {
  char text[PROF_GPU_TRACK_BYTES];
  prof_gpu_track_name(text, writer->study, lane);
  uint32_t name = prof_text_table_plain(&writer->texts, text);
  writer->failed |= name == UINT32_MAX;
  if (!writer->failed)
    prof_perfetto_track(writer->out, uuid, process_track(writer, lane->source), writer->texts.texts.items[name]);
}

static void write_tracks(struct writer *writer) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < writer->study->timeline.lanes.count && !writer->failed; i++)
    write_lane(writer, writer->first_lane + i, &writer->study->timeline.lanes.items[i]);
  for (size_t i = 0; i < writer->strange.count; i++) {
    char name[40];
    snprintf(name, sizeof name, "CUDA, thread %u", writer->strange.items[i].tid);
    prof_perfetto_track(writer->out, writer->first_strange + i, process_track(writer, writer->strange.items[i].source),
                        name);
  }
  for (size_t i = 0; i < writer->slices.count; i++) {
    const uint64_t track = writer->slices.items[i].track;
    if (track != last && track < writer->first_lane)
      prof_perfetto_track(writer->out, track, writer->uuids->threads + (track - writer->uuids->others), "CUDA");
    last = track;
  }
}

prof_status prof_perfetto_gpu_write(struct prof_perfetto_file *out, const struct prof_export_source *source,
                                    const struct prof_perfetto_uuids *uuids, struct prof_diag *diag, bool *any) {
  size_t count;
  struct prof_gpu_study study;
  struct writer writer = {
      .out = out, .study = &study, .uuids = uuids, .start = prof_trace_info(source->trace)->start_ticks};
  *any = false;
  prof_trace_gpu_chunks(source->trace, &count);
  if (count == 0)
    return PROF_OK;
  prof_status status =
      prof_gpu_study_open(&study, source->trace, source->filter, source->names, PROF_DEMANGLE_FULL, diag);
  if (status != PROF_OK)
    return status;
  uint64_t *flows = calloc(study.call_count + 1, sizeof *flows);
  prof_trace_threads(source->trace, &count);
  writer.first_lane = uuids->others + count;
  writer.first_strange = writer.first_lane + study.timeline.lanes.count;
  writer.failed = !flows;
  if (!writer.failed) {
    add_works(&writer, flows);
    add_calls(&writer, flows);
    prof_vec_sort(&writer.slices, by_track);
    write_tracks(&writer);
    write_slices(&writer);
  }
  *any = writer.slices.count > 0;
  free(flows);
  prof_vec_fini(&writer.slices);
  prof_vec_fini(&writer.strange);
  prof_text_table_fini(&writer.texts);
  prof_gpu_study_close(&study);
  return writer.failed ? prof_diag_memory(diag) : PROF_OK;
}
