/*
 * tools/command/gpu/gpu_work_parts.c - see gpu_parts.h: kernels and copies.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_parts.h"
#include "view/units.h"

/* ---- kernels ---- */

/* "256", "16x16", "16x16x2"; a "+": launches differ. */
static const char *shape(char out[80], const uint64_t size[3], bool differs) {
  const char *more = differs ? "+" : "";
  if (size[2] > 1)
    snprintf(out, 80, "%llux%llux%llu%s", (unsigned long long)size[0], (unsigned long long)size[1],
             (unsigned long long)size[2], more);
  else if (size[1] > 1)
    snprintf(out, 80, "%llux%llu%s", (unsigned long long)size[0], (unsigned long long)size[1], more);
  else
    snprintf(out, 80, "%llu%s", (unsigned long long)size[0], more);
  return out;
}

const char *prof_gpu_path_text(char out[PROF_GPU_PATH_BYTES], const char *path, uint64_t paths) {
  const char *shown = *path == 0 ? "[no instrumented function]" : path;
  if (paths > 1)
    snprintf(out, PROF_GPU_PATH_BYTES, "%s (and %llu more)", shown, (unsigned long long)(paths - 1));
  else
    snprintf(out, PROF_GPU_PATH_BYTES, "%s", shown);
  return out;
}

/* "main > run; created at main > build" */
static void add_path(struct prof_table *table, const char *path, const char *created, uint64_t paths) {
  char text[2 * PROF_GPU_PATH_BYTES], launched[PROF_GPU_PATH_BYTES];
  prof_gpu_path_text(launched, path, paths);
  snprintf(text, sizeof text, "%s%s%s", launched, *created != 0 ? "; created at " : "", created);
  prof_table_text(table, text);
}

static void add_grid(struct prof_table *table, const void *kernel) {
  const struct prof_gpu_kernel_row *row = kernel;
  char text[80];
  prof_table_text(table, shape(text, row->grid, row->grids_differ));
}

static void add_block(struct prof_table *table, const void *kernel) {
  const struct prof_gpu_kernel_row *row = kernel;
  char text[80];
  prof_table_text(table, shape(text, row->block, row->grids_differ));
}

static void add_shared(struct prof_table *table, const void *kernel) {
  const struct prof_gpu_kernel_row *row = kernel;
  char text[PROF_UNITS_BYTES];
  prof_table_text(table, prof_units_bytes(text, row->static_shared + row->dynamic_shared));
}

static void add_limit(struct prof_table *table, const void *kernel) {
  const struct prof_gpu_kernel_row *row = kernel;
  prof_table_text(table, row->occupancy < 1 ? row->occupancy_limit : "");
}

static void add_kernel_path(struct prof_table *table, const void *kernel) {
  const struct prof_gpu_kernel_row *row = kernel;
  add_path(table, row->path, row->created, row->paths);
}

#define IN(member) PROF_MEMBER(struct prof_gpu_kernel_row, member)
static const struct prof_field kernel_fields[] = {
    {{"launches", "CALLS", PROF_CELL_COUNT}, IN(launches)},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, IN(total_ns)},
    {{"share", "SHARE", PROF_CELL_SHARE}, IN(share)},
    {{"avg_ns", "AVG", PROF_CELL_NS}, IN(avg_ns)},
    {{"min_ns", "MIN", PROF_CELL_NS, .spare = 8}, IN(min_ns)},
    {{"max_ns", "MAX", PROF_CELL_NS, .spare = 3}, IN(max_ns)},
    {{"p95_ns", "P95", PROF_CELL_NS, .spare = 4}, IN(p95_ns)},
    {{"grid", "GRID", PROF_CELL_TEXT, .spare = 5}, .cell = add_grid},
    {{"block", "BLOCK", PROF_CELL_TEXT, .spare = 5}, .cell = add_block},
    {{"registers", "REGS", PROF_CELL_COUNT, .spare = 6}, IN(registers)},
    {{"static_shared_bytes", NULL, PROF_CELL_COUNT}, IN(static_shared)},
    {{"dynamic_shared_bytes", NULL, PROF_CELL_COUNT}, IN(dynamic_shared)},
    {{NULL, "SHARED", PROF_CELL_TEXT, .spare = 7}, .cell = add_shared},
    {{"occupancy", "OCC", PROF_CELL_SHARE, .spare = 2}, IN(occupancy)},
    {{"occupancy_limit", NULL, PROF_CELL_TEXT}, IN(occupancy_limit)},
    {{NULL, "LIMIT", PROF_CELL_TEXT, .spare = 3}, .cell = add_limit},
    {{"host_paths", NULL, PROF_CELL_COUNT}, IN(paths)},
    {{"call", NULL, PROF_CELL_TEXT}, IN(call)},
    {{"name", NULL, PROF_CELL_TEXT}, IN(name)},
    {{"short_name", "KERNEL", PROF_CELL_TEXT}, IN(short_name)},
    {{"created_path", NULL, PROF_CELL_TEXT}, IN(created)},
    {{"host_path", NULL, PROF_CELL_TEXT}, IN(path)},
    {{NULL, "HOST PATH", PROF_CELL_TEXT}, .cell = add_kernel_path},
};
#undef IN

const struct prof_gpu_part prof_gpu_kernels_part = {
    .name = "kernels",
    .title = "Kernels",
    .rows_of = "kernels",
    .default_rows = 20,
    PROF_GPU_ROWS(kernel_fields, work.kernels, work.kernel_count),
};

/* ---- copies ---- */

static void add_rate(struct prof_table *table, const void *bytes_per_second) {
  char text[PROF_UNITS_BYTES + 2], number[PROF_UNITS_BYTES];
  snprintf(text, sizeof text, "%s/s", prof_units_bytes(number, *(const uint64_t *)bytes_per_second));
  prof_table_text(table, text);
}

static void add_memory(struct prof_table *table, const void *memory) {
  const char *word = *(const char *const *)memory;
  char text[80];
  snprintf(text, sizeof text, "%s%s", word, strcmp(word, "pageable") == 0 ? " !" : "");
  prof_table_text(table, text);
}

static void add_copy_path(struct prof_table *table, const void *copy) {
  const struct prof_gpu_copy_row *row = copy;
  add_path(table, row->path, row->created, row->paths);
}

#define IN(member) PROF_MEMBER(struct prof_gpu_copy_row, member)
static const struct prof_field copy_fields[] = {
    {{"count", "COUNT", PROF_CELL_COUNT}, IN(count)},
    {{"total_ns", "TOTAL", PROF_CELL_NS}, IN(total_ns)},
    {{"share", "SHARE", PROF_CELL_SHARE}, IN(share)},
    {{"min_ns", NULL, PROF_CELL_NS}, IN(min_ns)},
    {{"max_ns", NULL, PROF_CELL_NS}, IN(max_ns)},
    {{"bytes", NULL, PROF_CELL_COUNT}, IN(bytes)},
    {{NULL, "BYTES", PROF_CELL_TEXT}, IN(bytes), .cell = prof_field_bytes},
    {{"bytes_per_second", NULL, PROF_CELL_COUNT}, IN(bytes_per_second)},
    {{NULL, "RATE", PROF_CELL_TEXT}, IN(bytes_per_second), .cell = add_rate},
    {{"kind", "COPY", PROF_CELL_TEXT}, IN(kind)},
    {{"host_memory", NULL, PROF_CELL_TEXT}, IN(memory)},
    {{NULL, "HOST MEMORY", PROF_CELL_TEXT}, IN(memory), .cell = add_memory},
    {{"host_paths", NULL, PROF_CELL_COUNT}, IN(paths)},
    {{"call", "CALL", PROF_CELL_TEXT}, IN(call)},
    {{"created_path", NULL, PROF_CELL_TEXT}, IN(created)},
    {{"host_path", NULL, PROF_CELL_TEXT}, IN(path)},
    {{NULL, "HOST PATH", PROF_CELL_TEXT}, .cell = add_copy_path},
};

static void remark_on_copies(const struct prof_gpu_result *result, FILE *file) {
  const struct prof_gpu_cover *cover = &result->work.cover;
  char count[PROF_UNITS_BYTES], bytes[PROF_UNITS_BYTES], time[PROF_UNITS_BYTES];
  if (cover->pageable > 0)
    fprintf(file, "! pageable copies: %s, %s in %s; pinned (cudaMallocHost) is faster\n",
            prof_units_count(count, cover->pageable), prof_units_bytes(bytes, cover->pageable_bytes),
            prof_units_duration(time, cover->pageable_ns));
}

const struct prof_gpu_part prof_gpu_copies_part = {
    .name = "copies",
    .title = "Copies and sets",
    .rows_of = "copies",
    .default_rows = 20,
    PROF_GPU_ROWS(copy_fields, work.copies, work.copy_count),
    .remark = remark_on_copies,
};
