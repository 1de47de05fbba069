/*
 * tools/analysis/gpu/gpu_metrics.h - NVML's readings of the devices during the recording.
 *
 * Job: a row per device.  In: a study; of its filter only the range applies.  Out: an array that the caller frees.
 */
#ifndef PROF_ANALYSIS_GPU_METRICS_H
#define PROF_ANALYSIS_GPU_METRICS_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_metric_row {
  uint32_t device; /* NVML's number */
  uint64_t readings;
  double utilization, most_utilization, memory_utilization; /* means and maximum, 0 to 1 */
  uint64_t most_memory_bytes;
  double power_watts, most_power_watts;
  double energy_joules; /* from the first reading to the last; 0: they are less than a second apart */
};

struct prof_gpu_metric_rows {
  struct prof_gpu_metric_row *rows;
  size_t count;
};

prof_status prof_gpu_metrics_sum(const struct prof_gpu_study *, struct prof_gpu_metric_rows *out) PROF_MUST_CHECK;
void prof_gpu_metrics_free(struct prof_gpu_metric_rows *);

#endif
