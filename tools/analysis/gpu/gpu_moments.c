/*
 * tools/analysis/gpu/gpu_moments.c - see gpu_moments.h.
 */
#include "analysis/gpu/gpu_moments.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/order.h"
#include "fold/marks.h"

struct moment {
  uint64_t time, ticks;
  uint32_t thread;
};

struct moments {
  PROF_VEC(struct moment) items; /* by thread, then time */
  struct prof_fold_marks marks;
  size_t *first;
};

static int compare(const void *left, const void *right) {
  const struct moment *a = left, *b = right;
  return prof_order(a->thread, b->thread) ?: prof_order(a->time, b->time);
}

/* Makes a moment per call that launched GPU work; false: no memory. */
static bool gather(const struct prof_gpu_study *study, struct moments *moments) {
  uint64_t *of_call = calloc(study->call_count + 1, sizeof *of_call);
  bool good = of_call != NULL;
  for (size_t i = 0; good && i < study->timeline.spans.count; i++) {
    const struct prof_gpu_span *span = &study->timeline.spans.items[i];
    uint64_t begin = span->start, end = span->start + 1;
    if (span->call != PROF_NONE && prof_gpu_study_clip(study, &begin, &end))
      of_call[span->call] += span->end - span->start;
  }
  for (size_t i = 0; good && i < study->call_count; i++)
    if (of_call[i] > 0 && study->calls[i].thread != PROF_NONE)
      good = prof_vec_push(&moments->items, (struct moment){study->calls[i].start, of_call[i], study->calls[i].thread});
  free(of_call);
  if (good && moments->items.count > 0)
    qsort(moments->items.items, moments->items.count, sizeof *moments->items.items, compare);
  return good;
}

static bool make_marks(const prof_trace *trace, struct moments *moments) {
  size_t threads, at = 0;
  prof_trace_threads(trace, &threads);
  moments->first = calloc(threads + 1, sizeof *moments->first);
  moments->marks.items = calloc(moments->items.count + 1, sizeof *moments->marks.items);
  moments->marks.first = moments->first;
  if (moments->first == NULL || moments->marks.items == NULL)
    return false;
  for (size_t i = 0; i < moments->items.count; i++)
    moments->marks.items[i] = (struct prof_fold_mark){.time = moments->items.items[i].time, .node = PROF_NONE};
  for (uint32_t thread = 0; thread <= threads; thread++) {
    while (at < moments->items.count && moments->items.items[at].thread < thread)
      at++;
    moments->first[thread] = at;
  }
  return true;
}

prof_status prof_gpu_moments_fold(const struct prof_gpu_study *study, struct prof_diag *diag,
                                  struct prof_gpu_moments *out) {
  struct moments moments = {0};
  struct prof_fold_options options = {.marks = &moments.marks, .places = true, .raw = true};
  *out = (struct prof_gpu_moments){0};
  prof_status status = gather(study, &moments) && make_marks(study->trace, &moments) ? PROF_OK : prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_profile_fold(study->trace, study->filter, &options, diag, &out->profile);
  if (status == PROF_EMPTY) {
    out->profile = NULL;
    status = PROF_OK;
  }
  if (status == PROF_OK && out->profile != NULL &&
      (out->ticks = calloc(out->profile->node_count, sizeof *out->ticks)) == NULL)
    status = prof_diag_memory(diag);
  for (size_t i = 0; status == PROF_OK && out->profile != NULL && i < moments.items.count; i++)
    if (moments.marks.items[i].state != PROF_MARK_UNSEEN && moments.marks.items[i].node != PROF_NONE)
      out->ticks[moments.marks.items[i].node] += moments.items.items[i].ticks;
  if (status != PROF_OK)
    prof_gpu_moments_free(out);
  prof_vec_fini(&moments.items);
  free(moments.marks.items);
  free(moments.first);
  return status;
}

void prof_gpu_moments_free(struct prof_gpu_moments *moments) {
  prof_profile_free(moments->profile);
  free(moments->ticks);
  *moments = (struct prof_gpu_moments){0};
}
