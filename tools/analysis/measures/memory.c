/*
 * tools/analysis/measures/memory.c - see memory.h.
 *
 *    events in time order -> groups (memory_tally.h), and what they have at each moment -> rows
 */
#include "analysis/measures/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "tally/sums_shown.h"

const char *const prof_memory_sorts[] = {
    [PROF_MEMORY_PEAK] = "peak",   [PROF_MEMORY_LIVE] = "live",           [PROF_MEMORY_BYTES] = "bytes",
    [PROF_MEMORY_CALLS] = "calls", [PROF_MEMORY_TEMPORARY] = "temporary", [PROF_MEMORY_GROWTH] = NULL};

struct ranking {
  struct prof_memory *out;
  const struct prof_memory_options *options;
  struct prof_memory_tally tally;
  PROF_VEC(struct prof_memory_moment) moments[PROF_MEMORY_MOST_MOMENTS]; /* per group that there was then */
  size_t past;                                                           /* so many moments are over */
  struct prof_index_map known;
  PROF_VEC(struct prof_memory_row) rows;
};

/* ---- moments ---- */

/* The next moment has come.  False: no memory. */
static bool note_moment(struct ranking *ranking) {
  if (!prof_memory_tally_end_all(&ranking->tally, ranking->options->moments[ranking->past]))
    return false;
  for (size_t i = 0; i < ranking->tally.groups.count; i++) {
    struct prof_memory_group *group = &ranking->tally.groups.items[i];
    const struct prof_memory_moment now = {group->sum.live_bytes, group->sum.live_calls, group->low_bytes};
    group->low_bytes = group->sum.live_bytes;
    if (!prof_vec_push(&ranking->moments[ranking->past], now))
      return false;
  }
  ranking->past++;
  return true;
}

static bool take(void *context, const struct prof_measured *event) {
  struct ranking *ranking = context;
  while (ranking->past < ranking->options->moment_count &&
         event->time_ticks >= ranking->options->moments[ranking->past])
    if (!note_moment(ranking))
      return false;
  return prof_memory_tally_take(&ranking->tally, event);
}

/* ---- rows ---- */

static void add(struct prof_memory_figures *to, const struct prof_memory_figures *figures) {
  to->calls += figures->calls;
  to->bytes += figures->bytes;
  to->live_calls += figures->live_calls;
  to->live_bytes += figures->live_bytes;
  to->peak_bytes += figures->peak_bytes;
  to->temporary += figures->temporary;
}

static void add_moment(struct prof_memory_moment *to, const struct prof_memory_moment *moment) {
  to->bytes += moment->bytes;
  to->calls += moment->calls;
  to->low_bytes += moment->low_bytes;
}

static int64_t growth_of(const struct prof_memory_row *row, size_t moments) {
  return moments < 2 ? 0 : (int64_t)(row->at[moments - 1].bytes - row->at[0].bytes);
}

static uint64_t key_of(const struct prof_memory_row *row, enum prof_memory_sort sort) {
  const struct prof_memory_figures *sum = &row->sum;
  const uint64_t keys[] = {[PROF_MEMORY_PEAK] = sum->peak_bytes,
                           [PROF_MEMORY_LIVE] = sum->live_bytes,
                           [PROF_MEMORY_BYTES] = sum->bytes,
                           [PROF_MEMORY_CALLS] = sum->calls,
                           [PROF_MEMORY_TEMPORARY] = sum->temporary};
  return keys[sort];
}

static int by_key(const void *left, const void *right, void *context) {
  const struct prof_memory_row *a = left, *b = right;
  const struct prof_memory_options *options = context;
  const int64_t grown_a = growth_of(a, options->moment_count), grown_b = growth_of(b, options->moment_count);
  int order;
  if (options->sort == PROF_MEMORY_GROWTH)
    order = grown_a != grown_b ? (grown_a < grown_b ? 1 : -1) : 0;
  else if (options->by == PROF_MEMORY_BY_SIZE)
    order = prof_order(a->mapped, b->mapped) ?: prof_order(a->key, b->key);
  else
    order = prof_order(key_of(b, options->sort), key_of(a, options->sort));
  return order ?: prof_order(b->sum.bytes, a->sum.bytes) ?: prof_order(b->sum.calls, a->sum.calls)
         ?: strcmp(a->place.function, b->place.function) ?: strcmp(a->place.file, b->place.file)
         ?: prof_order(a->place.line, b->place.line) ?: strcmp(a->place.via, b->place.via)
         ?: prof_order(a->key, b->key) ?: prof_order(a->node, b->node);
}

/* The row of what has these properties; UINT32_MAX: no memory. */
static uint32_t row_of(struct ranking *ranking, const struct prof_memory_row *row) {
  const struct prof_memory_row *rows = ranking->rows.items;
  const bool by_path = ranking->options->by_path;
  return prof_index_meet(&ranking->known, &ranking->rows,
                         prof_index_hash(prof_measured_place_hash(&row->place), by_path ? row->node : row->key), i,
                         rows[i].mapped == row->mapped && rows[i].none == row->none && rows[i].key == row->key &&
                             (!by_path || rows[i].node == row->node) &&
                             prof_measured_place_same(&rows[i].place, &row->place),
                         *row);
}

/* What a row of the group has in common with others.  Zones of several modules are one if they have the same place. */
static prof_status describe(const prof_trace *trace, const struct ranking *ranking, size_t at, struct prof_names *names,
                            const struct prof_line_source *source, struct prof_memory_row *row) {
  const struct prof_memory_group *group = &ranking->tally.groups.items[at];
  *row = (struct prof_memory_row){.place = {"", "", "", 0}, .mapped = group->mapped, .none = group->none};
  if (ranking->options->by == PROF_MEMORY_BY_PLACE) {
    row->node = ranking->tally.sites.items.items[at].node;
    return prof_call_site_place(trace, &ranking->tally.sites.items.items[at], names, source, &row->place);
  }
  if (ranking->options->by == PROF_MEMORY_BY_ZONE && !group->none)
    row->place = (struct prof_measured_place){prof_names_plain(names, (uint32_t)group->key), "", "", 0};
  else if (ranking->options->by != PROF_MEMORY_BY_ZONE)
    row->key = group->key;
  return PROF_OK;
}

static prof_status group(const prof_trace *trace, struct ranking *ranking, struct prof_names *names,
                         const struct prof_line_source *source) {
  prof_status status = PROF_OK;
  struct prof_memory *out = ranking->out;
  prof_memory_tally_settle(&ranking->tally);
  for (size_t i = 0; i < ranking->tally.groups.count && status == PROF_OK; i++) {
    const struct prof_memory_group *group = &ranking->tally.groups.items[i];
    struct prof_memory_row fresh;
    status = describe(trace, ranking, i, names, source, &fresh);
    uint32_t at = status == PROF_OK ? row_of(ranking, &fresh) : UINT32_MAX;
    if (at == UINT32_MAX)
      return PROF_NO_MEMORY;
    struct prof_memory_row *row = &ranking->rows.items[at];
    add(&row->sum, &group->sum);
    add(group->mapped ? &out->mapped : &out->sum, &group->sum);
    for (size_t k = 0; k < ranking->options->moment_count; k++) {
      const struct prof_memory_moment none = {0, 0, 0};
      const struct prof_memory_moment *then = i < ranking->moments[k].count ? &ranking->moments[k].items[i] : &none;
      add_moment(&row->at[k], then);
      if (!group->mapped)
        add_moment(&out->at[k], then);
    }
  }
  return status;
}

static prof_status rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                        const struct prof_line_source *source, struct ranking *ranking, struct prof_diag *diag) {
  const struct prof_memory_options *options = ranking->options;
  struct prof_memory *out = ranking->out;
  if (!prof_memory_tally_init(&ranking->tally, trace, options->by, names, &out->paths))
    return prof_diag_memory(diag);
  const bool is_summary = prof_trace_summary(trace, NULL) != NULL;
  prof_status status = PROF_OK;
  if (is_summary && (options->moment_count > 0 || options->by == PROF_MEMORY_BY_REQUEST))
    return prof_diag_fill(diag, PROF_EMPTY, prof_trace_info(trace)->path, PROF_NO_OFFSET,
                          "for that, record without --mode=summary",
                          "a summary has neither moments nor single requests");
  status = is_summary ? prof_memory_tally_of(trace, filter, &ranking->tally, &out->paths, diag)
                      : prof_measured_walk(trace, filter, take, ranking, &out->paths, diag);
  if (status != PROF_OK)
    return status;
  while (ranking->past < options->moment_count)
    if (!note_moment(ranking))
      return prof_diag_memory(diag);
  if (group(trace, ranking, names, source) != PROF_OK)
    return prof_diag_memory(diag);
  return PROF_OK;
}

prof_status prof_memory_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                             const struct prof_line_source *source, const struct prof_memory_options *options,
                             struct prof_diag *diag, struct prof_memory *out) {
  struct ranking ranking = {.out = out, .options = options};
  *out = (struct prof_memory){0};
  prof_status status = rank(trace, filter, names, source, &ranking, diag);
  const uint64_t start = prof_trace_info(trace)->start_ticks, peak_ticks = ranking.tally.totals[false].peak_ticks;
  out->peak_ns = peak_ticks > start ? prof_trace_ns(trace, peak_ticks - start) : 0;
  out->frees = ranking.tally.frees;
  out->unknown_frees = ranking.tally.unknown_frees;
  out->live_processes = ranking.tally.live_processes;
  out->unfollowed_calls = ranking.tally.unfollowed_calls;
  out->unfollowed_bytes = ranking.tally.unfollowed_bytes;
  out->is_whole_peak = prof_trace_summary(trace, NULL) && filter->active && filter->asked;
  out->recorded = ranking.tally.recorded;
  out->rows = ranking.rows.items;
  out->count = ranking.rows.count;
  if (out->count > 0)
    qsort_r(out->rows, out->count, sizeof *out->rows, by_key, (void *)(uintptr_t)options);
  for (size_t i = 0; i < PROF_MEMORY_MOST_MOMENTS; i++)
    prof_vec_fini(&ranking.moments[i]);
  prof_index_fini(&ranking.known);
  prof_memory_tally_fini(&ranking.tally);
  return status;
}

void prof_memory_free(struct prof_memory *memory) {
  free(memory->rows);
  prof_measured_paths_fini(&memory->paths);
  *memory = (struct prof_memory){0};
}

/* ---- growth ---- */

void prof_memory_growth_moments(const prof_trace *trace, const struct prof_filter *filter,
                                uint64_t moments[PROF_MEMORY_MOST_MOMENTS]) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  const uint64_t begin = filter->begin_ticks > info->start_ticks ? filter->begin_ticks : info->start_ticks;
  const uint64_t end = filter->end_ticks < info->last_ticks ? filter->end_ticks : info->last_ticks;
  const uint64_t twelfth = (end > begin ? end - begin : 0) / 12;
  for (size_t i = 0; i < PROF_MEMORY_MOST_MOMENTS; i++)
    moments[i] = begin + twelfth * (i + 3);
}

static bool only_grows(const struct prof_memory_row *row, uint64_t limit_bytes) {
  size_t rises = 0;
  for (size_t i = 2; i < PROF_MEMORY_MOST_MOMENTS; i++) {
    if (row->at[i].low_bytes < row->at[i - 1].low_bytes)
      return false;
    rises += row->at[i].low_bytes > row->at[i - 1].low_bytes;
  }
  return rises >= 3 && row->at[PROF_MEMORY_MOST_MOMENTS - 1].bytes > row->at[0].bytes + limit_bytes;
}

void prof_memory_keep_growing(struct prof_memory *memory, uint64_t limit_bytes) {
  size_t kept = 0;
  for (size_t i = 0; i < memory->count; i++)
    if (only_grows(&memory->rows[i], limit_bytes))
      memory->rows[kept++] = memory->rows[i];
  memory->count = kept;
}
