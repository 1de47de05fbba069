/*
 * tools/analysis/measures/held_waits.c - see held_waits.h.
 */
#include "analysis/measures/held_waits.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measures/io.h"
#include "analysis/measures/lock_name.h"
#include "base/diag.h"
#include "base/order.h"

struct thread {
  bool waits;              /* for something that nobody holds */
  uint64_t begin, end;     /* of that wait; end: of the latest one */
  PROF_VEC(uint32_t) held; /* locks; some may be released already */
};

struct part {
  uint32_t lock, taken, call; /* index, sites */
  uint32_t operation, kind;   /* of the holder's wait */
  uint64_t calls, held_ticks, wait_ticks;
};

struct ranking {
  const prof_trace *trace;
  struct prof_names *names;
  const struct prof_line_source *source;
  struct prof_lock_states states;
  struct prof_lock_namer namer;
  struct thread *threads;
  size_t thread_count;
  PROF_VEC(struct part) parts;
  struct prof_index_map known;
  PROF_VEC(struct prof_held_wait_row) rows;
  PROF_VEC(struct prof_thread_set) waiters; /* per row */
};

/* NULL: no memory. */
static struct part *part_of(struct ranking *ranking, const struct part *fresh) {
  const struct part *parts = ranking->parts.items;
  uint32_t at = prof_index_meet(
      &ranking->known, &ranking->parts,
      prof_index_hash((uint64_t)fresh->taken << 32 | fresh->call, (uint64_t)fresh->lock << 8 | fresh->operation), i,
      parts[i].lock == fresh->lock && parts[i].taken == fresh->taken && parts[i].call == fresh->call &&
          parts[i].operation == fresh->operation && parts[i].kind == fresh->kind,
      *fresh);
  return at == UINT32_MAX ? NULL : &ranking->parts.items[at];
}

/* The thread's hold of the lock, its depth 0: none. */
static struct prof_lock_hold hold_of(const struct prof_lock *lock, uint32_t thread) {
  for (size_t i = 0; i < lock->holds.count; i++)
    if (lock->holds.items[i].thread == thread)
      return lock->holds.items[i];
  return (struct prof_lock_hold){0};
}

/* How long others waited for the lock since `begin`. */
static uint64_t others_waited(const struct prof_lock *lock, uint64_t begin, uint64_t now) {
  uint64_t ticks = 0;
  for (size_t i = 0; i < lock->waiting.count; i++) {
    uint64_t since = lock->waiting.items[i].begin > begin ? lock->waiting.items[i].begin : begin;
    ticks += now > since ? now - since : 0;
  }
  return ticks;
}

/* The thread of the event waited from `begin` on, whatever it holds. */
static bool holder_waited(struct ranking *ranking, const struct prof_measured *event, uint64_t begin) {
  struct thread *thread = &ranking->threads[event->thread];
  size_t kept = 0;
  bool good = true;
  thread->end = event->time_ticks;
  for (size_t i = 0; i < thread->held.count && good; i++) {
    const uint32_t at = thread->held.items[i];
    const struct prof_lock *lock = &ranking->states.locks.items[at];
    const struct prof_lock_hold hold = hold_of(lock, event->thread);
    if (hold.depth == 0)
      continue;
    thread->held.items[kept++] = at;
    const uint64_t from = hold.since > begin ? hold.since : begin,
                   waited = others_waited(lock, from, event->time_ticks);
    if (!event->shown || event->time_ticks <= from)
      continue;
    struct part fresh = {.lock = at, .taken = hold.site, .operation = event->operation};
    fresh.kind = event->operation == PROF_MEASURE_GOES_ON ? (uint32_t)event->first : 0;
    fresh.call = prof_call_site_of(&ranking->states.sites, event);
    struct part *part = fresh.call == UINT32_MAX ? NULL : part_of(ranking, &fresh);
    good = part != NULL;
    if (good) {
      part->calls++;
      part->held_ticks += event->time_ticks - from;
      part->wait_ticks += waited / lock->holds.count;
    }
  }
  thread->held.count = good ? kept : thread->held.count;
  return good;
}

static bool note_held(struct ranking *ranking, const struct prof_measured *event) {
  struct thread *thread = &ranking->threads[event->thread];
  uint32_t lock = prof_lock_states_find(&ranking->states, event);
  for (size_t i = 0; i < thread->held.count; i++)
    if (thread->held.items[i] == lock)
      return true;
  return lock == UINT32_MAX || prof_vec_push(&thread->held, lock);
}

static bool is_own_wait(const struct prof_measured *event) {
  return !prof_measure_is_held(event->first) && event->first != PROF_MEASURE_CONDITION;
}

static bool take(void *context, const struct prof_measured *event) {
  struct ranking *ranking = context;
  struct thread *thread = &ranking->threads[event->thread];
  if (prof_io_operation(event->operation)) { /* of one that had to wait, the wait is an event of its own */
    uint64_t begin = event->time_ticks > event->second ? event->time_ticks - event->second : 0;
    return thread->waits || holder_waited(ranking, event, begin > thread->end ? begin : thread->end);
  }
  if (!prof_lock_states_take(&ranking->states, event))
    return false;
  switch (event->operation) {
  case PROF_MEASURE_WAITS:
    if (is_own_wait(event)) {
      thread->waits = true;
      thread->begin = event->time_ticks;
    }
    return true;
  case PROF_MEASURE_TAKEN:
    return !prof_measure_is_held(event->first) || note_held(ranking, event);
  case PROF_MEASURE_GOES_ON:
    if (!is_own_wait(event) || !thread->waits)
      return true;
    thread->waits = false;
    return holder_waited(ranking, event, thread->begin);
  default:
    return true;
  }
}

/* ---- rows ---- */

static prof_status place_of(const struct ranking *ranking, uint32_t site, struct prof_measured_place *out) {
  return prof_call_site_place(ranking->trace, &ranking->states.sites.items.items[site], ranking->names, ranking->source,
                              out);
}

/* Its index, of the same lock and places; UINT32_MAX: no memory.  The row takes the name over. */
static uint32_t row_of(struct ranking *ranking, struct prof_held_wait_row *fresh) {
  const struct prof_thread_set nobody = {0};
  for (size_t i = 0; i < ranking->rows.count; i++) {
    const struct prof_held_wait_row *row = &ranking->rows.items[i];
    if (row->what == fresh->what && row->kind == fresh->kind && strcmp(row->lock, fresh->lock) == 0 &&
        prof_measured_place_same(&row->taken, &fresh->taken) && prof_measured_place_same(&row->call, &fresh->call)) {
      free(fresh->lock);
      return (uint32_t)i;
    }
  }
  if (prof_vec_reserve(&ranking->rows, 1) && prof_vec_push(&ranking->waiters, nobody)) {
    ranking->rows.items[ranking->rows.count] = *fresh;
    return (uint32_t)ranking->rows.count++;
  }
  free(fresh->lock);
  return UINT32_MAX;
}

static prof_status add_row(struct ranking *ranking, const struct part *part) {
  const struct prof_lock *lock = &ranking->states.locks.items[part->lock];
  struct prof_held_wait_row fresh = {.kind = prof_lock_kind(lock->kind),
                                     .what = prof_io_operation(part->operation) ?: prof_lock_kind(part->kind)};
  if (place_of(ranking, part->taken, &fresh.taken) != PROF_OK ||
      place_of(ranking, part->call, &fresh.call) != PROF_OK ||
      prof_lock_name(&ranking->namer, lock, &fresh.lock) != PROF_OK)
    return PROF_NO_MEMORY;
  uint32_t at = row_of(ranking, &fresh);
  if (at == UINT32_MAX || !prof_thread_set_join(&ranking->waiters.items[at], &lock->waiters))
    return PROF_NO_MEMORY;
  struct prof_held_wait_row *row = &ranking->rows.items[at];
  row->calls += part->calls;
  row->held_ns += prof_trace_ns(ranking->trace, part->held_ticks);
  row->wait_ns += prof_trace_ns(ranking->trace, part->wait_ticks);
  row->waiters_ns = prof_thread_set_ns(&ranking->waiters.items[at], ranking->trace);
  return PROF_OK;
}

static int by_wait(const void *left, const void *right) {
  const struct prof_held_wait_row *a = left, *b = right;
  return prof_order(b->wait_ns, a->wait_ns) ?: strcmp(a->lock, b->lock) ?: strcmp(a->call.function, b->call.function)
                                           ?: prof_order(a->call.line, b->call.line);
}

prof_status prof_held_waits_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                                 const struct prof_line_source *source, struct prof_symbols *symbols,
                                 struct prof_diag *diag, struct prof_held_waits *out) {
  struct ranking ranking = {.trace = trace, .names = names, .source = source};
  *out = (struct prof_held_waits){0};
  prof_trace_threads(trace, &ranking.thread_count);
  ranking.threads = calloc(ranking.thread_count + 1, sizeof *ranking.threads);
  prof_status status =
      ranking.threads ? prof_measured_walk(trace, filter, take, &ranking, &out->paths, diag) : prof_diag_memory(diag);
  bool good = prof_lock_namer_init(&ranking.namer, trace, names, source, symbols, &ranking.states.sites);
  good = good && status == PROF_OK && prof_lock_states_end(&ranking.states, prof_trace_info(trace)->last_ticks);
  for (size_t i = 0; good && i < ranking.parts.count; i++)
    if (ranking.parts.items[i].wait_ticks > 0)
      good = add_row(&ranking, &ranking.parts.items[i]) == PROF_OK;
  if (status == PROF_OK && !good)
    status = prof_diag_memory(diag);
  prof_vec_sort(&ranking.rows, by_wait);
  out->rows = ranking.rows.items;
  out->count = ranking.rows.count;
  for (size_t i = 0; ranking.threads && i < ranking.thread_count; i++)
    prof_vec_fini(&ranking.threads[i].held);
  free(ranking.threads);
  for (size_t i = 0; i < ranking.waiters.count; i++)
    prof_thread_set_fini(&ranking.waiters.items[i]);
  prof_vec_fini(&ranking.waiters);
  prof_vec_fini(&ranking.parts);
  prof_index_fini(&ranking.known);
  prof_lock_namer_fini(&ranking.namer);
  prof_lock_states_fini(&ranking.states);
  return status;
}

void prof_held_waits_free(struct prof_held_waits *waits) {
  for (size_t i = 0; i < waits->count; i++)
    free(waits->rows[i].lock);
  free(waits->rows);
  prof_measured_paths_fini(&waits->paths);
  *waits = (struct prof_held_waits){0};
}
