/*
 * tools/analysis/gaps.c - see gaps.h.
 */
#include "analysis/gaps.h"

#include <string.h>

#include "base/diag.h"
#include "estimate/measured_pauses.h"

/* ---- reading everything ---- */

/* Damage is counted in the trace; only a lack of memory stops. */
static prof_status read_events(const prof_trace *trace, struct prof_diag *diag) {
  size_t count;
  prof_trace_chunks(trace, &count);
  struct prof_chunk chunk = {0};
  prof_status status = PROF_OK;
  for (size_t i = 0; i < count && status != PROF_NO_MEMORY; i++)
    status = prof_chunk_load(trace, i, diag, &chunk);
  prof_chunk_free(&chunk);
  return status;
}

/* Chunks of another kind, which load in the same way: counted in *damaged. */
#define READ(KIND)                                                                                                     \
  static prof_status read_##KIND(const prof_trace *trace, struct prof_diag *diag, uint64_t *damaged) {                 \
    size_t count;                                                                                                      \
    prof_trace_##KIND##_chunks(trace, &count);                                                                         \
    struct prof_##KIND##_chunk chunk = {0};                                                                            \
    prof_status status = PROF_OK;                                                                                      \
    for (size_t i = 0; i < count && status != PROF_NO_MEMORY; i++) {                                                   \
      status = prof_##KIND##_chunk_load(trace, i, diag, &chunk);                                                       \
      *damaged += status != PROF_OK;                                                                                   \
    }                                                                                                                  \
    prof_##KIND##_chunk_free(&chunk);                                                                                  \
    return status;                                                                                                     \
  }
READ(sample)
READ(window)
READ(gpu)

static prof_status read_all(const prof_trace *trace, struct prof_diag *diag, uint64_t *damaged) {
  prof_status status = read_events(trace, diag);
  if (status != PROF_NO_MEMORY)
    status = read_sample(trace, diag, damaged);
  if (status != PROF_NO_MEMORY)
    status = read_window(trace, diag, damaged);
  if (status != PROF_NO_MEMORY)
    status = read_gpu(trace, diag, damaged);
  return status == PROF_NO_MEMORY ? status : PROF_OK;
}

/* ---- counts ---- */

typedef uint64_t gap_counts[PROF_GAP_KINDS];

static void count_end(const prof_trace *trace, gap_counts counts) {
  enum { END_PROGRAM = 1, END_SIZE, END_INTERRUPTED, END_WRITE };
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  counts[PROF_GAP_CUT_SHORT] = damage.cut && !info->in_progress;
  counts[PROF_GAP_IN_PROGRESS] = damage.cut && info->in_progress;
  counts[PROF_GAP_SIZE_LIMIT] = info->complete && info->end_reason == END_SIZE;
  counts[PROF_GAP_NOT_WRITTEN] = info->complete && info->end_reason == END_WRITE;
  counts[PROF_GAP_INTERRUPTED] = info->complete && info->end_reason == END_INTERRUPTED;
  counts[PROF_GAP_LOST_EVENTS] = info->lost;
  counts[PROF_GAP_NO_EVENTS] = info->events == 0;
  counts[PROF_GAP_UNREADABLE_BYTES] = damage.bytes_skipped;
  counts[PROF_GAP_DAMAGED_CHUNKS] += damage.chunks_damaged;
}

/* By the folder that the trace lies in: docs/trace-format.md has its name. */
static void count_parts_beside(const prof_trace *trace, gap_counts counts) {
  const char *path = prof_trace_info(trace)->path, *end = strrchr(path, '/'), *begin = end;
  while (begin && begin > path && begin[-1] != '/')
    begin--;
  if (!begin)
    return;
  counts[PROF_GAP_PART] = strncmp(begin, "part-", 5) == 0 && strspn(begin + 5, "0123456789") >= 4;
  counts[PROF_GAP_SNAPSHOT] = strncmp(begin, "snapshot-", 9) == 0 && strspn(begin + 9, "0123456789") >= 4;
}

static void count_threads(const prof_trace *trace, gap_counts counts) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  for (size_t i = 0; i < count; i++) {
    counts[PROF_GAP_TORN_EVENTS] += threads[i].torn;
    if (!processes[threads[i].process].sliced) /* else calls were open when a slice began */
      counts[PROF_GAP_UNMATCHED_EXITS] += threads[i].unmatched;
    counts[PROF_GAP_TOO_DEEP_CALLS] += threads[i].too_deep;
    counts[PROF_GAP_INVERSIONS] += threads[i].inversions;
  }
}

static void count_parts(const prof_trace *trace, gap_counts counts) {
  size_t count;
  const struct prof_load *loads = prof_trace_loads(trace, &count);
  for (size_t i = 0; i < count; i++)
    counts[PROF_GAP_SKIPPED_SITES] += loads[i].skipped;
  const struct prof_lacking *lacking = prof_trace_lacking(trace, &count);
  for (size_t i = 0; i < count; i++)
    counts[PROF_GAP_MISSING_CHUNKS] += lacking[i].missing;
  const struct prof_gpu_source *sources = prof_trace_gpu_sources(trace, &count);
  for (size_t i = 0; i < count; i++)
    counts[PROF_GAP_LOST_GPU_RECORDS] += sources[i].figures[PROF_GPU_DROPPED] +
                                         sources[i].figures[PROF_GPU_LOST_CALLS] +
                                         sources[i].figures[PROF_GPU_LOST_RECORDS];
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  for (size_t i = 0; i < count; i++)
    counts[PROF_GAP_SLICES] += processes[i].sliced;
  prof_trace_states(trace, &count);
  counts[PROF_GAP_BURSTS] = count > 0;
}

static void count_samples(const prof_trace *trace, gap_counts counts) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  bool none = !sampler || sampler->method == PROF_SAMPLER_NONE;
  counts[PROF_GAP_NO_SAMPLES] = none;
  counts[PROF_GAP_NO_SWITCHES] = !none && !prof_pauses_are_known(trace);
  counts[PROF_GAP_LOST_SAMPLES] = sampler ? sampler->lost + sampler->throttled : 0;
  counts[PROF_GAP_UNSAMPLED_THREADS] = sampler ? sampler->unsampled : 0;
}

static const char *first_of(const prof_trace *trace, const struct prof_kept_files *kept, enum prof_gap_kind kind) {
  size_t count;
  const struct prof_lacking *lacking = prof_trace_lacking(trace, &count);
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  switch (kind) {
  case PROF_GAP_MISSING_CHUNKS:
    return lacking[0].kind;
  case PROF_GAP_NO_SAMPLES:
  case PROF_GAP_NO_SWITCHES:
    return sampler && sampler->reason[0] ? sampler->reason : NULL;
  case PROF_GAP_MODULES_GONE:
    return kept->modules_gone.first;
  case PROF_GAP_MODULES_BARE:
    return kept->modules_bare.first;
  case PROF_GAP_SOURCES_GONE:
    return kept->sources_gone.first;
  case PROF_GAP_SOURCES_CHANGED:
    return kept->sources_changed.first;
  default:
    return NULL;
  }
}

prof_status prof_gaps_find(const prof_trace *trace, const struct prof_kept_files *kept, struct prof_diag *diag,
                           struct prof_gaps *out) {
  gap_counts counts = {0};
  *out = (struct prof_gaps){0};
  if (read_all(trace, diag, &counts[PROF_GAP_DAMAGED_CHUNKS]) != PROF_OK)
    return prof_diag_memory(diag);
  count_end(trace, counts);
  count_parts_beside(trace, counts);
  count_threads(trace, counts);
  count_parts(trace, counts);
  count_samples(trace, counts);
  if (kept) {
    counts[PROF_GAP_MODULES_GONE] = kept->modules_gone.count;
    counts[PROF_GAP_MODULES_BARE] = kept->modules_bare.count;
    counts[PROF_GAP_SOURCES_GONE] = kept->sources_gone.count;
    counts[PROF_GAP_SOURCES_CHANGED] = kept->sources_changed.count;
  }
  for (int kind = 0; kind < PROF_GAP_KINDS; kind++)
    if (counts[kind] > 0) {
      out->losses += prof_gap_is_loss((enum prof_gap_kind)kind);
      out->list[out->count++] =
          (struct prof_gap){(enum prof_gap_kind)kind, counts[kind], first_of(trace, kept, (enum prof_gap_kind)kind)};
    }
  return PROF_OK;
}
