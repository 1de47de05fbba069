/*
 * tools/analysis/measures/io.c - see io.h.
 *
 *    events -> sums per site, file and operation -> rows
 */
#include "analysis/measures/io.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measures/file_names.h"
#include "base/diag.h"
#include "base/order.h"
#include "measure.h"
#include "tally/sums_shown.h"

const char *const prof_io_groups[] = {
    [PROF_IO_BY_PLACE] = "place", [PROF_IO_BY_FILE] = "file", [PROF_IO_BY_OPERATION] = "operation", NULL};
const char *const prof_io_sorts[] = {
    [PROF_IO_TIME] = "time", [PROF_IO_BYTES] = "bytes", [PROF_IO_CALLS] = "calls", NULL};

struct row_times {
  struct prof_io_errors errors;
  struct prof_histogram times;
  struct prof_thread_set threads;
};

struct ranking {
  const prof_trace *trace;
  const struct prof_io_options *options;
  struct prof_io_tally tally;
  PROF_VEC(struct prof_io_row) rows;
  PROF_VEC(struct row_times) times; /* per row */
  struct prof_index_map known;
  struct prof_histogram_pool pool;
  struct prof_file_names files;
};

#pragma weak strerrorname_np /* since glibc 2.32 */

static void write_errors(const struct prof_io_errors *errors, char out[PROF_IO_ERRORS_BYTES]) {
  size_t used = 0;
  out[0] = 0;
  for (size_t i = 0; i < PROF_IO_ERRORS && errors->items[i].error; i++) {
    const char *name = strerrorname_np ? strerrorname_np((int)errors->items[i].error) : NULL, *between = i ? ", " : "";
    used += (size_t)(name ? snprintf(out + used, PROF_IO_ERRORS_BYTES - used, "%s%s", between, name)
                          : snprintf(out + used, PROF_IO_ERRORS_BYTES - used, "%serrno %" PRIu32, between,
                                     errors->items[i].error));
    used = used < PROF_IO_ERRORS_BYTES ? used : PROF_IO_ERRORS_BYTES - 1;
  }
  if (errors->more)
    snprintf(out + used, PROF_IO_ERRORS_BYTES - used, ", ...");
}

/* ---- rows ---- */

static uint32_t row_of(struct ranking *ranking, const struct prof_io_row *row) {
  const struct prof_io_row *rows = ranking->rows.items;
  const struct row_times none = {0};
  const bool by_path = ranking->options->by_path;
  const uint64_t rest =
      (prof_measured_text_hash(row->path) ^ prof_measured_text_hash(row->operation) * 7) + (by_path ? row->node : 0);
  size_t before = ranking->rows.count;
  uint32_t at = prof_index_meet(
      &ranking->known, &ranking->rows, prof_index_hash(prof_measured_place_hash(&row->place), rest), i,
      rows[i].operation == row->operation && strcmp(rows[i].path, row->path) == 0 &&
          (!by_path || rows[i].node == row->node) && prof_measured_place_same(&rows[i].place, &row->place),
      *row);
  return ranking->rows.count == before || prof_vec_push(&ranking->times, none) ? at : UINT32_MAX;
}

static prof_status add(struct ranking *ranking, const struct prof_io_sum *sum, struct prof_names *names,
                       const struct prof_line_source *source) {
  const struct prof_io_tally *tally = &ranking->tally;
  struct prof_io_row row = {.place = {"", "", "", 0},
                            .path = ranking->options->group == PROF_IO_BY_OPERATION
                                        ? ""
                                        : prof_file_name_of(&ranking->files, sum->process, sum->file),
                            .operation = prof_io_operation(PROF_MEASURE_READ + sum->operation)};
  if (sum->site != UINT32_MAX) {
    const struct prof_call_site *site = &tally->sites.items.items[sum->site];
    row.node = site->node;
    if (prof_call_site_place(ranking->trace, site, names, source, &row.place) != PROF_OK)
      return PROF_NO_MEMORY;
  }
  uint32_t at = row_of(ranking, &row);
  if (at == UINT32_MAX)
    return PROF_NO_MEMORY;
  struct prof_io_row *to = &ranking->rows.items[at];
  to->calls += sum->calls;
  to->failed += sum->failed;
  to->bytes += sum->bytes;
  prof_io_errors_add(&ranking->times.items[at].errors, &sum->errors);
  to->wait_ns += prof_trace_ns(ranking->trace, sum->ticks);
  prof_histogram_merge(&ranking->pool, &ranking->times.items[at].times, &tally->pool, &sum->times);
  bool good = !ranking->pool.failed && prof_thread_set_join(&ranking->times.items[at].threads, &sum->threads);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

static uint64_t key_of(const struct prof_io_row *row, enum prof_io_sort sort) {
  const uint64_t keys[] = {[PROF_IO_TIME] = row->wait_ns, [PROF_IO_BYTES] = row->bytes, [PROF_IO_CALLS] = row->calls};
  return keys[sort];
}

static int by_key(const void *left, const void *right, void *context) {
  const struct prof_io_row *a = left, *b = right;
  const enum prof_io_sort sort = *(const enum prof_io_sort *)context;
  return prof_order(key_of(b, sort), key_of(a, sort)) ?: prof_order(b->calls, a->calls)
         ?: strcmp(a->operation, b->operation) ?: strcmp(a->path, b->path)
         ?: strcmp(a->place.function, b->place.function) ?: prof_order(a->place.line, b->place.line)
         ?: strcmp(a->place.via, b->place.via) ?: prof_order(a->node, b->node);
}

static void finish(struct ranking *ranking, enum prof_io_sort sort, struct prof_io *out) {
  static const double shares[] = {0.5, 0.99};
  for (size_t i = 0; i < ranking->rows.count; i++) {
    struct prof_io_row *row = &ranking->rows.items[i];
    const struct prof_histogram *times = &ranking->times.items[i].times;
    uint64_t ticks[2];
    prof_histogram_quantiles(&ranking->pool, times, shares, 2, ticks);
    write_errors(&ranking->times.items[i].errors, row->errors);
    row->p50_ns = prof_trace_ns(ranking->trace, ticks[0]);
    row->p99_ns = prof_trace_ns(ranking->trace, ticks[1]);
    row->max_ns = prof_trace_ns(ranking->trace, times->max);
    row->threads_ns = prof_thread_set_ns(&ranking->times.items[i].threads, ranking->trace);
    out->calls += row->calls;
    out->bytes += row->bytes;
    out->wait_ns += row->wait_ns;
  }
  out->rows = ranking->rows.items;
  out->count = ranking->rows.count;
  if (out->count > 0)
    qsort_r(out->rows, out->count, sizeof *out->rows, by_key, &sort);
}

prof_status prof_io_rank(const prof_trace *trace, const struct prof_filter *filter, struct prof_names *names,
                         const struct prof_line_source *source, const struct prof_io_options *options,
                         struct prof_diag *diag, struct prof_io *out) {
  struct ranking ranking = {
      .trace = trace, .options = options, .tally = {.by_place = options->group == PROF_IO_BY_PLACE}};
  *out = (struct prof_io){0};
  prof_status status = prof_io_tally_of(trace, filter, &ranking.tally, &out->paths, diag);
  bool good = status == PROF_OK && prof_file_names_init(&ranking.files, trace);
  for (size_t i = 0; good && i < ranking.tally.sums.count; i++)
    good = add(&ranking, &ranking.tally.sums.items[i], names, source) == PROF_OK;
  if (status == PROF_OK && !good)
    status = prof_diag_memory(diag);
  finish(&ranking, options->sort, out);
  out->recorded = ranking.tally.recorded;
  for (size_t i = 0; i < ranking.times.count; i++)
    prof_thread_set_fini(&ranking.times.items[i].threads);
  prof_vec_fini(&ranking.times);
  prof_index_fini(&ranking.known);
  prof_file_names_fini(&ranking.files);
  prof_histogram_pool_free(&ranking.pool);
  prof_io_tally_fini(&ranking.tally);
  return status;
}

void prof_io_free(struct prof_io *io) {
  free(io->rows);
  prof_measured_paths_fini(&io->paths);
  *io = (struct prof_io){0};
}
