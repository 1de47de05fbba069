/*
 * tools/analysis/gpu/gpu_rows.c - see gpu_rows.h.
 */
#include "analysis/gpu/gpu_rows.h"

#include <string.h>

#include "analysis/gpu/gpu_occupancy.h"
#include "base/order.h"
#include "base/whole.h"

enum { QUANTILES = 1 };

/* ---- rows ---- */

/* The group of `key` with most time, of equals with most launches; *paths: how many groups there are. */
static const struct prof_gpu_group *main_path(const struct prof_gpu_groups *groups, uint32_t key, uint64_t *paths) {
  const struct prof_gpu_group *best = NULL;
  *paths = 0;
  for (size_t i = 0; i < groups->items.count; i++) {
    const struct prof_gpu_group *group = &groups->items.items[i];
    if (group->key != key)
      continue;
    ++*paths;
    if (best == NULL || group->total > best->total || (group->total == best->total && group->count > best->count))
      best = group;
  }
  return best;
}

static double share_of(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

static uint64_t total_of(const struct prof_gpu_groups *groups) {
  uint64_t total = 0;
  for (size_t i = 0; i < groups->items.count; i++)
    total += groups->items.items[i].total;
  return total;
}

static int compare_kernels(const void *left, const void *right) {
  const struct prof_gpu_kernel_row *a = left, *b = right;
  return prof_order(b->total_ns, a->total_ns) ?: strcmp(a->name, b->name) ?: strcmp(a->path, b->path);
}

static int compare_copies(const void *left, const void *right) {
  const struct prof_gpu_copy_row *a = left, *b = right;
  return prof_order(b->total_ns, a->total_ns) ?: strcmp(a->kind, b->kind) ?: strcmp(a->path, b->path);
}

/* By the group's first launch. */
static void set_occupancy(const struct prof_gpu_work *work, const struct prof_gpu_group *group,
                          struct prof_gpu_kernel_row *row) {
  static const char *const limits[] = {[PROF_GPU_LIMIT_NONE] = "",
                                       [PROF_GPU_LIMIT_WARPS] = "warps",
                                       [PROF_GPU_LIMIT_BLOCKS] = "blocks",
                                       [PROF_GPU_LIMIT_REGISTERS] = "registers",
                                       [PROF_GPU_LIMIT_SHARED] = "shared memory"};
  struct prof_gpu_occupancy occupancy = {0};
  if (group->device != PROF_NONE) {
    const struct prof_gpu_device_info *device = &work->study->timeline.devices.items[group->device];
    struct prof_gpu_occupancy_limits of = {device->capability, device->warp_threads, device->max_warps,
                                           device->max_blocks, device->max_shared,   device->max_registers};
    occupancy = prof_gpu_occupancy_of(&of, group->block[0] * group->block[1] * group->block[2], group->first_registers,
                                      group->first_shared);
  }
  row->occupancy = occupancy.share;
  row->occupancy_limit = limits[occupancy.limit];
}

static struct prof_gpu_kernel_row kernel_row(struct prof_gpu_work *work, const struct prof_gpu_groups *groups,
                                             const struct prof_gpu_group *group, uint64_t whole) {
  static const double quantiles[QUANTILES] = {0.95};
  struct prof_gpu_kernel_row row = {.launches = group->count, .paths = 1};
  const struct prof_gpu_group *main = group;
  uint64_t p95 = 0;
  if (groups != &work->kernels)
    main = main_path(&work->kernels, group->key, &row.paths);
  prof_histogram_quantiles(&groups->histograms, &group->durations, quantiles, QUANTILES, &p95);
  row.name = work->study->kernels[group->key];
  row.short_name = work->study->short_kernels[group->key];
  set_occupancy(work, group, &row);
  row.path = prof_gpu_study_path(work->study, main->path);
  row.created = prof_gpu_study_path(work->study, main->created);
  row.call = main->call != 0 ? prof_trace_gpu_text(work->study->trace, main->source, main->call) : "";
  row.total_ns = prof_trace_ns(work->study->trace, group->total);
  row.avg_ns = group->timed > 0 ? prof_trace_ns(work->study->trace, group->total / group->timed) : 0;
  row.min_ns = prof_trace_ns(work->study->trace, group->min);
  row.max_ns = prof_trace_ns(work->study->trace, group->max);
  row.p95_ns = prof_trace_ns(work->study->trace, p95);
  row.share = share_of(group->total, whole);
  memcpy(row.grid, group->grid, sizeof row.grid);
  memcpy(row.block, group->block, sizeof row.block);
  row.grids_differ = group->grids_differ;
  row.registers = group->registers;
  row.static_shared = group->static_shared;
  row.dynamic_shared = group->dynamic_shared;
  return row;
}

static struct prof_gpu_copy_row copy_row(struct prof_gpu_work *work, const struct prof_gpu_groups *groups,
                                         const struct prof_gpu_group *group, uint64_t whole) {
  struct prof_gpu_copy_row row = {.count = group->count, .paths = 1, .bytes = group->bytes};
  const struct prof_gpu_group *main = group;
  if (groups != &work->copies)
    main = main_path(&work->copies, group->key, &row.paths);
  row.kind = prof_gpu_copy_kind(group->key);
  row.memory = prof_gpu_copy_memory(group->key);
  row.path = prof_gpu_study_path(work->study, main->path);
  row.created = prof_gpu_study_path(work->study, main->created);
  row.call = main->call != 0 ? prof_trace_gpu_text(work->study->trace, main->source, main->call) : "";
  row.total_ns = prof_trace_ns(work->study->trace, group->total);
  row.min_ns = prof_trace_ns(work->study->trace, group->min);
  row.max_ns = prof_trace_ns(work->study->trace, group->max);
  row.bytes_per_second = row.total_ns > 0 ? prof_whole((double)row.bytes / (double)row.total_ns * 1e9) : 0;
  row.share = share_of(group->total, whole);
  return row;
}

prof_status prof_gpu_work_rows(struct prof_gpu_work *work, enum prof_gpu_by by, struct prof_gpu_rows *out) {
  struct prof_gpu_groups kernel_sums = {0}, copy_sums = {0};
  const struct prof_gpu_groups *kernels = &work->kernels, *copies = &work->copies;
  bool good = !work->kernels.histograms.failed;
  if (by == PROF_GPU_BY_KERNEL) {
    good = good && prof_gpu_groups_sum(&kernel_sums, kernels) && prof_gpu_groups_sum(&copy_sums, copies);
    kernels = &kernel_sums;
    copies = &copy_sums;
  }
  out->kernels = calloc(kernels->items.count + 1, sizeof *out->kernels);
  out->copies = calloc(copies->items.count + 1, sizeof *out->copies);
  good = good && out->kernels != NULL && out->copies != NULL;
  for (size_t i = 0; good && i < kernels->items.count; i++)
    out->kernels[out->kernel_count++] = kernel_row(work, kernels, &kernels->items.items[i], total_of(&work->kernels));
  for (size_t i = 0; good && i < copies->items.count; i++)
    out->copies[out->copy_count++] = copy_row(work, copies, &copies->items.items[i], total_of(&work->copies));
  if (good) {
    qsort(out->kernels, out->kernel_count, sizeof *out->kernels, compare_kernels);
    qsort(out->copies, out->copy_count, sizeof *out->copies, compare_copies);
  }
  prof_gpu_groups_fini(&kernel_sums);
  prof_gpu_groups_fini(&copy_sums);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_work_fini(struct prof_gpu_work *work) {
  prof_gpu_groups_fini(&work->kernels);
  prof_gpu_groups_fini(&work->copies);
}

void prof_gpu_rows_free(struct prof_gpu_rows *rows) {
  free(rows->kernels);
  free(rows->copies);
  rows->kernels = NULL;
  rows->copies = NULL;
  rows->kernel_count = rows->copy_count = 0;
}
