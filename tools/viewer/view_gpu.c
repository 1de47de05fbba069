/*
 * tools/viewer/view_gpu.c - see view_gpu.h.
 */
#include "viewer/view_gpu.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/gpu/gpu_cost.h"
#include "analysis/gpu/gpu_gaps.h"
#include "analysis/gpu/gpu_lanes.h"
#include "base/diag.h"
#include "viewer/columns.h"

#define MOST_LAUNCHES 100000
#define MOST_GAPS 20
#define FIRST_SHARE 1e-7 /* that is tried where not all paths fit */
#define NEXT_SHARE 4

struct prof_view_gpu {
  const struct prof_recording *recording;
  struct prof_gpu_study study;
  struct prof_gpu_lane_rows rows;
};

prof_status prof_view_gpu_open(const struct prof_recording *recording, enum prof_demangle demangle,
                               struct prof_diag *diag, struct prof_view_gpu **out) {
  size_t chunks;
  *out = NULL;
  prof_trace_gpu_chunks(recording->trace, &chunks);
  if (chunks == 0)
    return PROF_OK;
  struct prof_view_gpu *gpu = calloc(1, sizeof *gpu);
  if (!gpu)
    return prof_diag_memory(diag);
  gpu->recording = recording;
  prof_status status =
      prof_gpu_study_open(&gpu->study, recording->trace, &recording->filter, recording->names, demangle, diag);
  if (status != PROF_OK) {
    free(gpu);
    return status == PROF_EMPTY ? PROF_OK : status;
  }
  *out = gpu;
  return prof_gpu_lanes(&gpu->study, &gpu->rows) == PROF_OK ? PROF_OK : prof_diag_memory(diag);
}

void prof_view_gpu_close(struct prof_view_gpu *gpu) {
  if (!gpu)
    return;
  prof_gpu_lanes_free(&gpu->rows);
  prof_gpu_study_close(&gpu->study);
  free(gpu);
}

static uint64_t ns_of(const struct prof_view_gpu *gpu, uint64_t ticks) {
  uint64_t start = prof_trace_info(gpu->recording->trace)->start_ticks;
  return prof_trace_ns(gpu->recording->trace, ticks > start ? ticks - start : 0);
}

/* The span as the timeline shows it; false: the range hides it. */
static bool span_ns(const struct prof_view_gpu *gpu, const struct prof_gpu_span *span, uint64_t *begin, uint64_t *end) {
  uint64_t from = span->start, to = span->end;
  if (!prof_gpu_study_clip(&gpu->study, &from, &to))
    return false;
  *begin = ns_of(gpu, from);
  *end = ns_of(gpu, to);
  return true;
}

void prof_view_gpu_add(struct prof_view_gpu *gpu, struct prof_view_frames *frames, struct prof_lanes *lanes) {
  uint32_t first = (uint32_t)lanes->items.count;
  for (uint32_t i = 0; i < gpu->study.timeline.lanes.count; i++)
    if (prof_lanes_add_lane(lanes, PROF_LANE_GPU, i, 0) == PROF_NONE)
      return;
  for (size_t i = 0; i < gpu->study.timeline.spans.count && !lanes->failed; i++) {
    const struct prof_gpu_span *span = &gpu->study.timeline.spans.items[i];
    uint64_t begin, end;
    if (!span_ns(gpu, span, &begin, &end))
      continue;
    const struct prof_lane_call work = {
        .begin = begin,
        .length = end - begin,
        .frame = prof_view_extra_frame(frames, prof_gpu_study_what(&gpu->study, span, true))};
    prof_lanes_add(lanes, first + span->lane, &work);
  }
}

static uint32_t process_of(const struct prof_view_gpu *gpu, uint32_t source) {
  size_t count;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(gpu->recording->trace, &count);
  return source < count ? sources[source].process : PROF_NONE;
}

static void write_devices(const struct prof_view_gpu *gpu, struct prof_json *json) {
#define AT(member) offsetof(struct prof_gpu_device_row, member)
  static const struct prof_column_row columns[] = {
      {"device", PROF_COLUMN_U32, AT(device), PROF_COLUMN_ALWAYS},
      {"pid", PROF_COLUMN_U32, AT(pid), PROF_COLUMN_ALWAYS},
      {"device_name", PROF_COLUMN_TEXT, AT(name), PROF_COLUMN_ALWAYS},
      {"device_busy_share", PROF_COLUMN_DOUBLE, AT(busy_share), PROF_COLUMN_ALWAYS},
      {"device_busy_ns", PROF_COLUMN_U64, AT(busy_ns), PROF_COLUMN_ALWAYS},
      {"device_idle_ns", PROF_COLUMN_U64, AT(idle_ns), PROF_COLUMN_ALWAYS},
      {NULL, 0, 0, 0}};
#undef AT
  prof_columns_write(json, columns, gpu->rows.devices, gpu->rows.device_count, sizeof *gpu->rows.devices);
}

/* "GPU 0 stream 13", with the program's names behind. */
static void write_streams(const struct prof_view_gpu *gpu, struct prof_view_frames *frames, struct prof_json *json) {
  size_t count = gpu->study.timeline.lanes.count;
  prof_json_array(json, "stream_name");
  for (size_t i = 0; i < count; i++) {
    const struct prof_gpu_lane *lane = &gpu->study.timeline.lanes.items[i];
    const char *called = prof_gpu_study_name(&gpu->study, PROF_GPU_NAMED_STREAM, lane->source, lane->stream);
    uint32_t device = gpu->study.timeline.devices.items[lane->device].device;
    char text[300];
    snprintf(text, sizeof text, "GPU %" PRIu32 " stream %" PRIu32 "%s%.200s", device, lane->stream, *called ? ": " : "",
             called);
    prof_view_text(frames, json, NULL, text);
  }
  prof_json_array_end(json);
  prof_json_array(json, "stream_process");
  for (size_t i = 0; i < count; i++) {
    uint32_t process = process_of(gpu, gpu->study.timeline.lanes.items[i].source);
    prof_json_number(json, NULL, process == PROF_NONE ? -1 : (double)process);
  }
  prof_json_array_end(json);
}

struct gap {
  uint32_t device, thread;
  uint64_t begin_ns, end_ns;
};

static prof_status write_gaps(const struct prof_view_gpu *gpu, struct prof_json *json) {
#define AT(member) offsetof(struct gap, member)
  static const struct prof_column_row columns[] = {{"gap_device", PROF_COLUMN_U32, AT(device), PROF_COLUMN_ALWAYS},
                                                   {"gap_thread", PROF_COLUMN_INDEX, AT(thread), PROF_COLUMN_ALWAYS},
                                                   {"gap_begin_ns", PROF_COLUMN_U64, AT(begin_ns), PROF_COLUMN_ALWAYS},
                                                   {"gap_end_ns", PROF_COLUMN_U64, AT(end_ns), PROF_COLUMN_ALWAYS},
                                                   {NULL, 0, 0, 0}};
#undef AT
  static const char *const whys[] = {"host", "launch", "queued", "unknown"};
  struct prof_gpu_gap *longest;
  struct gap gaps[MOST_GAPS];
  size_t count;
  prof_status status = prof_gpu_gaps_longest(&gpu->study, MOST_GAPS, &longest, &count);
  if (status != PROF_OK)
    return status;
  prof_json_array(json, "gap_why");
  for (size_t i = 0; i < count; i++) {
    const struct prof_gpu_gap *gap = &longest[i];
    uint32_t device = gpu->study.timeline.devices.items[gap->device].device;
    gaps[i] = (struct gap){device, gap->thread, ns_of(gpu, gap->begin), ns_of(gpu, gap->end)};
    prof_json_text(json, NULL, whys[gap->why]);
  }
  prof_json_array_end(json);
  prof_columns_write(json, columns, gaps, count, sizeof *gaps);
  free(longest);
  return PROF_OK;
}

struct launch {
  uint32_t stream, thread;
  uint64_t begin_ns, launch_ns;
};

prof_status prof_view_gpu_write(struct prof_view_gpu *gpu, struct prof_view_frames *frames,
                                const struct prof_lanes *lanes, struct prof_json *json) {
#define AT(member) offsetof(struct launch, member)
  static const struct prof_column_row columns[] = {{"work_stream", PROF_COLUMN_U32, AT(stream), PROF_COLUMN_ALWAYS},
                                                   {"work_begin_ns", PROF_COLUMN_U64, AT(begin_ns), PROF_COLUMN_ALWAYS},
                                                   {"launch_thread", PROF_COLUMN_INDEX, AT(thread), PROF_COLUMN_ALWAYS},
                                                   {"launch_ns", PROF_COLUMN_U64, AT(launch_ns), PROF_COLUMN_ALWAYS},
                                                   {NULL, 0, 0, 0}};
#undef AT
  PROF_VEC(struct launch) launches = {NULL, 0, 0};
  bool done = true;
  for (size_t i = 0; done && i < gpu->study.timeline.spans.count && launches.count < MOST_LAUNCHES; i++) {
    const struct prof_gpu_span *span = &gpu->study.timeline.spans.items[i];
    const struct prof_gpu_api_call *call = prof_gpu_study_call(&gpu->study, span->call);
    uint64_t begin, end;
    if (call && span_ns(gpu, span, &begin, &end) && (lanes->shift == 0 || (end - begin) >> lanes->shift > 0))
      done = prof_vec_push(&launches, (struct launch){span->lane, call->thread, begin, ns_of(gpu, call->start)});
  }
  write_devices(gpu, json);
  write_streams(gpu, frames, json);
  prof_columns_write(json, columns, launches.items, launches.count, sizeof *launches.items);
  prof_vec_fini(&launches);
  return done ? write_gaps(gpu, json) : PROF_NO_MEMORY;
}

/* ---- the tree ---- */

static uint32_t tree_frame(const struct prof_gpu_flame *flame, uint32_t function, struct prof_view_frames *frames) {
  const bool work = function != PROF_NONE && function >= flame->first && function - flame->first < flame->name_count;
  return work ? prof_view_extra_frame(frames, flame->names[function - flame->first])
              : prof_view_frame(frames, function);
}

/* The largest tree with at most so many nodes below the first. */
static prof_status select_tree(struct prof_view_gpu *gpu, uint32_t most, struct prof_diag *diag,
                               struct prof_gpu_flame *flame) {
  struct prof_tree_limits limits = {.min_share = 0};
  prof_status status = prof_gpu_cost_flame(&gpu->study, &limits, diag, flame);
  for (limits.min_share = FIRST_SHARE; status == PROF_OK && flame->tree.count > most + 1 && limits.min_share < 1;
       limits.min_share *= NEXT_SHARE) {
    prof_tree_free(&flame->tree);
    status = prof_gpu_cost_flame(&gpu->study, &limits, diag, flame);
  }
  return status;
}

prof_status prof_view_gpu_tree_write(struct prof_view_gpu *gpu, struct prof_view_frames *frames, uint32_t most,
                                     struct prof_diag *diag, struct prof_json *json, uint64_t *hidden) {
#define AT(member) offsetof(struct prof_tree_node, member)
  static const struct prof_column_row columns[] = {{"calls", PROF_COLUMN_U64, AT(calls), PROF_COLUMN_ALWAYS},
                                                   {"total_ns", PROF_COLUMN_U64, AT(total_ns), PROF_COLUMN_ALWAYS},
                                                   {"self_ns", PROF_COLUMN_U64, AT(self_ns), PROF_COLUMN_ALWAYS},
                                                   {NULL, 0, 0, 0}};
#undef AT
  struct prof_gpu_flame flame = {.first = 0};
  prof_status status = select_tree(gpu, most, diag, &flame);
  const struct prof_tree_node *nodes = flame.tree.nodes;
  if (status == PROF_OK) {
    prof_json_array(json, "parent");
    for (uint32_t i = 1; i < flame.tree.count; i++)
      prof_json_number(json, NULL, (double)nodes[i].parent - 1);
    prof_json_array_end(json);
    prof_json_array(json, "frame");
    for (uint32_t i = 1; i < flame.tree.count; i++)
      prof_json_count(json, NULL, tree_frame(&flame, nodes[i].function, frames));
    prof_json_array_end(json);
    prof_columns_write(json, columns, nodes + 1, flame.tree.count ? flame.tree.count - 1 : 0, sizeof *nodes);
    *hidden = flame.tree.hidden;
  }
  prof_tree_free(&flame.tree);
  return status;
}
