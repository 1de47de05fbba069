/*
 * tools/analysis/measures/wait_habits.c - see wait_habits.h.
 */
#include "analysis/measures/wait_habits.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measures/file_names.h"
#include "base/diag.h"
#include "base/order.h"
#include "measure.h"
#include "tally/thread_set.h"

#define MOST_BETWEEN 0.1 /* of a sleep: longer work after it is more than a look */

struct thread {
  uint64_t begin;                   /* of the wait that lasts; 0: none */
  uint64_t slept_at, end, duration; /* the latest event: the end of a sleep, its caller; 0: another event */
};

struct endpoint {
  uint32_t process, file;
  bool connected;
  uint64_t sent; /* since the latest wait for input from it */
};

struct part {
  uint32_t site, process, file;
  enum prof_wait_habit habit;
  uint64_t waits, ticks;
  struct prof_thread_set threads;
};

struct ranking {
  const prof_trace *trace;
  struct prof_call_sites sites;
  struct thread *threads;
  PROF_VEC(struct endpoint) endpoints;
  struct prof_index_map known_endpoints;
  PROF_VEC(struct part) parts;
  struct prof_index_map known;
};

/* NULL: no memory. */
static struct endpoint *endpoint_of(struct ranking *ranking, uint32_t process, uint32_t file) {
  const struct endpoint *all = ranking->endpoints.items, fresh = {.process = process, .file = file};
  uint32_t at = prof_index_meet(&ranking->known_endpoints, &ranking->endpoints, prof_index_hash(process, file), i,
                                all[i].process == process && all[i].file == file, fresh);
  return at == UINT32_MAX ? NULL : &ranking->endpoints.items[at];
}

static bool add(struct ranking *ranking, const struct prof_measured *event, enum prof_wait_habit habit, uint32_t file,
                uint64_t ticks) {
  if (!event->shown)
    return true;
  const struct part *parts = ranking->parts.items;
  const struct part fresh = {
      .site = prof_call_site_of(&ranking->sites, event), .process = event->process, .file = file, .habit = habit};
  if (fresh.site == UINT32_MAX)
    return false;
  uint32_t at = prof_index_meet(&ranking->known, &ranking->parts,
                                prof_index_hash((uint64_t)file << 32 | fresh.site, event->process * 2ull + habit), i,
                                parts[i].site == fresh.site && parts[i].file == file && parts[i].habit == habit &&
                                    parts[i].process == fresh.process,
                                fresh);
  if (at == UINT32_MAX)
    return false;
  struct part *part = &ranking->parts.items[at];
  part->waits++;
  part->ticks += ticks;
  return prof_thread_set_add(&part->threads, event->thread);
}

/* ---- events ---- */

static bool take_io(struct ranking *ranking, const struct prof_measured *event) {
  const uint32_t file = (uint32_t)(event->first >> PROF_MEASURE_IO_BYTES);
  const bool sends = event->operation == PROF_MEASURE_WRITE || event->operation == PROF_MEASURE_WRITEV ||
                     event->operation == PROF_MEASURE_SEND || event->operation == PROF_MEASURE_SENDMSG;
  if (file == 0 || !(sends || event->operation == PROF_MEASURE_CONNECT))
    return true;
  struct endpoint *endpoint = endpoint_of(ranking, event->process, file);
  if (!endpoint)
    return false;
  endpoint->connected |= !sends;
  endpoint->sent += sends;
  return true;
}

static bool end_input(struct ranking *ranking, const struct prof_measured *event, uint64_t ticks) {
  struct endpoint *endpoint = endpoint_of(ranking, event->process, (uint32_t)event->second);
  if (!endpoint)
    return false;
  const bool in_turn = endpoint->connected && endpoint->sent == 1;
  endpoint->sent = 0;
  return !in_turn || add(ranking, event, PROF_WAIT_ANSWERS, endpoint->file, ticks);
}

/* The first of a row counts when the second comes. */
static bool end_sleep(struct ranking *ranking, const struct prof_measured *event, struct thread *thread) {
  const uint64_t ticks = event->time_ticks - thread->begin, between = thread->begin - thread->end;
  const bool in_row = thread->slept_at == event->caller && (double)between <= MOST_BETWEEN * (double)thread->duration;
  thread->slept_at = event->caller;
  thread->end = event->time_ticks;
  thread->duration = ticks;
  return !in_row || add(ranking, event, PROF_WAIT_SLEEPS, 0, ticks);
}

static bool take(void *context, const struct prof_measured *event) {
  struct ranking *ranking = context;
  struct thread *thread = &ranking->threads[event->thread];
  const bool of_wait = event->operation == PROF_MEASURE_WAITS || event->operation == PROF_MEASURE_GOES_ON;
  if (!of_wait || event->first != PROF_MEASURE_SLEEP)
    thread->slept_at = 0;
  if (event->operation == PROF_MEASURE_WAITS) {
    thread->begin = event->time_ticks;
    return true;
  }
  if (event->operation >= PROF_MEASURE_READ)
    return take_io(ranking, event);
  if (event->operation != PROF_MEASURE_GOES_ON || thread->begin == 0)
    return true;
  bool good = true;
  if (event->first == PROF_MEASURE_INPUT)
    good = end_input(ranking, event, event->time_ticks - thread->begin);
  else if (event->first == PROF_MEASURE_SLEEP)
    good = end_sleep(ranking, event, thread);
  thread->begin = 0;
  return good;
}

/* ---- rows ---- */

static int by_wait(const void *left, const void *right) {
  const struct prof_wait_habit_row *a = left, *b = right;
  return prof_order(b->wait_ns, a->wait_ns) ?: prof_order(b->waits, a->waits)
         ?: strcmp(a->place.function, b->place.function) ?: prof_order(a->place.line, b->place.line);
}

/* Parts of one place, by different paths, are one row: threads are then those of the first. */
static bool is_same(const struct prof_wait_habit_row *a, const struct prof_wait_habit_row *b) {
  return a->habit == b->habit && strcmp(a->endpoint, b->endpoint) == 0 &&
         prof_measured_place_same(&a->place, &b->place);
}

static prof_status make_rows(struct ranking *ranking, struct prof_names *names, const struct prof_line_source *source,
                             struct prof_wait_habits *out) {
  struct prof_file_names files;
  bool good = prof_file_names_init(&files, ranking->trace);
  out->rows = calloc(ranking->parts.count + 1, sizeof *out->rows);
  for (size_t i = 0; out->rows && good && i < ranking->parts.count; i++) {
    const struct part *part = &ranking->parts.items[i];
    struct prof_wait_habit_row row = {.habit = part->habit,
                                      .endpoint =
                                          part->file ? prof_file_name_of(&files, part->process, part->file) : "",
                                      .waits = part->waits,
                                      .wait_ns = prof_trace_ns(ranking->trace, part->ticks),
                                      .threads_ns = prof_thread_set_ns(&part->threads, ranking->trace)};
    good = prof_call_site_place(ranking->trace, &ranking->sites.items.items[part->site], names, source, &row.place) ==
           PROF_OK;
    size_t at = 0;
    while (at < out->count && !is_same(&out->rows[at], &row))
      at++;
    if (at == out->count) {
      out->rows[out->count++] = row;
      continue;
    }
    out->rows[at].waits += row.waits;
    out->rows[at].wait_ns += row.wait_ns;
    out->rows[at].threads_ns = row.threads_ns > out->rows[at].threads_ns ? row.threads_ns : out->rows[at].threads_ns;
  }
  prof_file_names_fini(&files);
  if (out->count > 0)
    qsort(out->rows, out->count, sizeof *out->rows, by_wait);
  return good && out->rows ? PROF_OK : PROF_NO_MEMORY;
}

prof_status prof_wait_habits_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                                  const struct prof_line_source *source, struct prof_diag *diag,
                                  struct prof_wait_habits *out) {
  struct ranking ranking = {.trace = trace};
  size_t thread_count;
  *out = (struct prof_wait_habits){0};
  prof_trace_threads(trace, &thread_count);
  ranking.threads = calloc(thread_count + 1, sizeof *ranking.threads);
  prof_status status =
      ranking.threads ? prof_measured_walk(trace, filter, take, &ranking, &out->paths, diag) : prof_diag_memory(diag);
  if (status == PROF_OK && make_rows(&ranking, names, source, out) != PROF_OK)
    status = prof_diag_memory(diag);
  for (size_t i = 0; i < ranking.parts.count; i++)
    prof_thread_set_fini(&ranking.parts.items[i].threads);
  prof_vec_fini(&ranking.parts);
  prof_index_fini(&ranking.known);
  prof_vec_fini(&ranking.endpoints);
  prof_index_fini(&ranking.known_endpoints);
  prof_call_sites_fini(&ranking.sites);
  free(ranking.threads);
  return status;
}

void prof_wait_habits_free(struct prof_wait_habits *habits) {
  free(habits->rows);
  prof_measured_paths_fini(&habits->paths);
  *habits = (struct prof_wait_habits){0};
}
