/*
 * tools/analysis/gpu_rows.c - see gpu_rows.h.
 */
#include "analysis/gpu_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

enum { PATH_BYTES = 4096, PATH_FRAMES = 256, COPY_MEMORIES = 16, QUANTILES = 1 };

static const char *const copy_kinds[] = {
    "copy",           "host to device",  "device to host",  "host to array",    "array to host",
    "array to array", "array to device", "device to array", "device to device", "host to host",
    "peer to peer"};
static const char *const memories[] = {"", "pageable", "pinned", "device", "array", "managed", "static", "managed"};

uint32_t prof_gpu_work_name(struct prof_gpu_work *work, uint32_t source, uint32_t text) {
  uint64_t wanted = (uint64_t)source << 32 | text;
  for (size_t i = work->seen.count; i > 0; i--) /* few, and the last ones are asked for most */
    if (work->seen.items[i - 1] == wanted)
      return work->seen_keys.items[i - 1];
  const char *name = prof_trace_gpu_text(work->trace, source, text);
  uint32_t key = 0;
  while (key < work->kernel_names.count && strcmp(work->kernel_names.items[key], name) != 0)
    key++;
  bool good = key < work->kernel_names.count || prof_vec_push(&work->kernel_names, name);
  return good && prof_vec_push(&work->seen, wanted) && prof_vec_push(&work->seen_keys, key) ? key : PROF_NONE;
}

/* The host's side: where it comes from, else where it goes. */
uint32_t prof_gpu_copy_key(uint64_t kind, uint64_t from, uint64_t to) {
  bool to_host = kind == 2 || kind == 4, of_host = to_host || kind == 1 || kind == 3 || kind == 9;
  uint64_t memory = !of_host ? 0 : to_host ? to : from;
  kind = kind < sizeof copy_kinds / sizeof *copy_kinds ? kind : 0;
  return (uint32_t)(kind * COPY_MEMORIES + (memory < sizeof memories / sizeof *memories ? memory : 0));
}

/* ---- texts ---- */

static const char *keep(struct prof_arena *arena, const char *text) {
  const char *copy = prof_arena_copy(arena, text, strlen(text));
  return copy != NULL ? copy : "";
}

static const char *name_of(const struct prof_gpu_work *work, struct prof_arena *arena, uint32_t key) {
  enum { CXX = 2 }; /* wire/row.h: what nvcc makes names of */
  struct prof_name_buffer buffer = {0};
  const char *name = work->kernel_names.items[key];
  name = keep(arena, *name != 0 ? prof_name_demangle(name, CXX, work->demangle, &buffer) : "[unnamed]");
  free(buffer.text);
  return name;
}

/* "main > step", outermost first; of -D N only the first N. */
static const char *path_of(const struct prof_gpu_work *work, struct prof_arena *arena, uint32_t path) {
  uint32_t frames[PATH_FRAMES], count = 0;
  char text[PATH_BYTES] = "";
  size_t used = 0;
  for (uint32_t at = path; at != 0; at = prof_gpu_join_parent(work->join, at)) {
    memmove(frames + 1, frames, (count < PATH_FRAMES ? count : PATH_FRAMES - 1) * sizeof *frames);
    frames[0] = at;
    count += count < PATH_FRAMES;
  }
  if (work->filter->depth > 0 && count > work->filter->depth)
    count = work->filter->depth;
  for (uint32_t i = 0; i < count && used < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " > " : "",
                             prof_names_function(work->names, prof_gpu_join_function(work->join, frames[i])));
  return keep(arena, text);
}

/* ---- rows ---- */

/* Of the groups of `key`: the one with most time, of equals with most launches; and how many there are. */
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
  if (a->total_ns != b->total_ns)
    return a->total_ns > b->total_ns ? -1 : 1;
  int order = strcmp(a->name, b->name);
  return order != 0 ? order : strcmp(a->path, b->path);
}

static int compare_copies(const void *left, const void *right) {
  const struct prof_gpu_copy_row *a = left, *b = right;
  if (a->total_ns != b->total_ns)
    return a->total_ns > b->total_ns ? -1 : 1;
  int order = strcmp(a->kind, b->kind);
  return order != 0 ? order : strcmp(a->path, b->path);
}

static struct prof_gpu_kernel_row kernel_row(struct prof_gpu_work *work, struct prof_arena *arena,
                                             const struct prof_gpu_groups *groups, const struct prof_gpu_group *group,
                                             uint64_t whole) {
  static const double quantiles[QUANTILES] = {0.95};
  struct prof_gpu_kernel_row row = {.launches = group->count, .paths = 1};
  const struct prof_gpu_group *main = group;
  uint64_t p95 = 0;
  if (groups != &work->kernels)
    main = main_path(&work->kernels, group->key, &row.paths);
  prof_histogram_quantiles(&groups->histograms, &group->durations, quantiles, QUANTILES, &p95);
  row.name = name_of(work, arena, group->key);
  row.path = path_of(work, arena, main->path);
  row.call = main->call != 0 ? prof_trace_gpu_text(work->trace, main->source, main->call) : "";
  row.total_ns = prof_trace_ns(work->trace, group->total);
  row.avg_ns = group->timed > 0 ? prof_trace_ns(work->trace, group->total / group->timed) : 0;
  row.min_ns = prof_trace_ns(work->trace, group->min);
  row.max_ns = prof_trace_ns(work->trace, group->max);
  row.p95_ns = prof_trace_ns(work->trace, p95);
  row.share = share_of(group->total, whole);
  memcpy(row.grid, group->grid, sizeof row.grid);
  memcpy(row.block, group->block, sizeof row.block);
  row.grids_differ = group->grids_differ;
  row.registers = group->registers;
  row.static_shared = group->static_shared;
  row.dynamic_shared = group->dynamic_shared;
  return row;
}

static struct prof_gpu_copy_row copy_row(struct prof_gpu_work *work, struct prof_arena *arena,
                                         const struct prof_gpu_groups *groups, const struct prof_gpu_group *group,
                                         uint64_t whole) {
  struct prof_gpu_copy_row row = {.count = group->count, .paths = 1, .bytes = group->bytes};
  const struct prof_gpu_group *main = group;
  bool is_set = group->key == PROF_GPU_SET_KEY;
  if (groups != &work->copies)
    main = main_path(&work->copies, group->key, &row.paths);
  row.kind = is_set ? "set" : copy_kinds[group->key / COPY_MEMORIES];
  row.memory = is_set ? "" : memories[group->key % COPY_MEMORIES];
  row.path = path_of(work, arena, main->path);
  row.call = main->call != 0 ? prof_trace_gpu_text(work->trace, main->source, main->call) : "";
  row.total_ns = prof_trace_ns(work->trace, group->total);
  row.min_ns = prof_trace_ns(work->trace, group->min);
  row.max_ns = prof_trace_ns(work->trace, group->max);
  row.bytes_per_second = row.total_ns > 0 ? (uint64_t)((double)row.bytes / (double)row.total_ns * 1e9) : 0;
  row.share = share_of(group->total, whole);
  return row;
}

prof_status prof_gpu_work_rows(struct prof_gpu_work *work, enum prof_gpu_by by, struct prof_gpu_rows *out) {
  struct prof_gpu_groups kernel_sums = {0}, copy_sums = {0};
  const struct prof_gpu_groups *kernels = &work->kernels, *copies = &work->copies;
  struct prof_arena *arena = calloc(1, sizeof *arena);
  out->storage = arena;
  bool good = arena != NULL && !work->kernels.histograms.failed;
  if (by == PROF_GPU_BY_KERNEL) {
    good = good && prof_gpu_groups_sum(&kernel_sums, kernels) && prof_gpu_groups_sum(&copy_sums, copies);
    kernels = &kernel_sums;
    copies = &copy_sums;
  }
  out->kernels = calloc(kernels->items.count + 1, sizeof *out->kernels);
  out->copies = calloc(copies->items.count + 1, sizeof *out->copies);
  good = good && out->kernels != NULL && out->copies != NULL;
  for (size_t i = 0; good && i < kernels->items.count; i++)
    out->kernels[out->kernel_count++] =
        kernel_row(work, arena, kernels, &kernels->items.items[i], total_of(&work->kernels));
  for (size_t i = 0; good && i < copies->items.count; i++)
    out->copies[out->copy_count++] = copy_row(work, arena, copies, &copies->items.items[i], total_of(&work->copies));
  if (good) {
    qsort(out->kernels, out->kernel_count, sizeof *out->kernels, compare_kernels);
    qsort(out->copies, out->copy_count, sizeof *out->copies, compare_copies);
  }
  prof_gpu_groups_fini(&kernel_sums);
  prof_gpu_groups_fini(&copy_sums);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_work_fini(struct prof_gpu_work *work) {
  prof_gpu_join_free(work->join);
  prof_gpu_groups_fini(&work->kernels);
  prof_gpu_groups_fini(&work->copies);
  prof_vec_fini(&work->kernel_names);
  prof_vec_fini(&work->seen);
  prof_vec_fini(&work->seen_keys);
}

void prof_gpu_rows_free(struct prof_gpu_rows *rows) {
  if (rows->storage != NULL)
    prof_arena_fini(rows->storage);
  free(rows->storage);
  free(rows->kernels);
  free(rows->copies);
  rows->storage = NULL;
  rows->kernels = NULL;
  rows->copies = NULL;
  rows->kernel_count = rows->copy_count = 0;
}
