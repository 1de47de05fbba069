/*
 * tools/analysis/gpu/gpu_launches.c - see gpu_launches.h.
 */
#include "analysis/gpu/gpu_launches.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

#include "fold/histogram.h"

struct sum {
  uint64_t launches, total, max, api, queue, start; /* ticks */
  struct prof_histogram histogram;
};

struct pass {
  struct prof_gpu_study *study;
  struct sum *sums; /* by kernel name; then one for all */
  struct prof_histogram_pool pool;
  uint64_t *lane_end; /* latest end of its works so far */
  uint8_t *seen;      /* by call: one of its kernels was counted */
};

static void add(struct pass *pass, struct sum *sum, uint64_t api, uint64_t queue, uint64_t start) {
  uint64_t total = api + queue + start;
  sum->launches++;
  sum->total += total;
  sum->api += api;
  sum->queue += queue;
  sum->start += start;
  sum->max = total > sum->max ? total : sum->max;
  prof_histogram_add(&pass->pool, &sum->histogram, total);
}

static bool counts(const struct pass *pass, const struct prof_gpu_span *span, const struct prof_gpu_api_call *call) {
  uint64_t begin = span->start, end = span->start + 1;
  return span->record == PROF_GPU_KERNEL && call != NULL && !pass->seen[span->call] && span->start >= call->start &&
         prof_gpu_study_shows(pass->study, call->path, call->thread) && prof_gpu_study_clip(pass->study, &begin, &end);
}

static void take(struct pass *pass, const struct prof_gpu_span *span) {
  const struct prof_gpu_api_call *call = prof_gpu_study_call(pass->study, span->call);
  uint64_t before = pass->lane_end[span->lane];
  if (counts(pass, span, call)) {
    uint64_t returned = call->start + call->duration, api = 0, queue = 0;
    returned = returned > span->start ? span->start : returned;
    api = returned - call->start;
    if (before > returned)
      queue = (before < span->start ? before : span->start) - returned;
    uint64_t start = span->start - returned - queue;
    add(pass, &pass->sums[span->name], api, queue, start);
    add(pass, &pass->sums[pass->study->timeline.kernel_names.count], api, queue, start);
    pass->seen[span->call] = 1;
  }
  pass->lane_end[span->lane] = span->end > before ? span->end : before;
}

static struct prof_gpu_launch_row row_of(const struct pass *pass, const struct sum *sum) {
  static const double quantiles[] = {0.95};
  const prof_trace *trace = pass->study->trace;
  uint64_t p95 = 0;
  prof_histogram_quantiles(&pass->pool, &sum->histogram, quantiles, 1, &p95);
  return (struct prof_gpu_launch_row){
      .name = "",
      .short_name = "",
      .launches = sum->launches,
      .total_ns = prof_trace_ns(trace, sum->total),
      .avg_ns = sum->launches > 0 ? prof_trace_ns(trace, sum->total / sum->launches) : 0,
      .p95_ns = prof_trace_ns(trace, p95),
      .max_ns = prof_trace_ns(trace, sum->max),
      .api_ns = prof_trace_ns(trace, sum->api),
      .queue_ns = prof_trace_ns(trace, sum->queue),
      .start_ns = prof_trace_ns(trace, sum->start),
  };
}

static int compare(const void *left, const void *right) {
  const struct prof_gpu_launch_row *a = left, *b = right;
  return prof_order(b->total_ns, a->total_ns) ?: strcmp(a->name, b->name);
}

prof_status prof_gpu_launches(struct prof_gpu_study *study, struct prof_gpu_launch_rows *out) {
  size_t names = study->timeline.kernel_names.count;
  struct pass pass = {.study = study,
                      .sums = calloc(names + 1, sizeof *pass.sums),
                      .lane_end = calloc(study->timeline.lanes.count + 1, sizeof *pass.lane_end),
                      .seen = calloc(study->call_count + 1, 1)};
  *out = (struct prof_gpu_launch_rows){.rows = calloc(names + 1, sizeof *out->rows)};
  bool good = pass.sums != NULL && pass.lane_end != NULL && pass.seen != NULL && out->rows != NULL;
  for (size_t i = 0; good && i < study->timeline.spans.count; i++)
    take(&pass, &study->timeline.spans.items[i]);
  good = good && !pass.pool.failed;
  for (size_t i = 0; good && i < names; i++) {
    if (pass.sums[i].launches == 0)
      continue;
    struct prof_gpu_launch_row *row = &out->rows[out->count++];
    *row = row_of(&pass, &pass.sums[i]);
    row->name = study->kernels[i];
    row->short_name = study->short_kernels[i];
  }
  if (good) {
    qsort(out->rows, out->count, sizeof *out->rows, compare);
    out->all = row_of(&pass, &pass.sums[names]);
  }
  free(pass.sums);
  free(pass.lane_end);
  free(pass.seen);
  prof_histogram_pool_free(&pass.pool);
  if (!good)
    prof_gpu_launches_free(out);
  return good ? PROF_OK : PROF_NO_MEMORY;
}

void prof_gpu_launches_free(struct prof_gpu_launch_rows *rows) {
  free(rows->rows);
  *rows = (struct prof_gpu_launch_rows){0};
}
