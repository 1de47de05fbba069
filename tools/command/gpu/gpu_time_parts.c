/*
 * tools/command/gpu/gpu_time_parts.c - see gpu_parts.h: devices and streams, launches, waits, idle time.
 */
#include <stdio.h>

#include "gpu_parts.h"

/* ---- devices ---- */

static void add_both_names(struct prof_table *table, const void *device) {
  const struct prof_gpu_device_row *row = device;
  char both[600];
  snprintf(both, sizeof both, *row->called != 0 ? "%.256s (%.256s)" : "%.0s%.256s", row->called, row->name);
  prof_table_text(table, both);
}

#define IN(member) PROF_MEMBER(struct prof_gpu_device_row, member)
static const struct prof_field device_fields[] = {
    {{"device", NULL, PROF_CELL_COUNT}, IN(device)},
    {{NULL, "DEVICE", PROF_CELL_TEXT}, IN(device)},
    {{"pid", NULL, PROF_CELL_COUNT}, IN(pid)},
    {{NULL, "PID", PROF_CELL_TEXT}, IN(pid)},
    {{"streams", "STREAMS", PROF_CELL_COUNT}, IN(streams)},
    {{"works", NULL, PROF_CELL_COUNT}, IN(works)},
    {{"span_ns", "SPAN", PROF_CELL_NS}, IN(span_ns)},
    {{"busy_ns", "BUSY", PROF_CELL_NS}, IN(busy_ns)},
    {{"busy_share", "BUSY%", PROF_CELL_SHARE}, IN(busy_share)},
    {{"idle_ns", "IDLE", PROF_CELL_NS}, IN(idle_ns)},
    {{"compute_ns", "KERNELS", PROF_CELL_NS}, IN(compute_ns)},
    {{"copy_ns", "COPIES", PROF_CELL_NS}, IN(copy_ns)},
    {{"copy_overlap_ns", "OVERLAPPED", PROF_CELL_NS}, IN(copy_overlap_ns)},
    {{"exchange_ns", "NCCL", PROF_CELL_NS}, IN(exchange_ns)},
    {{"exchange_overlap_ns", "OVERLAPPED", PROF_CELL_NS}, IN(exchange_overlap_ns)},
    {{"called", NULL, PROF_CELL_TEXT}, IN(called)},
    {{"name", NULL, PROF_CELL_TEXT}, IN(name)},
    {{NULL, "NAME", PROF_CELL_TEXT}, .cell = add_both_names},
};
#undef IN

const struct prof_gpu_part prof_gpu_devices_part = {
    .name = "devices",
    .title = "Devices: from first to last work; overlapped: during kernels",
    .rows_of = "devices",
    .default_rows = 20,
    PROF_GPU_ROWS(device_fields, lanes.devices, lanes.device_count),
};

/* ---- streams ---- */

#define IN(member) PROF_MEMBER(struct prof_gpu_stream_row, member)
static const struct prof_field stream_fields[] = {
    {{"device", NULL, PROF_CELL_COUNT}, IN(device)},
    {{NULL, "DEVICE", PROF_CELL_TEXT}, IN(device)},
    {{"pid", NULL, PROF_CELL_COUNT}, IN(pid)},
    {{NULL, "PID", PROF_CELL_TEXT}, IN(pid)},
    {{"context", NULL, PROF_CELL_COUNT}, IN(context)},
    {{NULL, "CONTEXT", PROF_CELL_TEXT}, IN(context)},
    {{"stream", NULL, PROF_CELL_COUNT}, IN(stream)},
    {{NULL, "STREAM", PROF_CELL_TEXT}, IN(stream)},
    {{"kernels", "KERNELS", PROF_CELL_COUNT}, IN(kernels)},
    {{"copies", "COPIES", PROF_CELL_COUNT}, IN(copies)},
    {{"span_ns", "SPAN", PROF_CELL_NS}, IN(span_ns)},
    {{"busy_ns", "BUSY", PROF_CELL_NS}, IN(busy_ns)},
    {{"busy_share", "BUSY%", PROF_CELL_SHARE}, IN(busy_share)},
    {{"idle_ns", "IDLE", PROF_CELL_NS}, IN(idle_ns)},
    {{"name", "NAME", PROF_CELL_TEXT}, IN(name)},
};
#undef IN

const struct prof_gpu_part prof_gpu_streams_part = {
    .name = "streams",
    .title = "Streams",
    .rows_of = "streams",
    .default_rows = 10,
    PROF_GPU_ROWS(stream_fields, lanes.streams, lanes.stream_count),
};

/* ---- launches ---- */

#define IN(member) PROF_MEMBER(struct prof_gpu_launch_row, member)
static const struct prof_field launch_fields[] = {
    {{"launches", "LAUNCHES", PROF_CELL_COUNT}, IN(launches)},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, IN(total_ns)},
    {{"avg_ns", "AVG", PROF_CELL_NS}, IN(avg_ns)},
    {{"p95_ns", "P95", PROF_CELL_NS}, IN(p95_ns)},
    {{"max_ns", "MAX", PROF_CELL_NS}, IN(max_ns)},
    {{"api_ns", "API", PROF_CELL_NS}, IN(api_ns)},
    {{"queue_ns", "QUEUE", PROF_CELL_NS}, IN(queue_ns)},
    {{"start_ns", "START", PROF_CELL_NS}, IN(start_ns)},
    {{"name", NULL, PROF_CELL_TEXT}, IN(name)},
    {{"short_name", "KERNEL", PROF_CELL_TEXT, PROF_CUT_NAME}, IN(short_name)},
};
#undef IN

const struct prof_gpu_part prof_gpu_launches_part = {
    .name = "launches",
    .title = "Launch latency: in the API call, queued behind other work, starting",
    .rows_of = "kernels",
    .default_rows = 10,
    PROF_GPU_ROWS(launch_fields, launches.rows, launches.count),
};

/* ---- waits ---- */

static void add_host_path(struct prof_table *table, const void *path) {
  char text[PROF_GPU_PATH_BYTES];
  prof_table_text(table, prof_gpu_path_text(text, *(const char *const *)path, 1));
}

static void add_awaited(struct prof_table *table, const void *short_what) {
  const char *text = *(const char *const *)short_what;
  prof_table_text(table, *text != 0 ? text : "[nothing ran]");
}

#define IN(member) PROF_MEMBER(struct prof_gpu_wait_row, member)
static const struct prof_field wait_fields[] = {
    {{"waits", "WAITS", PROF_CELL_COUNT}, IN(sum.count)},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, IN(sum.total_ns)},
    {{"share", "SHARE", PROF_CELL_SHARE}, IN(sum.share)},
    {{"max_ns", "MAX", PROF_CELL_NS}, IN(sum.max_ns)},
    {{"awaited", NULL, PROF_CELL_TEXT}, IN(what)},
    {{"awaited_short", NULL, PROF_CELL_TEXT}, IN(short_what)},
    {{NULL, "AWAITED", PROF_CELL_TEXT}, IN(short_what), .cell = add_awaited},
    {{"call", "CALL", PROF_CELL_TEXT}, IN(sum.call)},
    {{"host_path", NULL, PROF_CELL_TEXT}, IN(sum.path)},
    {{NULL, "HOST PATH", PROF_CELL_TEXT}, IN(sum.path), .cell = add_host_path},
};
#undef IN

const struct prof_gpu_part prof_gpu_waits_part = {
    .name = "waits",
    .title = "Host waits for the GPU, by awaited work",
    .rows_of = "waits",
    .default_rows = 10,
    PROF_GPU_ROWS(wait_fields, waits.rows, waits.count),
};

/* ---- idle ---- */

static void add_why(struct prof_table *table, const void *why) {
  static const char *const whys[] = {[PROF_GPU_IDLE_HOST] = "host",
                                     [PROF_GPU_IDLE_LAUNCH] = "launch",
                                     [PROF_GPU_IDLE_QUEUED] = "queued",
                                     [PROF_GPU_IDLE_UNKNOWN] = "unknown"};
  prof_table_text(table, whys[*(const enum prof_gpu_idle_why *)why]);
}

#define IN(member) PROF_MEMBER(struct prof_gpu_idle_row, member)
static const struct prof_field idle_fields[] = {
    {{"gaps", "GAPS", PROF_CELL_COUNT}, IN(sum.count)},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, IN(sum.total_ns)},
    {{"share", "SHARE", PROF_CELL_SHARE}, IN(sum.share)},
    {{"max_ns", "MAX", PROF_CELL_NS}, IN(sum.max_ns)},
    {{"why", "WHY", PROF_CELL_TEXT}, IN(why), .cell = add_why},
    {{"call", "CALL", PROF_CELL_TEXT}, IN(sum.call)},
    {{"host_path", NULL, PROF_CELL_TEXT}, IN(sum.path)},
    {{NULL, "HOST PATH", PROF_CELL_TEXT}, IN(sum.path), .cell = add_host_path},
};

const struct prof_gpu_part prof_gpu_idle_part = {
    .name = "idle",
    .title = "GPU idle time, by what the host did",
    .rows_of = "host paths",
    .default_rows = 10,
    PROF_GPU_ROWS(idle_fields, idle.rows, idle.count),
};
