/*
 * tools/analysis/gpu/gpu_memory_events.c - see gpu_memory_events.h.
 */
#include "analysis/gpu/gpu_memory_events.h"

#include "base/order.h"
#include "fold/gpu_chunks.h"

enum { TAKEN = 1, GIVEN_BACK = 2 }; /* column KIND */

struct loading {
  const struct prof_gpu_study *study;
  struct prof_gpu_memory_events *out;
  uint64_t last_time;
};

bool prof_gpu_memory_is_there(const prof_trace *trace) {
  size_t count;
  const struct prof_gpu_chunk_ref *refs = prof_trace_gpu_chunks(trace, &count);
  for (size_t i = 0; i < count; i++)
    if (refs[i].record == PROF_GPU_MEMORY)
      return true;
  return false;
}

static bool take(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  struct loading *loading = context;
  const uint64_t *const *of = chunk->columns;
  const uint64_t operation = of[PROF_GPU_KIND][at], start = of[PROF_GPU_START][at];
  (void)index;
  if (operation != TAKEN && operation != GIVEN_BACK)
    return true; /* of a later version */
  struct prof_gpu_memory_event event = {
      .call = prof_gpu_join_call(loading->study->join, chunk->source, of[PROF_GPU_CORRELATION][at]),
      .address = of[PROF_GPU_ADDRESS][at],
      .bytes = of[PROF_GPU_BYTES][at],
      .source = chunk->source,
      .device = (uint32_t)of[PROF_GPU_DEVICE_ID][at],
      .kind = (uint32_t)of[PROF_GPU_TO][at],
      .order = (uint32_t)loading->out->list.count,
      .is_release = operation == GIVEN_BACK,
  };
  event.time = start ? start : event.call ? event.call->start : loading->last_time;
  loading->last_time = event.time;
  return prof_vec_push(&loading->out->list, event);
}

static int by_time(const void *left, const void *right) {
  const struct prof_gpu_memory_event *a = left, *b = right;
  return prof_order(a->time, b->time) ?: prof_order(a->order, b->order);
}

prof_status prof_gpu_memory_events_load(const struct prof_gpu_study *study, struct prof_gpu_memory_events *out) {
  struct loading loading = {.study = study, .out = out};
  *out = (struct prof_gpu_memory_events){.damaged = 0};
  prof_status status = prof_gpu_records_visit(study->trace, 1u << PROF_GPU_MEMORY, take, &loading, &out->damaged);
  prof_vec_sort(&out->list, by_time);
  return status;
}

void prof_gpu_memory_events_fini(struct prof_gpu_memory_events *events) {
  prof_vec_fini(&events->list);
}
