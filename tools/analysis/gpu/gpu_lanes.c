/*
 * tools/analysis/gpu/gpu_lanes.c - see gpu_lanes.h.
 */
#include "analysis/gpu/gpu_lanes.h"
#include "base/order.h"

#include <stdlib.h>

#include "analysis/gpu/gpu_stretches.h"

struct sums { /* of one stream */
  uint64_t first, last, busy, busy_until;
  uint64_t kernels, copies;
};

static uint32_t pid_of(const struct prof_gpu_study *study, uint32_t source) {
  return prof_trace_gpu_sources(study->trace, NULL)[source].pid;
}

/* A stream's spans come in the order of their begins. */
static void add_to_stream(struct sums *sums, const struct prof_gpu_span *span, uint64_t begin, uint64_t end) {
  if (sums->kernels + sums->copies == 0)
    sums->first = sums->busy_until = begin;
  if (span->class == PROF_GPU_TRANSFER)
    sums->copies++;
  else
    sums->kernels++;
  if (end > sums->busy_until)
    sums->busy += end - (begin > sums->busy_until ? begin : sums->busy_until);
  sums->busy_until = end > sums->busy_until ? end : sums->busy_until;
  sums->last = sums->busy_until;
}

static double share_of(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

/* False: no memory. */
static bool device_row(const struct prof_gpu_study *study, uint32_t index, struct sums *streams,
                       struct prof_gpu_device_row *row) {
  const struct prof_gpu_timeline *timeline = &study->timeline;
  const struct prof_gpu_device_info *device = &timeline->devices.items[index];
  struct prof_stretches all = {0}, classes[PROF_GPU_CLASSES] = {0};
  bool good = true;
  *row = (struct prof_gpu_device_row){
      .name = device->name,
      .called = prof_gpu_study_name(study, PROF_GPU_NAMED_DEVICE, device->source, device->device),
      .device = device->device,
      .pid = pid_of(study, device->source)};
  for (size_t i = device->first; i < device->first + device->count && good; i++) {
    const struct prof_gpu_span *span = &timeline->spans.items[i];
    uint64_t begin = span->start, end = span->end > span->start ? span->end : span->start + 1;
    if (!prof_gpu_study_clip(study, &begin, &end))
      continue;
    end = span->end > span->start ? end : begin; /* has no length, but counts */
    add_to_stream(&streams[span->lane], span, begin, end);
    row->works++;
    good = prof_stretches_add(&all, begin, end) && prof_stretches_add(&classes[span->class], begin, end);
  }
  if (all.items.count > 0) {
    uint64_t busy = prof_stretches_total(&all);
    uint64_t span = all.items.items[all.items.count - 1].end - all.items.items[0].begin;
    row->span_ns = prof_trace_ns(study->trace, span);
    row->busy_ns = prof_trace_ns(study->trace, busy);
    row->idle_ns = row->span_ns - row->busy_ns;
    row->busy_share = share_of(busy, span);
  }
  row->compute_ns = prof_trace_ns(study->trace, prof_stretches_total(&classes[PROF_GPU_COMPUTE]));
  row->copy_ns = prof_trace_ns(study->trace, prof_stretches_total(&classes[PROF_GPU_TRANSFER]));
  row->exchange_ns = prof_trace_ns(study->trace, prof_stretches_total(&classes[PROF_GPU_EXCHANGE]));
  row->copy_overlap_ns =
      prof_trace_ns(study->trace, prof_stretches_overlap(&classes[PROF_GPU_COMPUTE], &classes[PROF_GPU_TRANSFER]));
  row->exchange_overlap_ns =
      prof_trace_ns(study->trace, prof_stretches_overlap(&classes[PROF_GPU_COMPUTE], &classes[PROF_GPU_EXCHANGE]));
  for (size_t i = 0; i < PROF_GPU_CLASSES; i++)
    prof_stretches_fini(&classes[i]);
  prof_stretches_fini(&all);
  return good;
}

static int compare_streams(const void *left, const void *right) {
  const struct prof_gpu_stream_row *a = left, *b = right;
  int order = prof_order(a->pid, b->pid) ?: prof_order(a->device, b->device) ?: prof_order(b->busy_ns, a->busy_ns);
  return order ?: prof_order(a->context, b->context) ?: prof_order(a->stream, b->stream);
}

static void stream_rows(const struct prof_gpu_study *study, const struct sums *streams,
                        struct prof_gpu_lane_rows *out) {
  for (size_t i = 0; i < study->timeline.lanes.count; i++) {
    const struct prof_gpu_lane *lane = &study->timeline.lanes.items[i];
    const struct sums *sums = &streams[i];
    if (sums->kernels + sums->copies == 0)
      continue;
    struct prof_gpu_stream_row *row = &out->streams[out->stream_count++];
    *row = (struct prof_gpu_stream_row){
        .device = study->timeline.devices.items[lane->device].device,
        .pid = pid_of(study, lane->source),
        .context = lane->context,
        .stream = lane->stream,
        .name = prof_gpu_study_name(study, PROF_GPU_NAMED_STREAM, lane->source, lane->stream),
        .kernels = sums->kernels,
        .copies = sums->copies};
    row->span_ns = prof_trace_ns(study->trace, sums->last - sums->first);
    row->busy_ns = prof_trace_ns(study->trace, sums->busy);
    row->idle_ns = row->span_ns - row->busy_ns;
    row->busy_share = share_of(sums->busy, sums->last - sums->first);
  }
  qsort(out->streams, out->stream_count, sizeof *out->streams, compare_streams);
}

prof_status prof_gpu_lanes(const struct prof_gpu_study *study, struct prof_gpu_lane_rows *out) {
  const struct prof_gpu_timeline *timeline = &study->timeline;
  struct sums *streams = calloc(timeline->lanes.count + 1, sizeof *streams);
  *out = (struct prof_gpu_lane_rows){.devices = calloc(timeline->devices.count + 1, sizeof *out->devices),
                                     .streams = calloc(timeline->lanes.count + 1, sizeof *out->streams)};
  bool good = streams != NULL && out->devices != NULL && out->streams != NULL;
  for (uint32_t i = 0; good && i < timeline->devices.count; i++) {
    good = device_row(study, i, streams, &out->devices[out->device_count]);
    out->device_count += out->devices[out->device_count].works > 0;
  }
  for (size_t i = 0; good && i < timeline->lanes.count; i++)
    for (size_t at = 0; at < out->device_count; at++)
      out->devices[at].streams +=
          streams[i].kernels + streams[i].copies > 0 &&
          timeline->devices.items[timeline->lanes.items[i].device].device == out->devices[at].device &&
          pid_of(study, timeline->lanes.items[i].source) == out->devices[at].pid;
  if (good)
    stream_rows(study, streams, out);
  free(streams);
  if (!good)
    prof_gpu_lanes_free(out);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_lanes_free(struct prof_gpu_lane_rows *rows) {
  free(rows->devices);
  free(rows->streams);
  *rows = (struct prof_gpu_lane_rows){0};
}
