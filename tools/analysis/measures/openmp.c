/*
 * tools/analysis/measures/openmp.c - see openmp.h.
 *
 * A run of a region collects its threads' parts until it ends.  A thread has a stack of parts that are open; a wait
 * belongs to the innermost one.
 */
#include "analysis/measures/openmp.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "measure.h"

const char *const prof_openmp_sorts[] = {[PROF_OPENMP_WAIT] = "wait",
                                         [PROF_OPENMP_TIME] = "time",
                                         [PROF_OPENMP_UNEQUAL] = "unequal",
                                         [PROF_OPENMP_RUNS] = "runs",
                                         NULL};

enum cause { BARRIER, TASKS, LOCK, CAUSES };

struct part { /* a thread's, of a run */
  uint32_t run, thread;
  uint64_t begin, end; /* end 0: open */
  uint64_t waits[CAUSES];
  enum cause cause;
  uint64_t since; /* it waits for `cause`; 0: it doesn't */
};

struct run {
  uint32_t process, site;
  uint64_t number, begin;
  bool shown, over;
  PROF_VEC(struct part) parts;
};

struct sum { /* of a site; of a site and thread */
  uint32_t site, thread;
  uint64_t runs, threads, time, work, waits[CAUSES], end, longest;
  double mean;
};

struct thread_state {
  PROF_VEC(struct part) open;
  uint64_t ended; /* caller of the region whose part ended last: it tells of its end as of a barrier, too */
};

struct tally {
  const prof_trace *trace;
  bool by_thread;
  struct thread_state *threads;
  struct prof_call_sites sites;
  PROF_VEC(struct run) runs;
  struct prof_index_map known_runs;
  PROF_VEC(struct sum) sums;
  struct prof_index_map known_sums;
};

/* ---- events ---- */

static struct part *open_part(const struct thread_state *thread) {
  return thread->open.count ? &thread->open.items[thread->open.count - 1] : NULL;
}

/* UINT32_MAX: no memory, or not known. */
static uint32_t run_of(const struct tally *tally, const struct prof_measured *event) {
  const struct run *runs = tally->runs.items;
  return prof_index_find(&tally->known_runs, prof_index_hash(event->first, event->process), i,
                         runs[i].number == event->first && runs[i].process == event->process);
}

static bool begin_run(struct tally *tally, const struct prof_measured *event) {
  const struct run fresh = {.process = event->process,
                            .site = prof_call_site_of(&tally->sites, event),
                            .number = event->first,
                            .begin = event->time_ticks,
                            .shown = event->shown};
  return fresh.site != UINT32_MAX && prof_vec_push(&tally->runs, fresh) &&
         prof_index_add(&tally->known_runs, prof_index_hash(event->first, event->process),
                        (uint32_t)tally->runs.count - 1);
}

static bool begin_part(struct tally *tally, const struct prof_measured *event) {
  const struct part fresh = {.run = run_of(tally, event), .thread = event->thread, .begin = event->time_ticks};
  tally->threads[event->thread].ended = 0;
  return prof_vec_push(&tally->threads[event->thread].open, fresh);
}

static bool end_part(struct tally *tally, const struct prof_measured *event) {
  struct thread_state *thread = &tally->threads[event->thread];
  const struct part *open = open_part(thread);
  if (!open)
    return true;
  struct part part = *open;
  thread->open.count--;
  thread->ended = event->caller;
  part.end = event->time_ticks;
  struct run *run = part.run == UINT32_MAX ? NULL : &tally->runs.items[part.run];
  return !run || run->over || prof_vec_push(&run->parts, part);
}

static enum cause cause_of(uint64_t kind) {
  switch (kind) {
  case PROF_MEASURE_OMP_BARRIER:
    return BARRIER;
  case PROF_MEASURE_OMP_TASKS:
    return TASKS;
  case PROF_MEASURE_CRITICAL:
  case PROF_MEASURE_OMP_LOCK:
  case PROF_MEASURE_ORDERED:
    return LOCK;
  default:
    return CAUSES;
  }
}

static void wait_or_go_on(struct tally *tally, const struct prof_measured *event) {
  struct part *part = open_part(&tally->threads[event->thread]);
  const enum cause cause = cause_of(event->first);
  if (!part || cause == CAUSES || event->caller == tally->threads[event->thread].ended)
    return;
  if (event->operation == PROF_MEASURE_WAITS) {
    part->cause = cause;
    part->since = event->time_ticks;
  } else if (part->since) {
    part->waits[part->cause] += event->time_ticks - part->since;
    part->since = 0;
  }
}

/* ---- a run that is over ---- */

/* NULL: no memory. */
static struct sum *sum_of(struct tally *tally, uint32_t site, uint32_t thread) {
  const struct sum *sums = tally->sums.items, fresh = {.site = site, .thread = thread};
  uint32_t at = prof_index_meet(&tally->known_sums, &tally->sums, prof_index_hash(site, thread), i,
                                sums[i].site == site && sums[i].thread == thread, fresh);
  return at == UINT32_MAX ? NULL : &tally->sums.items[at];
}

static uint64_t work_of(const struct part *part) {
  uint64_t all = part->end - part->begin, waited = 0;
  for (int i = 0; i < CAUSES; i++)
    waited += part->waits[i];
  return all > waited ? all - waited : 0;
}

static void add_part(struct sum *sum, const struct part *part, uint64_t end) {
  sum->work += work_of(part);
  for (int i = 0; i < CAUSES; i++)
    sum->waits[i] += part->waits[i];
  sum->end += end > part->end ? end - part->end : 0;
}

static bool add_run(struct tally *tally, const struct run *run, uint64_t end) {
  uint64_t work = 0, longest = 0;
  const size_t count = run->parts.count;
  for (size_t i = 0; i < count; i++) {
    const uint64_t own = work_of(&run->parts.items[i]);
    work += own;
    longest = own > longest ? own : longest;
  }
  for (size_t i = 0; i < (tally->by_thread ? count : 1); i++) {
    struct sum *sum = sum_of(tally, run->site, tally->by_thread ? run->parts.items[i].thread : PROF_NONE);
    if (!sum)
      return false;
    sum->runs++;
    sum->threads = count > sum->threads ? count : sum->threads;
    sum->time += end - run->begin;
    sum->longest += longest;
    sum->mean += (double)work / (double)count;
    for (size_t j = tally->by_thread ? i : 0; j < (tally->by_thread ? i + 1 : count); j++)
      add_part(sum, &run->parts.items[j], end);
  }
  return true;
}

static bool end_run(struct tally *tally, const struct prof_measured *event) {
  uint32_t at = run_of(tally, event);
  if (at == UINT32_MAX)
    return true;
  struct run *run = &tally->runs.items[at];
  bool good = !run->shown || run->parts.count == 0 || add_run(tally, run, event->time_ticks);
  run->over = true;
  prof_vec_fini(&run->parts);
  return good;
}

static bool take(void *context, const struct prof_measured *event) {
  struct tally *tally = context;
  switch (event->operation) {
  case PROF_MEASURE_REGION_BEGINS:
    return begin_run(tally, event);
  case PROF_MEASURE_WORK_BEGINS:
    return begin_part(tally, event);
  case PROF_MEASURE_WORK_ENDS:
    return end_part(tally, event);
  case PROF_MEASURE_REGION_ENDS:
    return end_run(tally, event);
  case PROF_MEASURE_WAITS:
  case PROF_MEASURE_TAKEN:
  case PROF_MEASURE_GOES_ON:
    wait_or_go_on(tally, event);
    return true;
  default:
    return true;
  }
}

/* ---- rows ---- */

struct grouping {
  PROF_VEC(struct prof_openmp_row) rows;
  struct prof_index_map known;
};

static prof_status add_row(const struct tally *tally, const struct sum *sum, struct prof_names *names,
                           const struct prof_line_source *source, struct grouping *grouping) {
  struct prof_openmp_row fresh = {.thread = sum->thread};
  const struct prof_openmp_row *rows = grouping->rows.items;
  if (prof_call_site_place(tally->trace, &tally->sites.items.items[sum->site], names, source, &fresh.place) != PROF_OK)
    return PROF_NO_MEMORY;
  uint32_t at = prof_index_meet(
      &grouping->known, &grouping->rows, prof_index_hash(prof_measured_place_hash(&fresh.place), sum->thread), i,
      rows[i].thread == sum->thread && prof_measured_place_same(&rows[i].place, &fresh.place), fresh);
  if (at == UINT32_MAX)
    return PROF_NO_MEMORY;
  struct prof_openmp_row *row = &grouping->rows.items[at];
  const double mean_ns = sum->mean * (double)prof_trace_ns(tally->trace, sum->longest) / (double)(sum->longest ?: 1);
  const uint64_t longest_ns = prof_trace_ns(tally->trace, sum->longest);
  row->runs += sum->runs;
  row->threads = sum->threads > row->threads ? sum->threads : row->threads;
  row->time_ns += prof_trace_ns(tally->trace, sum->time);
  row->work_ns += prof_trace_ns(tally->trace, sum->work);
  row->barrier_ns += prof_trace_ns(tally->trace, sum->waits[BARRIER]);
  row->tasks_ns += prof_trace_ns(tally->trace, sum->waits[TASKS]);
  row->lock_ns += prof_trace_ns(tally->trace, sum->waits[LOCK]);
  row->end_ns += prof_trace_ns(tally->trace, sum->end);
  row->unequal_ns += (double)longest_ns > mean_ns ? (uint64_t)((double)longest_ns - mean_ns + 0.5) : 0;
  row->imbalance += mean_ns; /* until finish() */
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

static void fini(struct tally *tally, size_t thread_count) {
  for (size_t i = 0; tally->threads && i < thread_count; i++)
    prof_vec_fini(&tally->threads[i].open);
  for (size_t i = 0; i < tally->runs.count; i++)
    prof_vec_fini(&tally->runs.items[i].parts);
  free(tally->threads);
  prof_vec_fini(&tally->runs);
  prof_index_fini(&tally->known_runs);
  prof_vec_fini(&tally->sums);
  prof_index_fini(&tally->known_sums);
  prof_call_sites_fini(&tally->sites);
}

prof_status prof_openmp_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                             const struct prof_line_source *source, bool by_thread, enum prof_openmp_sort sort,
                             struct prof_diag *diag, struct prof_openmp *out) {
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  struct tally tally = {
      .trace = trace, .by_thread = by_thread, .threads = calloc(thread_count + 1, sizeof *tally.threads)};
  struct grouping grouping = {0};
  *out = (struct prof_openmp){0};
  prof_status status =
      tally.threads ? prof_measured_walk(trace, filter, take, &tally, &out->paths, diag) : prof_diag_memory(diag);
  for (size_t i = 0; status == PROF_OK && i < tally.sums.count; i++)
    if (add_row(&tally, &tally.sums.items[i], names, source, &grouping) != PROF_OK)
      status = prof_diag_memory(diag);
  out->recorded = tally.runs.count > 0;
  out->rows = grouping.rows.items;
  out->count = grouping.rows.count;
  finish(out, sort);
  prof_index_fini(&grouping.known);
  fini(&tally, thread_count);
  return status;
}

void prof_openmp_free(struct prof_openmp *openmp) {
  free(openmp->rows);
  prof_measured_paths_fini(&openmp->paths);
  *openmp = (struct prof_openmp){0};
}
