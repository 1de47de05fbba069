/*
 * tools/analysis/gpu/gpu.c - see gpu.h.
 *
 *    chunks of records ──> call by correlation ──> filter by its path ──> group (kernel or kind, path) ──> rows
 */
#include "analysis/gpu/gpu.h"

#include <string.h>

#include "base/diag.h"
#include "fold/gpu_chunks.h"

struct pass {
  struct prof_gpu_study *study;
  struct prof_gpu_work *work;
  const struct prof_gpu_chunk *chunk;
  struct prof_gpu_cover *cover;
};

static bool is_shown(const struct pass *pass, const struct prof_gpu_api_call *call, uint64_t start, uint64_t duration) {
  const struct prof_filter *filter = pass->study->filter;
  if (!filter->active)
    return true;
  bool ranged = start != 0 || (filter->begin_ticks == 0 && filter->end_ticks == UINT64_MAX);
  return prof_gpu_study_shows(pass->study, call != NULL ? call->path : 0, call != NULL ? call->thread : PROF_NONE) &&
         duration >= filter->min_ticks && ranged &&
         (start == 0 || (start >= filter->begin_ticks && start < filter->end_ticks));
}

/* ---- records into groups ---- */

static void note_early(struct pass *pass, const struct prof_gpu_api_call *call, uint64_t start) {
  if (call == NULL || start == 0 || start >= call->start)
    return;
  uint64_t early_ns = prof_trace_ns(pass->study->trace, call->start - start);
  pass->cover->early++;
  if (early_ns > pass->cover->early_worst_ns)
    pass->cover->early_worst_ns = early_ns;
}

/* Adds a shown record to its group; NULL: no memory. */
static struct prof_gpu_group *put(struct pass *pass, struct prof_gpu_groups *groups, uint32_t key, uint32_t at,
                                  const struct prof_gpu_api_call *call) {
  uint64_t start = pass->chunk->columns[PROF_GPU_START][at], duration = pass->chunk->columns[PROF_GPU_DURATION][at];
  /* By the time of the launch: when it runs, another node may have its number. */
  const struct prof_gpu_api_call *maker =
      prof_gpu_nodes_call(&pass->study->nodes, pass->study->join, pass->chunk->source,
                          pass->chunk->columns[PROF_GPU_GRAPH_NODE][at], call != NULL ? call->start : start);
  struct prof_gpu_group *group =
      prof_gpu_groups_at(groups, key, call != NULL ? call->path : 0, maker != NULL ? maker->path : 0);
  if (group == NULL)
    return NULL;
  if (group->count == 0 && call != NULL) {
    group->call = call->name;
    group->source = call->source;
  }
  pass->cover->unmatched += call == NULL;
  pass->cover->untimed += start == 0;
  pass->cover->pathless += call != NULL && call->path == 0;
  note_early(pass, call, start);
  prof_gpu_groups_add(groups, group, duration, start != 0);
  return group;
}

static void keep_larger(uint64_t *to, uint64_t value) {
  *to = value > *to ? value : *to;
}

static bool take_kernel(struct pass *pass, uint32_t at, const struct prof_gpu_api_call *call) {
  const uint64_t *const *columns = pass->chunk->columns;
  const struct prof_gpu_timeline *timeline = &pass->study->timeline;
  uint32_t key = prof_gpu_timeline_kernel(timeline, pass->chunk->source, columns[PROF_GPU_NAME][at]);
  struct prof_gpu_group *group = key != PROF_NONE ? put(pass, &pass->work->kernels, key, at, call) : NULL;
  if (group == NULL)
    return false;
  if (group->count == 1) {
    group->first_registers = columns[PROF_GPU_REGISTERS][at];
    group->first_shared = columns[PROF_GPU_STATIC_SHARED][at] + columns[PROF_GPU_DYNAMIC_SHARED][at];
    group->device = prof_gpu_timeline_device(timeline, pass->chunk->source, columns[PROF_GPU_DEVICE_ID][at]);
  }
  for (size_t i = 0; i < 3; i++) {
    uint64_t grid = columns[PROF_GPU_GRID_X + i][at], block = columns[PROF_GPU_BLOCK_X + i][at];
    if (group->count == 1) {
      group->grid[i] = grid;
      group->block[i] = block;
    }
    group->grids_differ |= group->grid[i] != grid || group->block[i] != block;
  }
  keep_larger(&group->registers, columns[PROF_GPU_REGISTERS][at]);
  keep_larger(&group->static_shared, columns[PROF_GPU_STATIC_SHARED][at]);
  keep_larger(&group->dynamic_shared, columns[PROF_GPU_DYNAMIC_SHARED][at]);
  pass->cover->kernels++;
  pass->cover->kernel_ns += columns[PROF_GPU_DURATION][at];
  return true;
}

static bool take_copy(struct pass *pass, uint32_t at, const struct prof_gpu_api_call *call) {
  const uint64_t *const *columns = pass->chunk->columns;
  uint32_t key = prof_gpu_copy_sort(columns[PROF_GPU_KIND][at], columns[PROF_GPU_FROM][at], columns[PROF_GPU_TO][at]);
  struct prof_gpu_group *group = put(pass, &pass->work->copies, key, at, call);
  if (group == NULL)
    return false;
  group->bytes += columns[PROF_GPU_BYTES][at];
  pass->cover->copies++;
  if (strcmp(prof_gpu_copy_memory(key), "pageable") == 0) {
    pass->cover->pageable++;
    pass->cover->pageable_bytes += columns[PROF_GPU_BYTES][at];
    pass->cover->pageable_ns += columns[PROF_GPU_DURATION][at];
  }
  pass->cover->copy_ns += columns[PROF_GPU_DURATION][at];
  return true;
}

static bool take_set(struct pass *pass, uint32_t at, const struct prof_gpu_api_call *call) {
  struct prof_gpu_group *group = put(pass, &pass->work->copies, PROF_GPU_SET_SORT, at, call);
  if (group == NULL)
    return false;
  group->bytes += pass->chunk->columns[PROF_GPU_BYTES][at];
  pass->cover->sets++;
  pass->cover->set_ns += pass->chunk->columns[PROF_GPU_DURATION][at];
  return true;
}

static bool take_wait(struct pass *pass, uint32_t at, const struct prof_gpu_api_call *call) {
  (void)call;
  if (pass->chunk->columns[PROF_GPU_KIND][at] == PROF_GPU_WAIT_OF_STREAM)
    return true;
  pass->cover->waits++;
  pass->cover->wait_ns += pass->chunk->columns[PROF_GPU_DURATION][at];
  return true;
}

static bool (*const takers[PROF_GPU_RECORD_COUNT])(struct pass *, uint32_t, const struct prof_gpu_api_call *) = {
    [PROF_GPU_KERNEL] = take_kernel,
    [PROF_GPU_COPY] = take_copy,
    [PROF_GPU_SET] = take_set,
    [PROF_GPU_WAIT] = take_wait,
};

static bool take(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct pass *pass = context;
  const uint64_t *const *columns = chunk->columns;
  const struct prof_gpu_api_call *call =
      prof_gpu_join_call(pass->study->join, chunk->source, columns[PROF_GPU_CORRELATION][at]);
  pass->chunk = chunk;
  return !is_shown(pass, call, columns[PROF_GPU_START][at], columns[PROF_GPU_DURATION][at]) ||
         takers[chunk->record](pass, at, call);
}

/* ---- what the figures cover ---- */

static void count_calls(struct pass *pass) {
  size_t count;
  const struct prof_gpu_api_call *calls = prof_gpu_join_calls(pass->study->join, &count);
  for (size_t i = 0; i < count; i++)
    pass->cover->calls += !calls[i].nested && is_shown(pass, &calls[i], calls[i].start, calls[i].duration);
}

static void cover_sources(struct pass *pass) {
  size_t count;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(pass->study->trace, &count);
  struct prof_gpu_cover *cover = pass->cover;
  cover->sources = count;
  for (size_t i = 0; i < count; i++) {
    const uint64_t *figures = sources[i].figures;
    cover->dropped += figures[PROF_GPU_DROPPED];
    cover->unknown += figures[PROF_GPU_UNKNOWN];
    cover->lost += figures[PROF_GPU_LOST_CALLS] + figures[PROF_GPU_LOST_RECORDS];
    cover->hung += figures[PROF_GPU_HUNG];
    cover->converted |= !sources[i].own_clock;
    uint64_t error_ns = prof_trace_ns(pass->study->trace, figures[PROF_GPU_CLOCK_BRACKET]);
    cover->clock_error_ns = error_ns > cover->clock_error_ns ? error_ns : cover->clock_error_ns;
  }
  const struct prof_gpu_chunk_ref *refs = prof_trace_gpu_chunks(pass->study->trace, &count);
  for (size_t i = 0; i < count; i++)
    cover->devices += refs[i].record == PROF_GPU_DEVICE ? refs[i].count : 0;
}

static void sums_to_ns(struct pass *pass) {
  uint64_t *const sums[] = {&pass->cover->kernel_ns, &pass->cover->copy_ns, &pass->cover->set_ns, &pass->cover->wait_ns,
                            &pass->cover->pageable_ns};
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    *sums[i] = prof_trace_ns(pass->study->trace, *sums[i]);
}

prof_status prof_gpu_rank(struct prof_gpu_study *study, enum prof_gpu_by by, struct prof_diag *diag,
                          struct prof_gpu_rows *out) {
  struct prof_gpu_work work = {.study = study};
  struct pass pass = {.study = study, .work = &work, .cover = &out->cover};
  *out = (struct prof_gpu_rows){0};
  const uint32_t kinds = 1u << PROF_GPU_KERNEL | 1u << PROF_GPU_COPY | 1u << PROF_GPU_SET | 1u << PROF_GPU_WAIT;
  prof_status status = prof_gpu_records_visit(study->trace, kinds, take, &pass, &out->cover.damaged_chunks);
  if (status == PROF_OK) {
    out->cover.damaged_chunks += prof_gpu_join_damaged(study->join);
    count_calls(&pass);
    cover_sources(&pass);
    sums_to_ns(&pass);
    status = prof_gpu_work_rows(&work, by, out);
  }
  prof_gpu_work_fini(&work);
  if (status == PROF_NO_MEMORY) {
    prof_gpu_rows_free(out);
    return prof_diag_memory(diag);
  }
  const struct prof_gpu_cover *cover = &out->cover;
  if (cover->kernels + cover->copies + cover->sets + cover->calls == 0) {
    prof_gpu_rows_free(out);
    return prof_diag_fill(
        diag, PROF_EMPTY, prof_trace_info(study->trace)->path, PROF_NO_OFFSET,
        study->filter->active ? "leave out a filter" : "prof record --gpu=on says why, if the program uses CUDA",
        study->filter->active ? "no GPU activity passes the filters" : "this recording has no GPU activity");
  }
  return PROF_OK;
}
