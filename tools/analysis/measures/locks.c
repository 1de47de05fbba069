/*
 * tools/analysis/measures/locks.c - see locks.h.
 */
#include "analysis/measures/locks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measures/lock_name.h"
#include "base/diag.h"
#include "base/order.h"
#include "tally/sums_shown.h"

const char *const prof_lock_sorts[] = {[PROF_LOCK_WAIT] = "wait",
                                       [PROF_LOCK_ACQUISITIONS] = "acquisitions",
                                       [PROF_LOCK_CONTENDED] = "contended",
                                       [PROF_LOCK_HOLD] = "hold",
                                       NULL};

struct row_waits {
  struct prof_histogram times;
  struct prof_thread_set waiters;
};

struct ranking {
  const prof_trace *trace;
  struct prof_names *names;
  const struct prof_line_source *source;
  const struct prof_lock_options *options;
  struct prof_lock_namer namer;
  struct prof_lock_states states;
  PROF_VEC(struct prof_lock_row) rows;
  PROF_VEC(struct row_waits) waits; /* per row */
  struct prof_histogram_pool pool;  /* of these */
  struct prof_index_map known;
};

static uint64_t ns_of(const struct ranking *ranking, uint64_t ticks) {
  return prof_trace_ns(ranking->trace, ticks);
}

static prof_status place_of(const struct ranking *ranking, uint32_t site, struct prof_measured_place *out) {
  return prof_call_site_place(ranking->trace, &ranking->states.sites.items.items[site], ranking->names, ranking->source,
                              out);
}

/* NULL: no memory. */
static struct prof_lock_holder *holder_of(struct prof_lock_row *row, const struct prof_measured_place *place,
                                          uint32_t node) {
  for (uint32_t i = 0; i < row->holder_count; i++)
    if (row->holders[i].node == node && prof_measured_place_same(&row->holders[i].place, place))
      return &row->holders[i];
  size_t capacity = row->holder_capacity;
  struct prof_lock_holder *grown = prof_vec_grow(row->holders, &capacity, row->holder_count + 1u, sizeof *grown);
  if (!grown)
    return NULL;
  row->holders = grown;
  row->holder_capacity = (uint32_t)capacity;
  row->holders[row->holder_count] = (struct prof_lock_holder){.place = *place, .node = node};
  return &row->holders[row->holder_count++];
}

static prof_status add_parts(struct ranking *ranking, const struct prof_lock *lock, struct prof_lock_row *row) {
  for (size_t i = 0; i < lock->parts.count; i++) {
    const struct prof_lock_part *part = &lock->parts.items[i];
    struct prof_measured_place place;
    const uint32_t node = ranking->options->by_path ? ranking->states.sites.items.items[part->site].node : 0;
    struct prof_lock_holder *holder;
    if (place_of(ranking, part->site, &place) != PROF_OK || !(holder = holder_of(row, &place, node)))
      return PROF_NO_MEMORY;
    holder->wait_ns += ns_of(ranking, part->held_ticks);
    holder->handover_ns += ns_of(ranking, part->handover_ticks);
  }
  return PROF_OK;
}

/* NULL: no memory. */
static struct prof_lock_waiting *waiting_at(struct prof_lock_row *row, const struct prof_measured_place *place) {
  for (uint32_t i = 0; i < row->waiting_count; i++)
    if (prof_measured_place_same(&row->waiting[i].place, place))
      return &row->waiting[i];
  size_t capacity = row->waiting_capacity;
  struct prof_lock_waiting *grown = prof_vec_grow(row->waiting, &capacity, row->waiting_count + 1u, sizeof *grown);
  if (!grown)
    return NULL;
  row->waiting = grown;
  row->waiting_capacity = (uint32_t)capacity;
  row->waiting[row->waiting_count] = (struct prof_lock_waiting){.place = *place};
  return &row->waiting[row->waiting_count++];
}

static prof_status add_waited(struct ranking *ranking, const struct prof_lock *lock, struct prof_lock_row *row) {
  for (size_t i = 0; i < lock->waited.count; i++) {
    struct prof_measured_place place;
    struct prof_lock_waiting *waiting;
    if (place_of(ranking, lock->waited.items[i].site, &place) != PROF_OK || !(waiting = waiting_at(row, &place)))
      return PROF_NO_MEMORY;
    waiting->wait_ns += ns_of(ranking, lock->waited.items[i].ticks);
  }
  return PROF_OK;
}

/* UINT32_MAX: no memory.  The row takes the name over. */
static uint32_t row_of(struct ranking *ranking, const struct prof_lock *lock, char *name) {
  const struct prof_lock_row *rows = ranking->rows.items;
  const struct prof_lock_row fresh = {
      .name = name, .kind = prof_lock_kind(lock->kind), .is_held = prof_measure_is_held(lock->kind)};
  const struct row_waits none = {0};
  size_t before = ranking->rows.count;
  uint32_t row =
      prof_index_meet(&ranking->known, &ranking->rows, prof_index_hash(prof_measured_text_hash(name), lock->kind), i,
                      strcmp(rows[i].name, name) == 0 && rows[i].kind == fresh.kind, fresh);
  if (ranking->rows.count == before) /* known, or no memory */
    free(name);
  else if (!prof_vec_push(&ranking->waits, none))
    return UINT32_MAX;
  return row;
}

static prof_status add_lock(struct ranking *ranking, const struct prof_lock *lock) {
  char *name;
  if (prof_lock_name(&ranking->namer, lock, &name) != PROF_OK)
    return PROF_NO_MEMORY;
  uint32_t at = row_of(ranking, lock, name);
  if (at == UINT32_MAX)
    return PROF_NO_MEMORY;
  struct prof_lock_row *row = &ranking->rows.items[at];
  uint64_t longest = ns_of(ranking, lock->longest_ticks);
  row->locks++;
  row->acquisitions += lock->acquisitions;
  row->contended += lock->contended;
  row->wait_ns += ns_of(ranking, lock->wait_ticks);
  row->unknown_ns += ns_of(ranking, lock->unknown_ticks);
  row->hold_ns += ns_of(ranking, lock->hold_ticks);
  if (lock->longest_site != UINT32_MAX && (longest > row->longest_hold_ns || !row->longest.function)) {
    row->longest_hold_ns = longest;
    if (place_of(ranking, lock->longest_site, &row->longest) != PROF_OK)
      return PROF_NO_MEMORY;
  }
  if (lock->waits)
    prof_histogram_merge(&ranking->pool, &ranking->waits.items[at].times, &ranking->states.pool,
                         &ranking->states.histograms.items[lock->waits - 1]);
  bool good = !ranking->pool.failed && prof_thread_set_join(&ranking->waits.items[at].waiters, &lock->waiters) &&
              add_waited(ranking, lock, row) == PROF_OK;
  return good ? add_parts(ranking, lock, row) : PROF_NO_MEMORY;
}

static int by_waited(const void *left, const void *right) {
  const struct prof_lock_waiting *a = left, *b = right;
  return prof_order(b->wait_ns, a->wait_ns)
         ?: strcmp(a->place.function, b->place.function) ?: prof_order(a->place.line, b->place.line);
}

static int by_wait(const void *left, const void *right) {
  const struct prof_lock_holder *a = left, *b = right;
  return prof_order(b->wait_ns + b->handover_ns, a->wait_ns + a->handover_ns)
         ?: strcmp(a->place.function, b->place.function) ?: prof_order(a->place.line, b->place.line)
         ?: prof_order(a->node, b->node);
}

static uint64_t key_of(const struct prof_lock_row *row, enum prof_lock_sort sort) {
  const uint64_t keys[] = {[PROF_LOCK_WAIT] = row->wait_ns,
                           [PROF_LOCK_ACQUISITIONS] = row->acquisitions,
                           [PROF_LOCK_CONTENDED] = row->contended,
                           [PROF_LOCK_HOLD] = row->hold_ns};
  return keys[sort];
}

static int by_key(const void *left, const void *right, void *context) {
  const struct prof_lock_row *a = left, *b = right;
  const enum prof_lock_sort sort = *(const enum prof_lock_sort *)context;
  return prof_order(key_of(b, sort), key_of(a, sort)) ?: prof_order(b->acquisitions, a->acquisitions)
                                                       ?: strcmp(a->name, b->name) ?: strcmp(a->kind, b->kind);
}

/* Without rows of locks that nobody used in what is shown. */
static void finish(struct ranking *ranking, enum prof_lock_sort sort, struct prof_locks *out) {
  static const double p99 = 0.99;
  uint64_t ticks;
  out->rows = ranking->rows.items;
  for (size_t i = 0; i < ranking->rows.count; i++) {
    struct prof_lock_row *row = &ranking->rows.items[i];
    struct row_waits *waits = &ranking->waits.items[i];
    if (row->acquisitions + row->contended == 0) {
      free(row->holders);
      free(row->waiting);
      free(row->name);
      continue;
    }
    prof_histogram_quantiles(&ranking->pool, &waits->times, &p99, 1, &ticks);
    row->wait_p99_ns = ns_of(ranking, ticks);
    row->wait_max_ns = ns_of(ranking, waits->times.max);
    row->waiters = waits->waiters.threads.count;
    row->waiters_ns = prof_thread_set_ns(&waits->waiters, ranking->trace);
    if (row->holder_count > 0)
      qsort(row->holders, row->holder_count, sizeof *row->holders, by_wait);
    if (row->waiting_count > 0)
      qsort(row->waiting, row->waiting_count, sizeof *row->waiting, by_waited);
    out->rows[out->count++] = *row;
  }
  if (out->count > 0)
    qsort_r(out->rows, out->count, sizeof *out->rows, by_key, &sort);
}

prof_status prof_locks_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                            const struct prof_line_source *source, struct prof_symbols *symbols,
                            const struct prof_lock_options *options, struct prof_diag *diag, struct prof_locks *out) {
  struct ranking ranking = {.trace = trace, .names = names, .source = source, .options = options};
  *out = (struct prof_locks){0};
  prof_status status = prof_lock_states_of(trace, filter, &ranking.states, &out->paths, diag);
  bool good = prof_lock_namer_init(&ranking.namer, trace, names, source, symbols, &ranking.states.sites);
  good = good && status == PROF_OK && prof_lock_states_end(&ranking.states, prof_trace_info(trace)->last_ticks);
  out->recorded = ranking.states.locks.count > 0;
  for (size_t i = 0; good && i < ranking.states.locks.count; i++)
    if (options->all || prof_lock_is_shared(ranking.states.locks.items[i].kind))
      good = add_lock(&ranking, &ranking.states.locks.items[i]) == PROF_OK;
    else
      out->left_out++;
  if (good)
    finish(&ranking, options->sort, out);
  else {
    out->rows = ranking.rows.items;
    out->count = ranking.rows.count;
  }
  if (status == PROF_OK && !good)
    status = prof_diag_memory(diag);
  for (size_t i = 0; i < ranking.waits.count; i++)
    prof_thread_set_fini(&ranking.waits.items[i].waiters);
  prof_vec_fini(&ranking.waits);
  prof_histogram_pool_free(&ranking.pool);
  prof_index_fini(&ranking.known);
  prof_lock_namer_fini(&ranking.namer);
  prof_lock_states_fini(&ranking.states);
  return status;
}

void prof_locks_free(struct prof_locks *locks) {
  for (size_t i = 0; i < locks->count; i++) {
    free(locks->rows[i].name);
    free(locks->rows[i].holders);
    free(locks->rows[i].waiting);
  }
  free(locks->rows);
  prof_measured_paths_fini(&locks->paths);
  *locks = (struct prof_locks){0};
}
