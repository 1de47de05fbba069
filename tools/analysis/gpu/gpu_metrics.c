/*
 * tools/analysis/gpu/gpu_metrics.c - see gpu_metrics.h.
 *
 * Two processes of one recording read the same devices: all readings of a device are one list.
 */
#include "analysis/gpu/gpu_metrics.h"
#include "base/order.h"
#include "fold/gpu_chunks.h"

#include <stdlib.h>

enum { MILLI = 1000, PERCENT = 100, ENERGY_LEAST_NS = 1000000000 };

struct sum {
  uint32_t device;
  uint64_t readings, utilization, most_utilization, memory_utilization, most_memory, power, most_power;
  uint64_t first_time, last_time, first_energy, last_energy;
};

struct sums {
  const struct prof_gpu_study *study;
  PROF_VEC(struct sum) items;
};

static struct sum *sum_of(struct sums *sums, uint32_t device) {
  for (size_t i = 0; i < sums->items.count; i++)
    if (sums->items.items[i].device == device)
      return &sums->items.items[i];
  bool made = prof_vec_push(&sums->items, (struct sum){.device = device, .first_time = UINT64_MAX});
  return made ? &sums->items.items[sums->items.count - 1] : NULL;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* False: no memory. */
static bool take(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct sums *sums = context;
  const uint64_t *const *of = chunk->columns;
  uint64_t time = of[PROF_GPU_START][at], end = time + 1;
  if (!prof_gpu_study_clip(sums->study, &time, &end))
    return true;
  struct sum *sum = sum_of(sums, (uint32_t)of[PROF_GPU_DEVICE_ID][at]);
  if (sum == NULL)
    return false;
  sum->readings++;
  sum->utilization += of[PROF_GPU_UTILIZATION][at];
  sum->memory_utilization += of[PROF_GPU_MEMORY_UTILIZATION][at];
  sum->power += of[PROF_GPU_POWER][at];
  sum->most_utilization = larger(sum->most_utilization, of[PROF_GPU_UTILIZATION][at]);
  sum->most_memory = larger(sum->most_memory, of[PROF_GPU_MEMORY_BYTES][at]);
  sum->most_power = larger(sum->most_power, of[PROF_GPU_POWER][at]);
  if (time < sum->first_time) {
    sum->first_time = time;
    sum->first_energy = of[PROF_GPU_ENERGY][at];
  }
  if (time >= sum->last_time) {
    sum->last_time = time;
    sum->last_energy = of[PROF_GPU_ENERGY][at];
  }
  return true;
}

static struct prof_gpu_metric_row row_of(const struct prof_gpu_study *study, const struct sum *sum) {
  double readings = (double)sum->readings;
  bool is_long = prof_trace_ns(study->trace, sum->last_time - sum->first_time) >= ENERGY_LEAST_NS;
  return (struct prof_gpu_metric_row){
      .device = sum->device,
      .readings = sum->readings,
      .utilization = (double)sum->utilization / readings / PERCENT,
      .most_utilization = (double)sum->most_utilization / PERCENT,
      .memory_utilization = (double)sum->memory_utilization / readings / PERCENT,
      .most_memory_bytes = sum->most_memory,
      .power_watts = (double)sum->power / readings / MILLI,
      .most_power_watts = (double)sum->most_power / MILLI,
      .energy_joules =
          is_long && sum->last_energy > sum->first_energy ? (double)(sum->last_energy - sum->first_energy) / MILLI : 0,
  };
}

static int compare(const void *left, const void *right) {
  const struct prof_gpu_metric_row *a = left, *b = right;
  return prof_order(a->device, b->device);
}

prof_status prof_gpu_metrics_sum(const struct prof_gpu_study *study, struct prof_gpu_metric_rows *out) {
  struct sums sums = {.study = study};
  *out = (struct prof_gpu_metric_rows){0};
  bool good = prof_gpu_records_visit(study->trace, 1u << PROF_GPU_METRICS, take, &sums, NULL) == PROF_OK;
  out->rows = calloc(sums.items.count + 1, sizeof *out->rows);
  good = good && out->rows != NULL;
  for (size_t i = 0; i < sums.items.count && good; i++)
    out->rows[out->count++] = row_of(study, &sums.items.items[i]);
  if (good)
    qsort(out->rows, out->count, sizeof *out->rows, compare);
  prof_vec_fini(&sums.items);
  if (!good)
    prof_gpu_metrics_free(out);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_metrics_free(struct prof_gpu_metric_rows *rows) {
  free(rows->rows);
  *rows = (struct prof_gpu_metric_rows){0};
}
