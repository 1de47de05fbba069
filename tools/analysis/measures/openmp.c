/*
 * tools/analysis/measures/openmp.c - see openmp.h.
 *
 *    events -> sums per site, and per site and thread -> rows
 */
#include "analysis/measures/openmp.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "tally/sums_shown.h"

const char *const prof_openmp_sorts[] = {[PROF_OPENMP_WAIT] = "wait",
                                         [PROF_OPENMP_TIME] = "time",
                                         [PROF_OPENMP_UNEQUAL] = "unequal",
                                         [PROF_OPENMP_RUNS] = "runs",
                                         NULL};

/* ---- rows ---- */

struct grouping {
  PROF_VEC(struct prof_openmp_row) rows;
  struct prof_index_map known;
};

static prof_status add_row(const prof_trace *trace, const struct prof_openmp_tally *tally,
                           const struct prof_openmp_sum *sum, struct prof_names *names,
                           const struct prof_line_source *source, struct grouping *grouping) {
  struct prof_openmp_row fresh = {.thread = sum->thread == PROF_OPENMP_OTHER_THREAD ? PROF_NONE : sum->thread};
  const struct prof_openmp_row *rows = grouping->rows.items;
  if (prof_call_site_place(trace, &tally->sites.items.items[sum->site], names, source, &fresh.place) != PROF_OK)
    return PROF_NO_MEMORY;
  const uint32_t at = prof_index_meet(
      &grouping->known, &grouping->rows, prof_index_hash(prof_measured_place_hash(&fresh.place), fresh.thread), i,
      rows[i].thread == fresh.thread && prof_measured_place_same(&rows[i].place, &fresh.place), fresh);
  if (at == UINT32_MAX)
    return PROF_NO_MEMORY;
  struct prof_openmp_row *row = &grouping->rows.items[at];
  const uint64_t longest_ns = prof_trace_ns(trace, sum->longest), mean_ns = prof_trace_ns(trace, sum->mean);
  row->runs += sum->runs;
  row->threads = sum->threads > row->threads ? sum->threads : row->threads;
  row->time_ns += prof_trace_ns(trace, sum->time);
  row->work_ns += prof_trace_ns(trace, sum->work);
  row->barrier_ns += prof_trace_ns(trace, sum->waits[PROF_OPENMP_BARRIER]);
  row->tasks_ns += prof_trace_ns(trace, sum->waits[PROF_OPENMP_TASKS]);
  row->lock_ns += prof_trace_ns(trace, sum->waits[PROF_OPENMP_LOCK]);
  row->end_ns += prof_trace_ns(trace, sum->end);
  row->unequal_ns += longest_ns > mean_ns ? longest_ns - mean_ns : 0;
  row->imbalance += (double)mean_ns; /* until finish() */
  return PROF_OK;
}

static uint64_t key_of(const struct prof_openmp_row *row, enum prof_openmp_sort sort) {
  const uint64_t keys[] = {[PROF_OPENMP_WAIT] = row->wait_ns,
                           [PROF_OPENMP_TIME] = row->time_ns,
                           [PROF_OPENMP_UNEQUAL] = row->unequal_ns,
                           [PROF_OPENMP_RUNS] = row->runs};
  return keys[sort];
}

static int by_key(const void *left, const void *right, void *context) {
  const struct prof_openmp_row *a = left, *b = right;
  const enum prof_openmp_sort sort = *(const enum prof_openmp_sort *)context;
  return prof_order(key_of(b, sort), key_of(a, sort)) ?: strcmp(a->place.function, b->place.function)
         ?: strcmp(a->place.file, b->place.file) ?: prof_order(a->place.line, b->place.line)
         ?: prof_order(a->thread, b->thread);
}

static void finish(struct prof_openmp *out, enum prof_openmp_sort sort) {
  for (size_t i = 0; i < out->count; i++) {
    struct prof_openmp_row *row = &out->rows[i];
    row->wait_ns = row->barrier_ns + row->tasks_ns + row->lock_ns + row->end_ns;
    row->imbalance = row->imbalance > 0 ? (row->imbalance + (double)row->unequal_ns) / row->imbalance : 1;
    out->wait_ns += row->wait_ns;
    out->runs += row->runs;
    out->time_ns += row->time_ns;
    out->unequal_ns += row->unequal_ns;
  }
  if (out->count > 0)
    qsort_r(out->rows, out->count, sizeof *out->rows, by_key, &sort);
}

prof_status prof_openmp_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                             const struct prof_line_source *source, bool by_thread, enum prof_openmp_sort sort,
                             struct prof_diag *diag, struct prof_openmp *out) {
  struct prof_openmp_tally tally = {0};
  struct grouping grouping = {0};
  *out = (struct prof_openmp){0};
  prof_status status = prof_openmp_tally_of(trace, filter, &tally, &out->paths, diag);
  for (size_t i = 0; status == PROF_OK && i < tally.sums.count; i++)
    if ((tally.sums.items[i].thread != PROF_NONE) == by_thread &&
        add_row(trace, &tally, &tally.sums.items[i], names, source, &grouping) != PROF_OK)
      status = prof_diag_memory(diag);
  out->recorded = tally.recorded;
  out->rows = grouping.rows.items;
  out->count = grouping.rows.count;
  finish(out, sort);
  prof_index_fini(&grouping.known);
  prof_openmp_tally_fini(&tally);
  return status;
}

void prof_openmp_free(struct prof_openmp *openmp) {
  free(openmp->rows);
  prof_measured_paths_fini(&openmp->paths);
  *openmp = (struct prof_openmp){0};
}
