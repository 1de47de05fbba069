/*
 * tools/analysis/gpu/gpu_ranges.c - see gpu_ranges.h.
 *
 * Calls are sorted twice, by thread and by process, with prefix sums: a range's figures are the difference of two sums.
 */
#include "analysis/gpu/gpu_ranges.h"
#include "base/order.h"
#include "fold/gpu_chunks.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { OF_PROCESS = 2 };

struct range {
  uint64_t start, end;
  const char *name, *domain;
  uint32_t source, tid, kind, thing;
  bool open; /* it had not ended when it was written */
};

struct sums {
  uint64_t kernels, copies, gpu, api; /* ticks */
};

struct order { /* of calls */
  uint32_t *calls;
  struct sums *before; /* before each call, and the total */
  bool by_thread;
};

struct pass {
  struct prof_gpu_study *study;
  PROF_VEC(struct range) ranges;
  struct sums *of_call;
  struct order orders[2]; /* by process, by thread */
  uint32_t *spans;        /* indices, by call */
  uint32_t *first_span;   /* by call: index of its first one in spans; and the end */
};

/* ---- ranges from the trace ---- */

/* The record to keep comes first: one that has ended, else the longest. */
static int compare_things(const void *left, const void *right) {
  const struct range *a = left, *b = right;
  int order = prof_order(a->source, b->source) ?: prof_order(a->thing, b->thing);
  return order ?: prof_order(a->open, b->open) ?: prof_order(b->end, a->end);
}

/* Keeps one record of each range; records without a number are ranges of their own. */
static void keep_whole(struct pass *pass) {
  struct range *ranges = pass->ranges.items;
  size_t kept = 0;
  prof_vec_sort(&pass->ranges, compare_things);
  for (size_t i = 0; i < pass->ranges.count; i++)
    if (kept == 0 || ranges[i].thing == 0 || ranges[i].thing != ranges[kept - 1].thing ||
        ranges[i].source != ranges[kept - 1].source)
      ranges[kept++] = ranges[i];
  pass->ranges.count = kept;
}

static bool take_range(void *context, const struct prof_gpu_chunk *chunk, uint32_t index, uint32_t at) {
  (void)index;
  struct pass *pass = context;
  const prof_trace *trace = pass->study->trace;
  uint64_t begin = chunk->columns[PROF_GPU_START][at], end = begin + 1;
  struct range range = {.start = begin,
                        .end = begin + chunk->columns[PROF_GPU_DURATION][at],
                        .name = prof_trace_gpu_text(trace, chunk->source, chunk->columns[PROF_GPU_NAME][at]),
                        .domain = prof_trace_gpu_text(trace, chunk->source, chunk->columns[PROF_GPU_DOMAIN][at]),
                        .source = chunk->source,
                        .tid = (uint32_t)chunk->columns[PROF_GPU_THREAD][at],
                        .kind = (uint32_t)chunk->columns[PROF_GPU_KIND][at],
                        .thing = (uint32_t)chunk->columns[PROF_GPU_THING][at],
                        .open = chunk->columns[PROF_GPU_FLAGS][at] & PROF_GPU_RANGE_OPEN};
  return !prof_gpu_study_clip(pass->study, &begin, &end) || prof_vec_push(&pass->ranges, range);
}

static bool load(struct pass *pass) {
  if (prof_gpu_records_visit(pass->study->trace, 1u << PROF_GPU_RANGE, take_range, pass, NULL) != PROF_OK)
    return false;
  keep_whole(pass);
  return true;
}

/* ---- calls and their work ---- */

static int compare_calls(const void *left, const void *right, void *context) {
  const struct pass *pass = ((void **)context)[0];
  const struct order *order = ((void **)context)[1];
  const struct prof_gpu_api_call *a = &pass->study->calls[*(const uint32_t *)left],
                                 *b = &pass->study->calls[*(const uint32_t *)right];
  int by_tid = order->by_thread ? prof_order(a->tid, b->tid) : 0;
  return prof_order(a->source, b->source) ?: by_tid ?: prof_order(a->start, b->start);
}

static bool make_order(struct pass *pass, struct order *order) {
  size_t count = pass->study->call_count;
  void *context[] = {pass, order};
  order->calls = malloc((count + 1) * sizeof *order->calls);
  order->before = calloc(count + 1, sizeof *order->before);
  if (order->calls == NULL || order->before == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    order->calls[i] = (uint32_t)i;
  qsort_r(order->calls, count, sizeof *order->calls, compare_calls, context);
  for (size_t i = 0; i < count; i++) {
    const struct sums *of_call = &pass->of_call[order->calls[i]], *before = &order->before[i];
    order->before[i + 1] = (struct sums){before->kernels + of_call->kernels, before->copies + of_call->copies,
                                         before->gpu + of_call->gpu, before->api + of_call->api};
  }
  return true;
}

static bool sum_calls(struct pass *pass) {
  const struct prof_gpu_study *study = pass->study;
  pass->of_call = calloc(study->call_count + 1, sizeof *pass->of_call);
  pass->first_span = calloc(study->call_count + 2, sizeof *pass->first_span);
  pass->spans = malloc((study->timeline.spans.count + 1) * sizeof *pass->spans);
  if (pass->of_call == NULL || pass->first_span == NULL || pass->spans == NULL)
    return false;
  for (size_t i = 0; i < study->call_count; i++)
    pass->of_call[i].api = study->calls[i].nested ? 0 : study->calls[i].duration;
  for (size_t i = 0; i < study->timeline.spans.count; i++) {
    const struct prof_gpu_span *span = &study->timeline.spans.items[i];
    if (span->call == PROF_NONE)
      continue;
    struct sums *sums = &pass->of_call[span->call];
    sums->kernels += span->class != PROF_GPU_TRANSFER;
    sums->copies += span->class == PROF_GPU_TRANSFER;
    sums->gpu += span->end - span->start;
    pass->first_span[span->call + 2]++;
  }
  for (size_t i = 2; i < study->call_count + 2; i++) /* [call + 1]: index of its next span */
    pass->first_span[i] += pass->first_span[i - 1];
  for (size_t i = 0; i < study->timeline.spans.count; i++)
    if (study->timeline.spans.items[i].call != PROF_NONE)
      pass->spans[pass->first_span[study->timeline.spans.items[i].call + 1]++] = (uint32_t)i;
  return make_order(pass, &pass->orders[0]) && make_order(pass, &pass->orders[1]);
}

/* The first call of the range's thread or process at or after `time`. */
static size_t first_call(const struct pass *pass, const struct order *order, const struct range *range, uint64_t time) {
  const struct prof_gpu_api_call *calls = pass->study->calls;
  return prof_search(0, pass->study->call_count, middle, ({
                       const struct prof_gpu_api_call *call = &calls[order->calls[middle]];
                       int by_tid = order->by_thread ? prof_order(call->tid, range->tid) : 0;
                       (prof_order(call->source, range->source) ?: by_tid ?: prof_order(call->start, time)) < 0;
                     }));
}

static struct sums within(const struct pass *pass, const struct range *range, size_t *first, size_t *last) {
  const struct order *order = &pass->orders[range->kind != OF_PROCESS];
  *first = first_call(pass, order, range, range->start);
  *last = first_call(pass, order, range, range->end);
  const struct sums *a = &order->before[*first], *b = &order->before[*last < *first ? *first : *last];
  return (struct sums){b->kernels - a->kernels, b->copies - a->copies, b->gpu - a->gpu, b->api - a->api};
}

/* ---- rows ---- */

static int by_name(const void *left, const void *right) {
  const struct range *a = left, *b = right;
  return strcmp(a->name, b->name) ?: strcmp(a->domain, b->domain) ?: prof_order(a->start, b->start);
}

static int by_total(const void *left, const void *right) {
  const struct prof_gpu_range_row *a = left, *b = right;
  return prof_order(b->total_ns, a->total_ns) ?: strcmp(a->name, b->name);
}

static int by_start(const void *left, const void *right) {
  const struct prof_gpu_instance *a = left, *b = right;
  return prof_order(a->start_ns, b->start_ns);
}

static int kernels_by_total(const void *left, const void *right) {
  const struct prof_gpu_range_kernel *a = left, *b = right;
  return prof_order(b->total_ns, a->total_ns) ?: strcmp(a->what, b->what);
}

/* A range has few names: searches rows from the last one back. */
static bool add_kernels(struct pass *pass, const struct range *range, size_t first, size_t last,
                        struct prof_gpu_instance *instance) {
  struct prof_gpu_study *study = pass->study;
  PROF_VEC(struct prof_gpu_range_kernel) rows = {0};
  for (size_t c = first; c < last; c++) {
    uint32_t call = pass->orders[range->kind != OF_PROCESS].calls[c];
    for (uint32_t i = pass->first_span[call]; i < pass->first_span[call + 1]; i++) {
      const struct prof_gpu_span *span = &study->timeline.spans.items[pass->spans[i]];
      uint64_t ticks = span->end - span->start;
      const char *what = prof_gpu_study_what(study, span, false);
      size_t at = rows.count;
      while (at > 0 && strcmp(rows.items[at - 1].what, what) != 0)
        at--;
      if (at == 0) {
        if (!prof_vec_push(&rows, (struct prof_gpu_range_kernel){.what = what,
                                                                 .short_what = prof_gpu_study_what(study, span, true),
                                                                 .min_ns = ticks}))
          return false;
        at = rows.count;
      }
      struct prof_gpu_range_kernel *row = &rows.items[at - 1];
      row->count++;
      row->total_ns += ticks; /* ticks until all are summed */
      row->min_ns = ticks < row->min_ns ? ticks : row->min_ns;
      row->max_ns = ticks > row->max_ns ? ticks : row->max_ns;
    }
  }
  for (size_t i = 0; i < rows.count; i++) {
    rows.items[i].total_ns = prof_trace_ns(study->trace, rows.items[i].total_ns);
    rows.items[i].min_ns = prof_trace_ns(study->trace, rows.items[i].min_ns);
    rows.items[i].max_ns = prof_trace_ns(study->trace, rows.items[i].max_ns);
  }
  prof_vec_sort(&rows, kernels_by_total);
  instance->rows = rows.items;
  instance->row_count = rows.count;
  return true;
}

static bool add_range(struct pass *pass, const struct range *range, uint64_t number, const char *pattern,
                      struct prof_gpu_range_row *row, struct prof_gpu_range_rows *out) {
  const prof_trace *trace = pass->study->trace;
  uint64_t origin = prof_trace_info(trace)->start_ticks, duration_ns = prof_trace_ns(trace, range->end - range->start);
  size_t first, last;
  struct sums sums = within(pass, range, &first, &last);
  row->instances++;
  row->open += range->open;
  row->total_ns += duration_ns;
  row->min_ns = number == 1 || duration_ns < row->min_ns ? duration_ns : row->min_ns;
  row->max_ns = duration_ns > row->max_ns ? duration_ns : row->max_ns;
  row->kernels += sums.kernels;
  row->copies += sums.copies;
  row->gpu_ns += prof_trace_ns(trace, sums.gpu);
  row->api_ns += prof_trace_ns(trace, sums.api);
  if (pattern == NULL || fnmatch(pattern, range->name, 0) != 0)
    return true;
  struct prof_gpu_instance *instance = &out->instances[out->instance_count++];
  *instance = (struct prof_gpu_instance){
      .name = range->name,
      .domain = range->domain,
      .number = number,
      .open = range->open,
      .thread_name = prof_gpu_study_name(pass->study, PROF_GPU_NAMED_THREAD, range->source, range->tid),
      .tid = range->tid,
      .start_ns = range->start > origin ? prof_trace_ns(trace, range->start - origin) : 0,
      .duration_ns = duration_ns,
      .kernels = sums.kernels,
      .copies = sums.copies,
      .gpu_ns = prof_trace_ns(trace, sums.gpu),
      .api_ns = prof_trace_ns(trace, sums.api)};
  return add_kernels(pass, range, first, last, instance);
}

static bool give_rows(struct pass *pass, const char *pattern, struct prof_gpu_range_rows *out) {
  size_t count = pass->ranges.count;
  out->rows = calloc(count + 1, sizeof *out->rows);
  out->instances = calloc(count + 1, sizeof *out->instances);
  bool good = out->rows != NULL && out->instances != NULL;
  if (count > 0)
    qsort(pass->ranges.items, count, sizeof *pass->ranges.items, by_name);
  for (size_t i = 0, next; good && i < count; i = next) {
    const struct range *first = &pass->ranges.items[i];
    struct prof_gpu_range_row *row = &out->rows[out->count++];
    *row = (struct prof_gpu_range_row){.name = first->name, .domain = first->domain};
    for (next = i; good && next < count && strcmp(pass->ranges.items[next].name, first->name) == 0 &&
                   strcmp(pass->ranges.items[next].domain, first->domain) == 0;
         next++)
      good = add_range(pass, &pass->ranges.items[next], next - i + 1, pattern, row, out);
    row->avg_ns = row->total_ns / row->instances;
  }
  if (good) {
    qsort(out->rows, out->count, sizeof *out->rows, by_total);
    qsort(out->instances, out->instance_count, sizeof *out->instances, by_start);
  }
  return good;
}

prof_status prof_gpu_ranges(struct prof_gpu_study *study, const char *pattern, struct prof_gpu_range_rows *out) {
  struct pass pass = {.study = study, .orders[1].by_thread = true};
  *out = (struct prof_gpu_range_rows){0};
  bool good = load(&pass) && (pass.ranges.count == 0 || sum_calls(&pass)) && give_rows(&pass, pattern, out);
  for (size_t i = 0; i < 2; i++) {
    free(pass.orders[i].calls);
    free(pass.orders[i].before);
  }
  free(pass.of_call);
  free(pass.first_span);
  free(pass.spans);
  prof_vec_fini(&pass.ranges);
  if (!good)
    prof_gpu_ranges_free(out);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_ranges_free(struct prof_gpu_range_rows *rows) {
  for (size_t i = 0; i < rows->instance_count; i++)
    free(rows->instances[i].rows);
  free(rows->rows);
  free(rows->instances);
  *rows = (struct prof_gpu_range_rows){0};
}
