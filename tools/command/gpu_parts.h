/*
 * tools/command/gpu_parts.h - the tables of `prof gpu`: what each is called, its columns, how its rows are filled in.
 *
 * In: results of the analyses.  Out: rows of a table (view/table.h), which serves all formats.
 */
#ifndef PROF_COMMAND_GPU_PARTS_H
#define PROF_COMMAND_GPU_PARTS_H

#include "analysis/gpu.h"
#include "analysis/gpu_idle.h"
#include "analysis/gpu_lanes.h"
#include "analysis/gpu_launches.h"
#include "analysis/gpu_metrics.h"
#include "analysis/gpu_ranges.h"
#include "analysis/gpu_waits.h"
#include "output.h"
#include "view/table.h"

struct prof_gpu_result {
  struct prof_gpu_rows work;
  struct prof_gpu_lane_rows lanes;
  struct prof_gpu_launch_rows launches;
  struct prof_gpu_wait_rows waits;
  struct prof_gpu_idle_rows idle;
  struct prof_gpu_range_rows ranges;
  struct prof_gpu_metric_rows metrics;
};

struct prof_gpu_part {
  const char *name;    /* on the command line, and the key in JSON */
  const char *title;   /* above the table */
  const char *rows_of; /* "kernels": in "... and 3 more kernels" */
  size_t default_rows; /* in a table */
  const struct prof_column *columns;
  size_t column_count;
  size_t (*count)(const struct prof_gpu_result *);
  void (*add)(struct prof_table *, const struct prof_gpu_result *, size_t row, bool in_table);
  void (*remark)(const struct prof_gpu_result *, FILE *); /* below the table; NULL: nothing */
};

extern const struct prof_gpu_part *const prof_gpu_parts[]; /* in the order of showing, ended by NULL */

/* gpu_work_parts.c, gpu_time_parts.c, gpu_range_parts.c */
extern const struct prof_gpu_part prof_gpu_kernels_part, prof_gpu_copies_part, prof_gpu_devices_part,
    prof_gpu_streams_part, prof_gpu_launches_part, prof_gpu_waits_part, prof_gpu_idle_part, prof_gpu_ranges_part,
    prof_gpu_metrics_part;

/* Ranges one by one, the first `count` of them, each with what was asked for in it (CSV: without).  False: no memory.
 */
bool prof_gpu_instances_print(const struct prof_gpu_range_rows *, size_t count, const struct prof_output *);
bool prof_gpu_instances_json(const prof_trace *, const struct prof_gpu_range_rows *, size_t count, FILE *);
bool prof_gpu_instances_csv(const struct prof_gpu_range_rows *, size_t count, FILE *);

/* "main > step (and 2 more)" for a table, the bare path elsewhere. */
const char *prof_gpu_path_text(char *out, size_t bytes, const char *path, uint64_t paths, bool in_table);

#endif
