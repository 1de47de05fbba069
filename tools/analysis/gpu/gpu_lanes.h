/*
 * tools/analysis/gpu/gpu_lanes.h - how busy were the devices and streams, and what ran at the same time?
 *
 * Job: rows per device and per stream.  In: a study.  Out: arrays that the caller frees.  Only the filter's range
 * applies: all work on a GPU keeps it busy.
 *
 * Busy: something runs.  Idle: nothing runs, between the first begin and the last end.  Overlap: both run.
 */
#ifndef PROF_ANALYSIS_GPU_LANES_H
#define PROF_ANALYSIS_GPU_LANES_H

#include "analysis/gpu/gpu_study.h"

struct prof_gpu_device_row {
  const char *name;   /* "": unknown */
  const char *called; /* the program's name; "": none */
  uint32_t device, pid;
  uint64_t streams, works;
  uint64_t span_ns, busy_ns, idle_ns;            /* span = busy + idle */
  double busy_share;                             /* of the span */
  uint64_t compute_ns, copy_ns, exchange_ns;     /* time with at least one such work */
  uint64_t copy_overlap_ns, exchange_overlap_ns; /* at the same time as compute */
};

struct prof_gpu_stream_row {
  uint32_t device, pid, context, stream;
  const char *name;         /* the program's name; "": none */
  uint64_t kernels, copies; /* copies: with sets; whole graphs count as kernels */
  uint64_t span_ns, busy_ns, idle_ns;
  double busy_share;
};

struct prof_gpu_lane_rows {
  struct prof_gpu_device_row *devices; /* in the order of the recording */
  size_t device_count;
  struct prof_gpu_stream_row *streams; /* by device, then the busiest first */
  size_t stream_count;
};

prof_status prof_gpu_lanes(const struct prof_gpu_study *, struct prof_gpu_lane_rows *out) PROF_MUST_CHECK;
void prof_gpu_lanes_free(struct prof_gpu_lane_rows *);

#endif
