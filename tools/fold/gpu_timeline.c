/*
 * tools/fold/gpu_timeline.c - see gpu_timeline.h.
 */
#include "fold/gpu_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "fold/gpu_chunks.h"

struct loading {
  const prof_trace *trace;
  const struct prof_gpu_join *join;
  struct prof_gpu_timeline *out;
  const struct prof_gpu_chunk *chunk;
  uint32_t index; /* of the chunk */
  uint32_t last_lane;
};

/* ---- devices and streams ---- */

uint32_t prof_gpu_timeline_device(const struct prof_gpu_timeline *timeline, uint32_t source, uint64_t device) {
  for (size_t i = 0; i < timeline->devices.count; i++)
    if (timeline->devices.items[i].source == source && timeline->devices.items[i].device == device)
      return (uint32_t)i;
  return PROF_NONE;
}

static uint32_t device_at(struct prof_gpu_timeline *timeline, uint32_t source, uint32_t device) {
  uint32_t index = prof_gpu_timeline_device(timeline, source, device);
  if (index != PROF_NONE)
    return index;
  bool made =
      prof_vec_push(&timeline->devices, (struct prof_gpu_device_info){.source = source, .device = device, .name = ""});
  return made ? (uint32_t)timeline->devices.count - 1 : PROF_NONE;
}

/* Few, and mostly the one before. */
static uint32_t lane_at(struct loading *loading, uint32_t device, uint32_t context, uint32_t stream) {
  struct prof_gpu_timeline *timeline = loading->out;
  uint32_t source = loading->chunk->source;
  for (size_t n = 0, i = loading->last_lane; n < timeline->lanes.count; n++, i = (i + 1) % timeline->lanes.count) {
    const struct prof_gpu_lane *lane = &timeline->lanes.items[i];
    if (lane->source == source && lane->context == context && lane->stream == stream &&
        timeline->devices.items[lane->device].device == device)
      return loading->last_lane = (uint32_t)i;
  }
  struct prof_gpu_lane lane = {device_at(timeline, source, device), source, context, stream};
  if (lane.device == PROF_NONE || !prof_vec_push(&timeline->lanes, lane))
    return PROF_NONE;
  return loading->last_lane = (uint32_t)timeline->lanes.count - 1;
}

static bool take_device(struct loading *loading, uint32_t at) {
  const uint64_t *const *columns = loading->chunk->columns;
  uint32_t index = device_at(loading->out, loading->chunk->source, (uint32_t)columns[PROF_GPU_DEVICE_ID][at]);
  if (index == PROF_NONE)
    return false;
  struct prof_gpu_device_info *device = &loading->out->devices.items[index];
  device->name = prof_trace_gpu_text(loading->trace, loading->chunk->source, columns[PROF_GPU_NAME][at]);
  device->capability = (uint32_t)columns[PROF_GPU_CAPABILITY][at];
  device->multiprocessors = (uint32_t)columns[PROF_GPU_MULTIPROCESSORS][at];
  device->warp_threads = (uint32_t)columns[PROF_GPU_WARP_THREADS][at];
  device->max_warps = (uint32_t)columns[PROF_GPU_MAX_WARPS][at];
  device->max_blocks = (uint32_t)columns[PROF_GPU_MAX_BLOCKS][at];
  device->max_shared = (uint32_t)columns[PROF_GPU_MAX_SHARED][at];
  device->max_registers = (uint32_t)columns[PROF_GPU_MAX_REGISTERS][at];
  device->memory_bytes = columns[PROF_GPU_MEMORY_BYTES][at];
  return true;
}

/* ---- names of kernels ---- */

uint32_t prof_gpu_timeline_kernel(const struct prof_gpu_timeline *timeline, uint32_t source, uint64_t text) {
  const struct prof_gpu_kernel_text *texts = timeline->kernel_texts.items;
  uint32_t at = prof_index_find(&timeline->known_texts, prof_index_hash(source, (uint32_t)text), i,
                                texts[i].source == source && texts[i].text == (uint32_t)text);
  return at != UINT32_MAX ? texts[at].name : PROF_NONE;
}

/* The same, added if it isn't there: each text is compared with the names once.  PROF_NONE: no memory. */
static uint32_t kernel_at(const struct loading *loading, uint64_t text) {
  struct prof_gpu_timeline *timeline = loading->out;
  uint32_t source = loading->chunk->source, index = prof_gpu_timeline_kernel(timeline, source, text);
  if (index != PROF_NONE)
    return index;
  const char *name = prof_trace_gpu_text(loading->trace, source, text);
  for (index = 0; index < timeline->kernel_names.count; index++)
    if (strcmp(timeline->kernel_names.items[index], name) == 0)
      break;
  if (index == timeline->kernel_names.count && !prof_vec_push(&timeline->kernel_names, name))
    return PROF_NONE;
  const struct prof_gpu_kernel_text known = {source, (uint32_t)text, index};
  bool kept = prof_vec_push(&timeline->kernel_texts, known) &&
              prof_index_add(&timeline->known_texts, prof_index_hash(source, (uint32_t)text),
                             (uint32_t)timeline->kernel_texts.count - 1);
  return kept ? index : PROF_NONE;
}

/* ---- copies ---- */

enum { COPY_MEMORIES = 16 };

static const char *const copy_kinds[] = {
    "copy",           "host to device",  "device to host",  "host to array",    "array to host",
    "array to array", "array to device", "device to array", "device to device", "host to host",
    "peer to peer"};
static const char *const memories[] = {"", "pageable", "pinned", "device", "array", "managed", "static", "managed"};

/* The host's side: where it comes from, else where it goes. */
uint32_t prof_gpu_copy_sort(uint64_t kind, uint64_t from, uint64_t to) {
  bool to_host = kind == 2 || kind == 4, of_host = to_host || kind == 1 || kind == 3 || kind == 9;
  uint64_t memory = !of_host ? 0 : to_host ? to : from;
  kind = kind < sizeof copy_kinds / sizeof *copy_kinds ? kind : 0;
  return (uint32_t)(kind * COPY_MEMORIES + (memory < sizeof memories / sizeof *memories ? memory : 0));
}

const char *prof_gpu_copy_kind(uint32_t sort) {
  return sort == PROF_GPU_SET_SORT ? "set" : copy_kinds[sort / COPY_MEMORIES];
}

const char *prof_gpu_copy_memory(uint32_t sort) {
  return sort == PROF_GPU_SET_SORT ? "" : memories[sort % COPY_MEMORIES];
}

const char *prof_gpu_memory_word(uint64_t kind) {
  return kind < sizeof memories / sizeof *memories ? memories[kind] : "";
}

/* ---- spans ---- */

static bool is_exchange(const char *name) {
  return strstr(name, "ncclKernel") != NULL || strstr(name, "ncclDevKernel") != NULL;
}

/* The call that asked for the record; PROF_NONE: not known. */
static uint32_t call_of(const struct loading *loading, uint32_t at) {
  uint64_t correlation = loading->chunk->columns[PROF_GPU_CORRELATION][at];
  const struct prof_gpu_api_call *call = prof_gpu_join_call(loading->join, loading->chunk->source, correlation);
  size_t unused;
  return call != NULL ? (uint32_t)(call - prof_gpu_join_calls(loading->join, &unused)) : PROF_NONE;
}

/* False: no memory. */
static bool take_span(struct loading *loading, uint32_t at) {
  const uint64_t *const *columns = loading->chunk->columns;
  struct prof_gpu_timeline *timeline = loading->out;
  struct prof_gpu_span span = {
      .start = columns[PROF_GPU_START][at],
      .end = columns[PROF_GPU_START][at] + columns[PROF_GPU_DURATION][at],
      .call = call_of(loading, at),
      .record = (uint8_t)loading->chunk->record,
      .at = at,
      .chunk = loading->index,
  };
  if (span.record == PROF_GPU_KERNEL) {
    span.name = kernel_at(loading, columns[PROF_GPU_NAME][at]);
    if (span.name == PROF_NONE)
      return false;
    span.class = is_exchange(timeline->kernel_names.items[span.name]) ? PROF_GPU_EXCHANGE : PROF_GPU_COMPUTE;
  } else if (span.record == PROF_GPU_GRAPH_RUN) {
    span.name = (uint32_t)columns[PROF_GPU_GRAPH][at];
  } else {
    span.class = PROF_GPU_TRANSFER;
    span.name = span.record == PROF_GPU_SET ? PROF_GPU_SET_SORT
                                            : prof_gpu_copy_sort(columns[PROF_GPU_KIND][at], columns[PROF_GPU_FROM][at],
                                                                 columns[PROF_GPU_TO][at]);
    span.is_synchronous = span.record == PROF_GPU_COPY && !(columns[PROF_GPU_FLAGS][at] & 1);
  }
  if (span.start == 0) /* only its name was wanted */
    return true;
  span.lane = lane_at(loading, (uint32_t)columns[PROF_GPU_DEVICE_ID][at], (uint32_t)columns[PROF_GPU_CONTEXT_ID][at],
                      (uint32_t)columns[PROF_GPU_STREAM][at]);
  return span.lane != PROF_NONE && prof_vec_push(&timeline->spans, span);
}

static bool take_pause(struct loading *loading, uint32_t at) {
  const uint64_t *const *columns = loading->chunk->columns;
  struct prof_gpu_pause pause = {
      .start = columns[PROF_GPU_START][at],
      .end = columns[PROF_GPU_START][at] + columns[PROF_GPU_DURATION][at],
      .call = call_of(loading, at),
      .source = loading->chunk->source,
      .context = (uint32_t)columns[PROF_GPU_CONTEXT_ID][at],
      .stream = (uint32_t)columns[PROF_GPU_STREAM][at],
  };
  return pause.start == 0 || columns[PROF_GPU_KIND][at] == PROF_GPU_WAIT_OF_STREAM ||
         prof_vec_push(&loading->out->pauses, pause);
}

static bool take(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  struct loading *loading = context;
  loading->chunk = chunk;
  loading->index = index;
  return chunk->record == PROF_GPU_DEVICE ? take_device(loading, at)
         : chunk->record == PROF_GPU_WAIT ? take_pause(loading, at)
                                          : take_span(loading, at);
}

/* ---- order ---- */

static int compare_spans(const void *left, const void *right, void *context) {
  const struct prof_gpu_span *a = left, *b = right;
  const struct prof_gpu_timeline *timeline = context;
  uint32_t device_a = timeline->lanes.items[a->lane].device, device_b = timeline->lanes.items[b->lane].device;
  int order = prof_order(device_a, device_b) ?: prof_order(a->start, b->start) ?: prof_order(a->end, b->end);
  return order ?: prof_order(a->chunk, b->chunk) ?: prof_order(a->at, b->at);
}

static int compare_pauses(const void *left, const void *right) {
  const struct prof_gpu_pause *a = left, *b = right;
  return prof_order(a->start, b->start);
}

static void order(struct prof_gpu_timeline *timeline) {
  if (timeline->spans.count > 0)
    qsort_r(timeline->spans.items, timeline->spans.count, sizeof *timeline->spans.items, compare_spans, timeline);
  prof_vec_sort(&timeline->pauses, compare_pauses);
  for (size_t i = 0; i < timeline->spans.count; i++) {
    struct prof_gpu_device_info *device =
        &timeline->devices.items[timeline->lanes.items[timeline->spans.items[i].lane].device];
    if (device->count++ == 0)
      device->first = i;
  }
}

prof_status prof_gpu_timeline_load(const prof_trace *trace, const struct prof_gpu_join *join,
                                   struct prof_gpu_timeline *out) {
  const uint32_t kinds = 1u << PROF_GPU_KERNEL | 1u << PROF_GPU_COPY | 1u << PROF_GPU_SET | 1u << PROF_GPU_WAIT |
                         1u << PROF_GPU_GRAPH_RUN | 1u << PROF_GPU_DEVICE;
  struct loading loading = {.trace = trace, .join = join, .out = out};
  *out = (struct prof_gpu_timeline){0};
  if (prof_gpu_records_visit(trace, kinds, take, &loading, &out->damaged) != PROF_OK) {
    prof_gpu_timeline_fini(out);
    return PROF_NO_MEMORY;
  }
  order(out);
  return PROF_OK;
}

void prof_gpu_timeline_fini(struct prof_gpu_timeline *timeline) {
  prof_vec_fini(&timeline->spans);
  prof_vec_fini(&timeline->lanes);
  prof_vec_fini(&timeline->devices);
  prof_vec_fini(&timeline->pauses);
  prof_vec_fini(&timeline->kernel_names);
  prof_vec_fini(&timeline->kernel_texts);
  prof_index_fini(&timeline->known_texts);
}
