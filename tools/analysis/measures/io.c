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
#include "analysis/measures/thread_set.h"
#include "base/diag.h"
#include "base/order.h"
#include "fold/histogram.h"
#include "measure.h"

const char *const prof_io_groups[] = {
    [PROF_IO_BY_PLACE] = "place", [PROF_IO_BY_FILE] = "file", [PROF_IO_BY_OPERATION] = "operation", NULL};
const char *const prof_io_sorts[] = {
    [PROF_IO_TIME] = "time", [PROF_IO_BYTES] = "bytes", [PROF_IO_CALLS] = "calls", NULL};

#define FIRST PROF_MEASURE_READ
#define LAST PROF_MEASURE_ACCEPT
static const char *const operations[] = {"read",    "pread", "readv",   "preadv",  "write",     "pwrite",   "writev",
                                         "pwritev", "open",  "close",   "fsync",   "fdatasync", "sendfile", "copy",
                                         "receive", "send",  "recvmsg", "sendmsg", "connect",   "accept"};
_Static_assert(sizeof operations / sizeof *operations == LAST - FIRST + 1, "a word for each");

const char *prof_io_operation(uint32_t operation) {
  return operation >= FIRST && operation <= LAST ? operations[operation - FIRST] : NULL;
}

enum { ERRORS = 4 }; /* kinds that are told apart */

struct errors { /* of failed calls; error 0: no more */
  struct {
    uint32_t error;
    uint64_t calls;
  } items[ERRORS];
  bool more;
};

struct sum {
  uint32_t site, process, file, operation; /* site: UINT32_MAX: not by place */
  uint64_t calls, failed, bytes, ticks;
  struct errors errors;
  struct prof_histogram times;
  struct prof_thread_set threads;
};

struct tally {
  const prof_trace *trace;
  const struct prof_io_options *options;
  bool recorded;
  struct prof_call_sites sites;
  PROF_VEC(struct sum) sums;
  struct prof_index_map known;
  struct prof_histogram_pool pool;
};

struct row_times {
  struct errors errors;
  struct prof_histogram times;
  struct prof_thread_set threads;
};

struct ranking {
  struct tally tally;
  PROF_VEC(struct prof_io_row) rows;
  PROF_VEC(struct row_times) times; /* per row */
  struct prof_index_map known;
  struct prof_histogram_pool pool;
  struct prof_file_names files;
};

/* ---- errors ---- */

static void add_error(struct errors *errors, uint32_t error, uint64_t calls) {
  size_t at = 0;
  while (at < ERRORS && errors->items[at].error && errors->items[at].error != error)
    at++;
  errors->more |= error && at == ERRORS;
  if (!error || at == ERRORS)
    return;
  errors->items[at].error = error;
  errors->items[at].calls += calls;
  for (; at > 0 && errors->items[at].calls > errors->items[at - 1].calls; at--) {
    const __typeof__(errors->items[0]) item = errors->items[at];
    errors->items[at] = errors->items[at - 1];
    errors->items[at - 1] = item;
  }
}

static void add_errors(struct errors *to, const struct errors *from) {
  for (size_t i = 0; i < ERRORS; i++)
    add_error(to, from->items[i].error, from->items[i].calls);
  to->more |= from->more;
}

#pragma weak strerrorname_np /* since glibc 2.32 */

static void write_errors(const struct errors *errors, char out[PROF_IO_ERRORS_BYTES]) {
  size_t used = 0;
  out[0] = 0;
  for (size_t i = 0; i < ERRORS && errors->items[i].error; i++) {
    const char *name = strerrorname_np ? strerrorname_np((int)errors->items[i].error) : NULL, *between = i ? ", " : "";
    used += (size_t)(name ? snprintf(out + used, PROF_IO_ERRORS_BYTES - used, "%s%s", between, name)
                          : snprintf(out + used, PROF_IO_ERRORS_BYTES - used, "%serrno %" PRIu32, between,
                                     errors->items[i].error));
    used = used < PROF_IO_ERRORS_BYTES ? used : PROF_IO_ERRORS_BYTES - 1;
  }
  if (errors->more)
    snprintf(out + used, PROF_IO_ERRORS_BYTES - used, ", ...");
}

/* ---- events ---- */

static bool take(void *context, const struct prof_measured *event) {
  struct tally *tally = context;
  if (!prof_io_operation(event->operation))
    return true;
  tally->recorded = true;
  if (!event->shown)
    return true;
  const uint64_t bytes = event->first & PROF_MEASURE_IO_FAILED;
  const bool failed = bytes > PROF_MEASURE_IO_MOST;
  struct sum sum = {.site = UINT32_MAX,
                    .process = event->process,
                    .file = (uint32_t)(event->first >> PROF_MEASURE_IO_BYTES),
                    .operation = event->operation - FIRST};
  if (tally->options->group == PROF_IO_BY_PLACE && (sum.site = prof_call_site_of(&tally->sites, event)) == UINT32_MAX)
    return false;
  const struct sum *sums = tally->sums.items;
  const uint64_t key = (uint64_t)sum.file << 32 | sum.site, rest = (uint64_t)sum.process << 8 | sum.operation;
  uint32_t at = prof_index_meet(&tally->known, &tally->sums, prof_index_hash(key, rest), i,
                                sums[i].site == sum.site && sums[i].file == sum.file &&
                                    sums[i].process == sum.process && sums[i].operation == sum.operation,
                                sum);
  if (at == UINT32_MAX)
    return false;
  struct sum *to = &tally->sums.items[at];
  to->calls++;
  to->failed += failed;
  to->bytes += failed ? 0 : bytes;
  if (failed)
    add_error(&to->errors, (uint32_t)(PROF_MEASURE_IO_FAILED - bytes), 1);
  to->ticks += event->second;
  prof_histogram_add(&tally->pool, &to->times, event->second);
  return !tally->pool.failed && prof_thread_set_add(&to->threads, event->thread);
}

/* ---- rows ---- */

static uint32_t row_of(struct ranking *ranking, const struct prof_io_row *row) {
  const struct prof_io_row *rows = ranking->rows.items;
  const struct row_times none = {0};
  const bool by_path = ranking->tally.options->by_path;
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

static prof_status add(struct ranking *ranking, const struct sum *sum, struct prof_names *names,
                       const struct prof_line_source *source) {
  const struct tally *tally = &ranking->tally;
  struct prof_io_row row = {.place = {"", "", "", 0},
                            .path = tally->options->group == PROF_IO_BY_OPERATION
                                        ? ""
                                        : prof_file_name_of(&ranking->files, sum->process, sum->file),
                            .operation = operations[sum->operation]};
  if (sum->site != UINT32_MAX) {
    const struct prof_call_site *site = &tally->sites.items.items[sum->site];
    row.node = site->node;
    if (prof_call_site_place(tally->trace, site, names, source, &row.place) != PROF_OK)
      return PROF_NO_MEMORY;
  }
  uint32_t at = row_of(ranking, &row);
  if (at == UINT32_MAX)
    return PROF_NO_MEMORY;
  struct prof_io_row *to = &ranking->rows.items[at];
  to->calls += sum->calls;
  to->failed += sum->failed;
  to->bytes += sum->bytes;
  add_errors(&ranking->times.items[at].errors, &sum->errors);
  to->wait_ns += prof_trace_ns(tally->trace, sum->ticks);
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
    row->p50_ns = prof_trace_ns(ranking->tally.trace, ticks[0]);
    row->p99_ns = prof_trace_ns(ranking->tally.trace, ticks[1]);
    row->max_ns = prof_trace_ns(ranking->tally.trace, times->max);
    row->threads_ns = prof_thread_set_ns(&ranking->times.items[i].threads, ranking->tally.trace);
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
  struct ranking ranking = {.tally = {.trace = trace, .options = options}};
  *out = (struct prof_io){0};
  prof_status status = prof_measured_walk(trace, filter, take, &ranking.tally, &out->paths, diag);
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
  prof_call_sites_fini(&ranking.tally.sites);
  for (size_t i = 0; i < ranking.tally.sums.count; i++)
    prof_thread_set_fini(&ranking.tally.sums.items[i].threads);
  prof_vec_fini(&ranking.tally.sums);
  prof_index_fini(&ranking.tally.known);
  prof_histogram_pool_free(&ranking.tally.pool);
  return status;
}

void prof_io_free(struct prof_io *io) {
  free(io->rows);
  prof_measured_paths_fini(&io->paths);
  *io = (struct prof_io){0};
}
