/*
 * tools/command/gpu/gpu_parts.h - the tables of `prof gpu`: the name, columns and rows of each.
 *
 * In: results of the analyses.  Out: rows of a table (view/table.h), which serves all formats.
 */
#ifndef PROF_COMMAND_GPU_PARTS_H
#define PROF_COMMAND_GPU_PARTS_H

#include "analysis/gpu/gpu.h"
#include "analysis/gpu/gpu_idle.h"
#include "analysis/gpu/gpu_lanes.h"
#include "analysis/gpu/gpu_launches.h"
#include "analysis/gpu/gpu_metrics.h"
#include "analysis/gpu/gpu_ranges.h"
#include "analysis/gpu/gpu_waits.h"
#include "command/field.h"
#include "command/output.h"

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
  const struct prof_field *fields;
  size_t field_count, row_bytes;
  size_t rows, count;                                     /* offsets of these members of the result */
  void (*remark)(const struct prof_gpu_result *, FILE *); /* below the table; NULL: nothing */
};

#define PROF_GPU_MOST_FIELDS 24
#define PROF_GPU_ROWS(all_fields, rows_member, count_member)                                                           \
  .fields = all_fields, .field_count = sizeof all_fields / sizeof *all_fields,                                         \
  .row_bytes = sizeof *((struct prof_gpu_result *)0)->rows_member,                                                     \
  .rows = offsetof(struct prof_gpu_result, rows_member), .count = offsetof(struct prof_gpu_result, count_member)

extern const struct prof_gpu_part *const prof_gpu_parts[]; /* in output order, NULL-terminated */

/* gpu_work_parts.c, gpu_time_parts.c, gpu_range_parts.c */
extern const struct prof_gpu_part prof_gpu_kernels_part, prof_gpu_copies_part, prof_gpu_devices_part,
    prof_gpu_streams_part, prof_gpu_launches_part, prof_gpu_waits_part, prof_gpu_idle_part, prof_gpu_ranges_part,
    prof_gpu_metrics_part;

/* Write the first `count` instances of ranges, each with its GPU work (CSV: without).  false: no memory. */
bool prof_gpu_instances_print(const struct prof_gpu_range_rows *, size_t count, const struct prof_output *);
bool prof_gpu_instances_json(const prof_trace *, const struct prof_gpu_range_rows *, size_t count, FILE *);
bool prof_gpu_instances_csv(const struct prof_gpu_range_rows *, size_t count, FILE *);

/* A path in a table: "main > step (and 2 more)", of `paths` paths. */
#define PROF_GPU_PATH_BYTES 4200
const char *prof_gpu_path_text(char out[PROF_GPU_PATH_BYTES], const char *path, uint64_t paths);

#endif
