/*
 * tools/analysis/gpu/gpu_energy.c - see gpu_energy.h.
 *
 * Two processes of one recording read the same devices: all readings of a device are one list.  Such readings may lie
 * in another order than their times by a little, so that a counter that seems to fall a little only stands still.
 */
#include "analysis/gpu/gpu_energy.h"

#include "base/order.h"
#include "base/vec.h"
#include "fold/gpu_chunks.h"

#define MILLI 1000.0
enum { LEAST_NS = 1000000000 };

struct reading {
  uint64_t time, energy, power; /* ticks, millijoules, milliwatts */
  uint32_t device, order;
};

struct readings {
  PROF_VEC(struct reading) list;
};

static bool take(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  struct readings *readings = context;
  const uint64_t *const *of = chunk->columns;
  (void)index;
  return prof_vec_push(&readings->list, (struct reading){.time = of[PROF_GPU_START][at],
                                                         .energy = of[PROF_GPU_ENERGY][at],
                                                         .power = of[PROF_GPU_POWER][at],
                                                         .device = (uint32_t)of[PROF_GPU_DEVICE_ID][at],
                                                         .order = (uint32_t)readings->list.count});
}

static int by_device(const void *left, const void *right) {
  const struct reading *a = left, *b = right;
  return prof_order(a->device, b->device) ?: prof_order(a->time, b->time) ?: prof_order(a->order, b->order);
}

static bool is_in_part(const prof_trace *trace, uint64_t time) {
  const struct prof_part *part = prof_trace_part(trace);
  return part == NULL || (time >= part->begin_ticks && time < part->end_ticks);
}

/* Millijoules of one device. */
static double energy_of(const prof_trace *trace, const struct reading *first, size_t count, bool *by_power) {
  uint64_t last = first->energy;
  double sum = 0;
  for (size_t i = 1; i < count; i++) {
    const struct reading *before = &first[i - 1], *at = &first[i];
    const bool counted = at->energy > 0 && last > 0, is_shown = is_in_part(trace, at->time);
    if (counted && at->energy > last && is_shown)
      sum += (double)(at->energy - last);
    if (!counted && is_shown && before->power > 0 && at->power > 0) {
      sum += (double)(before->power + at->power) / 2 * (double)prof_trace_ns(trace, at->time - before->time) / 1e9;
      *by_power = true;
    }
    if (at->energy > last || at->energy < last / 2) /* less than half: the driver was loaded again */
      last = at->energy;
  }
  return sum;
}

prof_status prof_gpu_energy_sum(const prof_trace *trace, struct prof_gpu_energy *out) {
  struct readings readings = {{NULL, 0, 0}};
  size_t sources;
  prof_trace_gpu_sources(trace, &sources);
  *out = (struct prof_gpu_energy){.has_gpus = sources > 0};
  prof_status status = prof_gpu_records_visit(trace, 1u << PROF_GPU_METRICS, take, &readings, NULL);
  prof_vec_sort(&readings.list, by_device);
  const struct reading *items = readings.list.items;
  for (size_t i = 0, next; i < readings.list.count; i = next) {
    for (next = i + 1; next < readings.list.count && items[next].device == items[i].device; next++)
      ;
    const bool is_long = prof_trace_ns(trace, items[next - 1].time - items[i].time) >= LEAST_NS;
    bool by_power = false;
    const double energy = is_long ? energy_of(trace, &items[i], next - i, &by_power) : 0;
    out->joules += energy / MILLI;
    out->devices += energy > 0;
    out->by_power += energy > 0 && by_power;
    out->unknown += energy <= 0;
  }
  prof_vec_fini(&readings.list);
  return status;
}
