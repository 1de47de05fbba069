/*
 * tools/analysis/measures/queries.c - see queries.h.
 *
 *    events -> sums per site and text -> rows
 */
#include "analysis/measures/queries.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measures/file_names.h"
#include "base/diag.h"
#include "base/order.h"
#include "tally/sums_shown.h"

const char *const prof_query_groups[] = {
    [PROF_QUERIES_BY_PLACE] = "place", [PROF_QUERIES_BY_STATEMENT] = "statement", NULL};
const char *const prof_query_sorts[] = {[PROF_QUERIES_TIME] = "time",
                                        [PROF_QUERIES_CALLS] = "calls",
                                        [PROF_QUERIES_ROWS] = "rows",
                                        [PROF_QUERIES_P99] = "p99",
                                        NULL};

struct row_times {
  struct prof_histogram times;
};

struct ranking {
  const prof_trace *trace;
  const struct prof_query_options *options;
  struct prof_query_tally tally;
  PROF_VEC(struct prof_query_row) rows;
  PROF_VEC(struct row_times) times; /* per row */
  struct prof_index_map known_rows;
  struct prof_histogram_pool row_pool;
  struct prof_file_names texts;
};

/* ---- rows ---- */

static uint32_t row_of(struct ranking *ranking, const struct prof_query_row *row) {
  const struct prof_query_row *rows = ranking->rows.items;
  const struct row_times none = {0};
  const uint64_t rest = prof_measured_text_hash(row->statement) ^ (ranking->options->by_path ? row->node : 0);
  const size_t before = ranking->rows.count;
  uint32_t at = prof_index_meet(&ranking->known_rows, &ranking->rows,
                                prof_index_hash(prof_measured_place_hash(&row->place), rest), i,
                                rows[i].library == row->library && strcmp(rows[i].statement, row->statement) == 0 &&
                                    (!ranking->options->by_path || rows[i].node == row->node) &&
                                    prof_measured_place_same(&rows[i].place, &row->place),
                                *row);
  return ranking->rows.count == before || prof_vec_push(&ranking->times, none) ? at : UINT32_MAX;
}

static bool add(struct ranking *ranking, const struct prof_query_sum *sum, struct prof_names *names,
                const struct prof_line_source *source) {
  static const char *const libraries[] = {"sqlite", "postgresql"};
  struct prof_query_row row = {.place = {"", "", "", 0},
                               .statement = prof_file_name_of(&ranking->texts, sum->process, sum->text),
                               .library = libraries[sum->postgres]};
  if (sum->site != UINT32_MAX) {
    const struct prof_call_site *site = &ranking->tally.sites.items.items[sum->site];
    row.node = site->node;
    if (prof_call_site_place(ranking->trace, site, names, source, &row.place) != PROF_OK)
      return false;
  }
  uint32_t at = row_of(ranking, &row);
  if (at == UINT32_MAX)
    return false;
  struct prof_query_row *to = &ranking->rows.items[at];
  to->calls += sum->calls;
  to->failed += sum->failed;
  to->rows += sum->rows;
  to->wait_ns += prof_trace_ns(ranking->trace, sum->ticks);
  to->prepared += sum->prepared;
  to->prepare_ns += prof_trace_ns(ranking->trace, sum->prepare_ticks);
  prof_histogram_merge(&ranking->row_pool, &ranking->times.items[at].times, &ranking->tally.pool, &sum->times);
  return !ranking->row_pool.failed;
}

static uint64_t key_of(const struct prof_query_row *row, enum prof_query_sort sort) {
  const uint64_t keys[] = {[PROF_QUERIES_TIME] = row->wait_ns,
                           [PROF_QUERIES_CALLS] = row->calls,
                           [PROF_QUERIES_ROWS] = row->rows,
                           [PROF_QUERIES_P99] = row->p99_ns};
  return keys[sort];
}

static int by_key(const void *left, const void *right, void *context) {
  const struct prof_query_row *a = left, *b = right;
  const enum prof_query_sort sort = ((const struct prof_query_options *)context)->sort;
  return prof_order(key_of(b, sort), key_of(a, sort)) ?: prof_order(b->calls, a->calls)
         ?: prof_order(b->prepare_ns, a->prepare_ns) ?: strcmp(a->statement, b->statement)
         ?: strcmp(a->place.function, b->place.function) ?: prof_order(a->place.line, b->place.line)
         ?: strcmp(a->place.via, b->place.via)
         ?: prof_order(a->node, b->node);
}

static void finish(const struct ranking *ranking, struct prof_queries *out) {
  static const double shares[] = {0.5, 0.99};
  for (size_t i = 0; i < out->count; i++) {
    struct prof_query_row *row = &out->rows[i];
    uint64_t ticks[2];
    prof_histogram_quantiles(&ranking->row_pool, &ranking->times.items[i].times, shares, 2, ticks);
    row->p50_ns = prof_trace_ns(ranking->trace, ticks[0]);
    row->p99_ns = prof_trace_ns(ranking->trace, ticks[1]);
    row->max_ns = prof_trace_ns(ranking->trace, ranking->times.items[i].times.max);
    out->calls += row->calls;
    out->wait_ns += row->wait_ns;
    out->prepared += row->prepared;
    out->prepare_ns += row->prepare_ns;
  }
  if (out->count > 0)
    qsort_r(out->rows, out->count, sizeof *out->rows, by_key, (void *)(uintptr_t)ranking->options);
}

prof_status prof_queries_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                              const struct prof_line_source *source, const struct prof_query_options *options,
                              struct prof_diag *diag, struct prof_queries *out) {
  struct ranking ranking = {
      .trace = trace, .options = options, .tally = {.by_place = options->group == PROF_QUERIES_BY_PLACE}};
  *out = (struct prof_queries){0};
  prof_status status = prof_query_tally_of(trace, filter, &ranking.tally, &out->paths, diag);
  bool good = status == PROF_OK && prof_file_names_init(&ranking.texts, trace);
  for (size_t i = 0; good && i < ranking.tally.sums.count; i++)
    good = add(&ranking, &ranking.tally.sums.items[i], names, source);
  if (status == PROF_OK && !good)
    status = prof_diag_memory(diag);
  out->recorded = ranking.tally.recorded;
  out->rows = ranking.rows.items;
  out->count = good ? ranking.rows.count : 0;
  finish(&ranking, out);
  prof_vec_fini(&ranking.times);
  prof_index_fini(&ranking.known_rows);
  prof_file_names_fini(&ranking.texts);
  prof_histogram_pool_free(&ranking.row_pool);
  prof_query_tally_fini(&ranking.tally);
  return status;
}

void prof_queries_free(struct prof_queries *queries) {
  free(queries->rows);
  prof_measured_paths_fini(&queries->paths);
  *queries = (struct prof_queries){0};
}
