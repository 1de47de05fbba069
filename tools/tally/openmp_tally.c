/*
 * tools/tally/openmp_tally.c - see openmp_tally.h.
 */
#include "tally/openmp_tally.h"

#include <string.h>

#include "measure.h"

/* ---- runs and parts ---- */

/* UINT32_MAX: it doesn't go on.  Few do at a time. */
static uint32_t run_of(const struct prof_openmp_tally *tally, uint64_t number, uint32_t process) {
  for (size_t i = tally->runs.count; i-- > 0;)
    if (tally->runs.items[i].number == number && tally->runs.items[i].process == process)
      return (uint32_t)i;
  return UINT32_MAX;
}

static void forget_run(struct prof_openmp_tally *tally, uint32_t run) {
  prof_vec_fini(&tally->runs.items[run].parts);
  tally->runs.count--;
  if (run != tally->runs.count)
    memcpy(&tally->runs.items[run], &tally->runs.items[tally->runs.count], sizeof *tally->runs.items);
}

/* NULL: no memory. */
static struct prof_openmp_thread *thread_of(struct prof_openmp_tally *tally, uint32_t thread) {
  const size_t count = tally->threads.count, need = (size_t)thread + 1;
  if (count < need) {
    if (!prof_vec_reserve(&tally->threads, need - count))
      return NULL;
    memset(&tally->threads.items[count], 0, (need - count) * sizeof *tally->threads.items);
    tally->threads.count = need;
  }
  return &tally->threads.items[thread];
}

static bool begin_run(struct prof_openmp_tally *tally, const struct prof_measured *event) {
  const struct prof_openmp_run fresh = {.number = event->first,
                                        .begin = event->time_ticks,
                                        .process = event->process,
                                        .site = prof_call_site_of(&tally->sites, event),
                                        .shown = event->shown};
  tally->recorded = true;
  return fresh.site != UINT32_MAX && prof_vec_push(&tally->runs, fresh);
}

static bool begin_part(struct prof_openmp_tally *tally, const struct prof_measured *event) {
  struct prof_openmp_thread *thread = thread_of(tally, event->thread);
  const struct prof_openmp_part fresh = {
      .run = event->first, .process = event->process, .thread = event->thread, .begin = event->time_ticks};
  if (!thread)
    return false;
  thread->ended = 0;
  thread->process = event->process;
  return prof_vec_push(&thread->open, fresh);
}

static bool end_part(struct prof_openmp_tally *tally, const struct prof_measured *event) {
  struct prof_openmp_thread *thread = thread_of(tally, event->thread);
  if (!thread || thread->open.count == 0)
    return thread != NULL;
  struct prof_openmp_part part = thread->open.items[--thread->open.count];
  thread->ended = event->caller;
  part.end = event->time_ticks;
  const uint32_t run = run_of(tally, part.run, part.process);
  return run == UINT32_MAX || prof_vec_push(&tally->runs.items[run].parts, part);
}

static enum prof_openmp_cause cause_of(uint64_t kind) {
  switch (kind) {
  case PROF_MEASURE_OMP_BARRIER:
    return PROF_OPENMP_BARRIER;
  case PROF_MEASURE_OMP_TASKS:
    return PROF_OPENMP_TASKS;
  case PROF_MEASURE_CRITICAL:
  case PROF_MEASURE_OMP_LOCK:
  case PROF_MEASURE_ORDERED:
    return PROF_OPENMP_LOCK;
  default:
    return PROF_OPENMP_CAUSES;
  }
}

static void wait_or_go_on(struct prof_openmp_tally *tally, const struct prof_measured *event) {
  const enum prof_openmp_cause cause = cause_of(event->first);
  if (event->thread >= tally->threads.count || cause == PROF_OPENMP_CAUSES)
    return;
  const struct prof_openmp_thread *thread = &tally->threads.items[event->thread];
  if (thread->open.count == 0 || event->caller == thread->ended)
    return;
  struct prof_openmp_part *part = &thread->open.items[thread->open.count - 1];
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
static struct prof_openmp_sum *sum_of(struct prof_openmp_tally *tally, uint32_t site, uint32_t thread) {
  const struct prof_openmp_sum *sums = tally->sums.items, fresh = {.site = site, .thread = thread};
  const uint32_t at = prof_index_meet(&tally->known, &tally->sums, prof_index_hash(site, thread), i,
                                      sums[i].site == site && sums[i].thread == thread, fresh);
  return at == UINT32_MAX ? NULL : &tally->sums.items[at];
}

static uint64_t work_of(const struct prof_openmp_part *part) {
  const uint64_t all = part->end - part->begin;
  uint64_t waited = 0;
  for (int i = 0; i < PROF_OPENMP_CAUSES; i++)
    waited += part->waits[i];
  return all > waited ? all - waited : 0;
}

static void add_part(struct prof_openmp_sum *sum, const struct prof_openmp_part *part, uint64_t end) {
  sum->work += work_of(part);
  for (int i = 0; i < PROF_OPENMP_CAUSES; i++)
    sum->waits[i] += part->waits[i];
  sum->end += end > part->end ? end - part->end : 0;
}

/* One run into the sums of its site: of all threads, and of each. */
static bool add_run(struct prof_openmp_tally *tally, const struct prof_openmp_run *run, uint64_t end) {
  const size_t count = run->parts.count;
  struct prof_openmp_sum all = {
      .site = run->site, .thread = PROF_NONE, .runs = 1, .threads = count, .time = end - run->begin};
  for (size_t i = 0; i < count; i++) {
    const uint64_t own = work_of(&run->parts.items[i]);
    all.longest = own > all.longest ? own : all.longest;
    add_part(&all, &run->parts.items[i], end);
  }
  all.mean = (all.work + count / 2) / count;
  bool good = prof_openmp_tally_add(tally, &all);
  for (size_t i = 0; i < count && good; i++) {
    struct prof_openmp_sum one = {.site = run->site,
                                  .thread = run->parts.items[i].thread,
                                  .runs = 1,
                                  .threads = count,
                                  .time = all.time,
                                  .longest = all.longest,
                                  .mean = all.mean};
    add_part(&one, &run->parts.items[i], end);
    good = prof_openmp_tally_add(tally, &one);
  }
  return good;
}

static bool end_run(struct prof_openmp_tally *tally, const struct prof_measured *event) {
  const uint32_t at = run_of(tally, event->first, event->process);
  if (at == UINT32_MAX)
    return true;
  const struct prof_openmp_run *run = &tally->runs.items[at];
  const bool good = !run->shown || run->parts.count == 0 || add_run(tally, run, event->time_ticks);
  forget_run(tally, at);
  return good;
}

/* ---- all ---- */

bool prof_openmp_tally_take(struct prof_openmp_tally *tally, const struct prof_measured *event) {
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

bool prof_openmp_tally_add(struct prof_openmp_tally *tally, const struct prof_openmp_sum *from) {
  struct prof_openmp_sum *to = sum_of(tally, from->site, from->thread);
  if (!to)
    return false;
  to->runs += from->runs;
  to->threads = from->threads > to->threads ? from->threads : to->threads;
  to->time += from->time;
  to->work += from->work;
  for (int i = 0; i < PROF_OPENMP_CAUSES; i++)
    to->waits[i] += from->waits[i];
  to->end += from->end;
  to->longest += from->longest;
  to->mean += from->mean;
  return true;
}

void prof_openmp_tally_end_process(struct prof_openmp_tally *tally, uint32_t process) {
  for (size_t i = tally->runs.count; i-- > 0;)
    if (tally->runs.items[i].process == process)
      forget_run(tally, (uint32_t)i);
  for (size_t i = 0; i < tally->threads.count; i++) {
    struct prof_openmp_thread *thread = &tally->threads.items[i];
    if (thread->open.capacity > 0 && thread->process == process)
      prof_vec_fini(&thread->open);
  }
}

void prof_openmp_tally_fini(struct prof_openmp_tally *tally) {
  while (tally->runs.count > 0)
    forget_run(tally, (uint32_t)tally->runs.count - 1);
  prof_vec_fini(&tally->runs);
  for (size_t i = 0; i < tally->threads.count; i++)
    prof_vec_fini(&tally->threads.items[i].open);
  prof_vec_fini(&tally->threads);
  prof_vec_fini(&tally->sums);
  prof_index_fini(&tally->known);
  prof_call_sites_fini(&tally->sites);
}
