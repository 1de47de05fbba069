/*
 * tools/command/gpu_time_parts.c - see gpu_parts.h: devices and streams, launches, waits, idle time.
 */
#include <stdio.h>

#include "gpu_parts.h"

#define COLUMNS(of) .columns = of, .column_count = sizeof of / sizeof *of

/* No count: its digits are not grouped for people. */
static void add_number(struct prof_table *table, uint32_t number) {
  char text[16];
  prof_table_count(table, number);
  snprintf(text, sizeof text, "%u", number);
  prof_table_text(table, text);
}

/* ---- devices ---- */

static const struct prof_column device_columns[] = {
    {"device", NULL, PROF_CELL_COUNT},
    {NULL, "DEVICE", PROF_CELL_TEXT},
    {"pid", NULL, PROF_CELL_COUNT},
    {NULL, "PID", PROF_CELL_TEXT},
    {"streams", "STREAMS", PROF_CELL_COUNT},
    {"works", NULL, PROF_CELL_COUNT},
    {"span_ns", "SPAN", PROF_CELL_NS},
    {"busy_ns", "BUSY", PROF_CELL_NS},
    {"busy_share", "BUSY%", PROF_CELL_SHARE},
    {"idle_ns", "IDLE", PROF_CELL_NS},
    {"compute_ns", "KERNELS", PROF_CELL_NS},
    {"copy_ns", "COPIES", PROF_CELL_NS},
    {"copy_overlap_ns", "OVERLAPPED", PROF_CELL_NS},
    {"exchange_ns", "NCCL", PROF_CELL_NS},
    {"exchange_overlap_ns", "OVERLAPPED", PROF_CELL_NS},
    {"called", NULL, PROF_CELL_TEXT},
    {"name", NULL, PROF_CELL_TEXT},
    {NULL, "NAME", PROF_CELL_TEXT},
};

static size_t count_devices(const struct prof_gpu_result *result) {
  return result->lanes.device_count;
}

static void add_device(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_device_row *row = &result->lanes.devices[at];
  char both[600];
  (void)in_table;
  add_number(table, row->device);
  add_number(table, row->pid);
  prof_table_count(table, row->streams);
  prof_table_count(table, row->works);
  prof_table_count(table, row->span_ns);
  prof_table_count(table, row->busy_ns);
  prof_table_share(table, row->busy_share);
  prof_table_count(table, row->idle_ns);
  prof_table_count(table, row->compute_ns);
  prof_table_count(table, row->copy_ns);
  prof_table_count(table, row->copy_overlap_ns);
  prof_table_count(table, row->exchange_ns);
  prof_table_count(table, row->exchange_overlap_ns);
  prof_table_text(table, row->called);
  prof_table_text(table, row->name);
  snprintf(both, sizeof both, *row->called != 0 ? "%.256s (%.256s)" : "%.0s%.256s", row->called, row->name);
  prof_table_text(table, both);
}

const struct prof_gpu_part prof_gpu_devices_part = {
    .name = "devices",
    .title = "Devices: from first to last work; overlapped: during kernels",
    .rows_of = "devices",
    .default_rows = 20,
    COLUMNS(device_columns),
    .count = count_devices,
    .add = add_device,
};

/* ---- streams ---- */

static const struct prof_column stream_columns[] = {
    {"device", NULL, PROF_CELL_COUNT},        {NULL, "DEVICE", PROF_CELL_TEXT},
    {"pid", NULL, PROF_CELL_COUNT},           {NULL, "PID", PROF_CELL_TEXT},
    {"context", NULL, PROF_CELL_COUNT},       {NULL, "CONTEXT", PROF_CELL_TEXT},
    {"stream", NULL, PROF_CELL_COUNT},        {NULL, "STREAM", PROF_CELL_TEXT},
    {"kernels", "KERNELS", PROF_CELL_COUNT},  {"copies", "COPIES", PROF_CELL_COUNT},
    {"span_ns", "SPAN", PROF_CELL_NS},        {"busy_ns", "BUSY", PROF_CELL_NS},
    {"busy_share", "BUSY%", PROF_CELL_SHARE}, {"idle_ns", "IDLE", PROF_CELL_NS},
    {"name", "NAME", PROF_CELL_TEXT},
};

static size_t count_streams(const struct prof_gpu_result *result) {
  return result->lanes.stream_count;
}

static void add_stream(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_stream_row *row = &result->lanes.streams[at];
  (void)in_table;
  add_number(table, row->device);
  add_number(table, row->pid);
  add_number(table, row->context);
  add_number(table, row->stream);
  prof_table_count(table, row->kernels);
  prof_table_count(table, row->copies);
  prof_table_count(table, row->span_ns);
  prof_table_count(table, row->busy_ns);
  prof_table_share(table, row->busy_share);
  prof_table_count(table, row->idle_ns);
  prof_table_text(table, row->name);
}

const struct prof_gpu_part prof_gpu_streams_part = {
    .name = "streams",
    .title = "Streams",
    .rows_of = "streams",
    .default_rows = 10,
    COLUMNS(stream_columns),
    .count = count_streams,
    .add = add_stream,
};

/* ---- launches ---- */

static const struct prof_column launch_columns[] = {
    {"launches", "LAUNCHES", PROF_CELL_COUNT}, {"total_ns", "TOTAL", PROF_CELL_NS}, {"avg_ns", "AVG", PROF_CELL_NS},
    {"p95_ns", "P95", PROF_CELL_NS},           {"max_ns", "MAX", PROF_CELL_NS},     {"api_ns", "API", PROF_CELL_NS},
    {"queue_ns", "QUEUE", PROF_CELL_NS},       {"start_ns", "START", PROF_CELL_NS}, {"name", NULL, PROF_CELL_TEXT},
    {"short_name", "KERNEL", PROF_CELL_TEXT},
};

static size_t count_launches(const struct prof_gpu_result *result) {
  return result->launches.count;
}

static void add_launch(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_launch_row *row = &result->launches.rows[at];
  (void)in_table;
  prof_table_count(table, row->launches);
  prof_table_count(table, row->total_ns);
  prof_table_count(table, row->avg_ns);
  prof_table_count(table, row->p95_ns);
  prof_table_count(table, row->max_ns);
  prof_table_count(table, row->api_ns);
  prof_table_count(table, row->queue_ns);
  prof_table_count(table, row->start_ns);
  prof_table_text(table, row->name);
  prof_table_text(table, row->short_name);
}

const struct prof_gpu_part prof_gpu_launches_part = {
    .name = "launches",
    .title = "Launch latency: in the API call, queued behind other work, starting",
    .rows_of = "kernels",
    .default_rows = 10,
    COLUMNS(launch_columns),
    .count = count_launches,
    .add = add_launch,
};

/* ---- columns that waits and idle time share ---- */

static void add_sum(struct prof_table *table, const struct prof_gpu_sum *sum) {
  prof_table_count(table, sum->count);
  prof_table_count(table, sum->total_ns);
  prof_table_share(table, sum->share);
  prof_table_count(table, sum->max_ns);
}

static void add_place(struct prof_table *table, const struct prof_gpu_sum *sum, bool in_table) {
  char path[4200];
  prof_table_text(table, sum->call);
  prof_table_text(table, prof_gpu_path_text(path, sizeof path, sum->path, 1, in_table));
}

/* ---- waits ---- */

static const struct prof_column wait_columns[] = {
    {"waits", "WAITS", PROF_CELL_COUNT},        {"total_ns", "TOTAL", PROF_CELL_NS},
    {"share", "SHARE", PROF_CELL_SHARE},        {"max_ns", "MAX", PROF_CELL_NS},
    {"awaited", NULL, PROF_CELL_TEXT},          {"awaited_short", NULL, PROF_CELL_TEXT},
    {NULL, "AWAITED", PROF_CELL_TEXT},          {"call", "CALL", PROF_CELL_TEXT},
    {"host_path", "HOST PATH", PROF_CELL_TEXT},
};

static size_t count_waits(const struct prof_gpu_result *result) {
  return result->waits.count;
}

static void add_wait(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  const struct prof_gpu_wait_row *row = &result->waits.rows[at];
  add_sum(table, &row->sum);
  prof_table_text(table, row->what);
  prof_table_text(table, row->short_what);
  prof_table_text(table, *row->short_what != 0 ? row->short_what : "[nothing ran]");
  add_place(table, &row->sum, in_table);
}

const struct prof_gpu_part prof_gpu_waits_part = {
    .name = "waits",
    .title = "Host waits for the GPU, by awaited work",
    .rows_of = "waits",
    .default_rows = 10,
    COLUMNS(wait_columns),
    .count = count_waits,
    .add = add_wait,
};

/* ---- idle ---- */

static const struct prof_column idle_columns[] = {
    {"gaps", "GAPS", PROF_CELL_COUNT},
    {"total_ns", "TOTAL", PROF_CELL_NS},
    {"share", "SHARE", PROF_CELL_SHARE},
    {"max_ns", "MAX", PROF_CELL_NS},
    {"why", "WHY", PROF_CELL_TEXT},
    {"call", "CALL", PROF_CELL_TEXT},
    {"host_path", "HOST PATH", PROF_CELL_TEXT},
};

static size_t count_idle(const struct prof_gpu_result *result) {
  return result->idle.count;
}

static void add_idle(struct prof_table *table, const struct prof_gpu_result *result, size_t at, bool in_table) {
  static const char *const whys[] = {[PROF_GPU_IDLE_HOST] = "host",
                                     [PROF_GPU_IDLE_LAUNCH] = "launch",
                                     [PROF_GPU_IDLE_QUEUED] = "queued",
                                     [PROF_GPU_IDLE_UNKNOWN] = "unknown"};
  const struct prof_gpu_idle_row *row = &result->idle.rows[at];
  add_sum(table, &row->sum);
  prof_table_text(table, whys[row->why]);
  add_place(table, &row->sum, in_table);
}

const struct prof_gpu_part prof_gpu_idle_part = {
    .name = "idle",
    .title = "GPU idle time, by what the host did",
    .rows_of = "host paths",
    .default_rows = 10,
    COLUMNS(idle_columns),
    .count = count_idle,
    .add = add_idle,
};
