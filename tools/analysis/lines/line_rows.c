/*
 * tools/analysis/lines/line_rows.c - see line_rows.h.
 */
#include "analysis/lines/line_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/whole.h"

struct making {
  const struct prof_line_parts *parts;
  const struct prof_profile *profile;
  const struct prof_line_options *options;
};

static bool heavier(const struct prof_line_part *a, const struct prof_line_part *b) {
  const double left = a->cost.met.sum + a->cost.outside.sum, right = b->cost.met.sum + b->cost.outside.sum;
  if (left != right)
    return left > right;
  if (a->cost.calls_ticks != b->cost.calls_ticks)
    return a->cost.calls_ticks > b->cost.calls_ticks;
  if (a->cost.measured_ticks != b->cost.measured_ticks)
    return a->cost.measured_ticks > b->cost.measured_ticks;
  if (a->cost.count != b->cost.count)
    return a->cost.count > b->cost.count;
  return strcmp(a->function, b->function) < 0;
}

/* Nanoseconds, without the cost of the measurement unless raw times are requested. */
static uint64_t measured_ns(const struct making *making, double ticks, double cost_ticks) {
  double net = making->options->raw ? ticks : ticks - cost_ticks;
  return net > 0 ? prof_trace_ns(making->profile->trace, prof_whole(net)) : 0;
}

static struct prof_line_row make_row(const struct making *making, const struct prof_line *line,
                                     const struct prof_weighted *all) {
  double ns_per_tick = 1e9 / (double)prof_trace_info(making->profile->trace)->frequency_hz;
  const struct prof_line_part *parts = making->parts->parts.items, *most = &parts[line->first_part];
  for (uint32_t at = most->next; at != UINT32_MAX; at = parts[at].next)
    if (heavier(&parts[at], most))
      most = &parts[at];
  const prof_trace *trace = making->profile->trace;
  struct prof_time_ns self = prof_time_split(trace, line->cost.off.waiting + line->cost.off.preempted, &line->cost.off);
  self.running = prof_whole(line->cost.met.sum * ns_per_tick + 0.5);
  self.elapsed = self.running + self.waiting + self.preempted;
  uint64_t outside_ns = prof_whole(line->cost.outside.sum * ns_per_tick + 0.5);
  struct prof_time_ns in_calls = prof_time_split(trace, line->cost.calls_ticks, &line->cost.calls_off);
  return (struct prof_line_row){
      .file = line->file,
      .function = most->function,
      .line = line->line,
      .samples = line->cost.met.count,
      .self = self,
      .self_ns = prof_time_ns_of(making->options->time, &self),
      .self_share = prof_weighted_share(&line->cost.met, all),
      .outside_ns = making->options->time == PROF_TIME_WAITING ? 0 : outside_ns,
      .in_calls = in_calls,
      .share_interval = prof_interval_weighted(&line->cost.met, all),
      .calls = line->cost.calls,
      .calls_estimated = line->cost.estimated,
      .calls_ns = prof_time_ns_of(making->options->time, &in_calls),
      .count = line->cost.count,
      .gpu_ns = prof_trace_ns(making->profile->trace, line->cost.gpu_ticks),
      .readings = line->cost.readings,
      .visits = line->cost.visits,
      .measured_self_ns = measured_ns(making, line->cost.measured_ticks, line->cost.measured_cost_ticks),
      .measured_low_ns = measured_ns(making, line->cost.measured_ticks, line->cost.measured_most_ticks),
      .measured_high_ns = measured_ns(making, line->cost.measured_ticks, 0),
      .measured_calls_ns = measured_ns(making, line->cost.measured_calls_ticks, line->cost.measured_calls_cost_ticks)};
}

static int by_place(const struct prof_line_row *a, const struct prof_line_row *b) {
  return strcmp(a->file, b->file) ?: prof_order(a->line, b->line) ?: strcmp(a->function, b->function);
}

static int by_value(const void *a, const void *b, void *sort) {
  const struct prof_line_row *left = a, *right = b;
  const uint64_t keys[][2][2] = {
      [PROF_LINE_SORT_SELF] = {{left->self_ns + left->outside_ns, right->self_ns + right->outside_ns},
                               {left->calls_ns, right->calls_ns}},
      [PROF_LINE_SORT_OUTSIDE] = {{left->outside_ns, right->outside_ns}, {left->self_ns, right->self_ns}},
      [PROF_LINE_SORT_CALLS_TIME] = {{left->calls_ns, right->calls_ns}, {left->self_ns, right->self_ns}},
      [PROF_LINE_SORT_CALLS] = {{left->calls, right->calls}, {left->calls_ns, right->calls_ns}},
      [PROF_LINE_SORT_COUNT] = {{left->count, right->count}, {left->self_ns, right->self_ns}},
      [PROF_LINE_SORT_GPU] = {{left->gpu_ns, right->gpu_ns}, {left->calls_ns, right->calls_ns}},
      [PROF_LINE_SORT_MEASURED] = {{left->measured_self_ns, right->measured_self_ns}, {left->visits, right->visits}},
      [PROF_LINE_SORT_RUNNING] = {{left->self.running, right->self.running}, {left->calls_ns, right->calls_ns}},
      [PROF_LINE_SORT_WAITING] = {{left->self.waiting, right->self.waiting}, {left->calls_ns, right->calls_ns}},
      [PROF_LINE_SORT_ELAPSED] = {{left->self.elapsed, right->self.elapsed}, {left->calls_ns, right->calls_ns}},
      [PROF_LINE_SORT_PLACE] = {{0, 0}, {0, 0}},
  };
  for (int i = 0; i < 2; i++) {
    const uint64_t *pair = keys[*(enum prof_line_sort *)sort][i];
    if (pair[0] != pair[1])
      return pair[0] > pair[1] ? -1 : 1;
  }
  return by_place(left, right);
}

static bool costs(const struct prof_line_cost *cost) {
  return cost->met.count || cost->outside.count || cost->off.waiting || cost->off.preempted || cost->calls ||
         cost->calls_ticks || cost->count || cost->gpu_ticks || cost->readings;
}

/* Shares of running time come from samples; computes the others. */
static void share_out(struct prof_line_rows *out) {
  double ns = (double)prof_time_ns_of(out->time, &out->self);
  bool by_samples = out->self.elapsed == out->self.running || out->time == PROF_TIME_RUNNING;
  for (size_t i = 0; i < out->count; i++)
    out->rows[i].self_share = by_samples ? out->rows[i].self_share : ns > 0 ? (double)out->rows[i].self_ns / ns : 0;
}

void prof_line_rows_sort(struct prof_line_rows *rows, enum prof_line_sort sort) {
  qsort_r(rows->rows, rows->count, sizeof *rows->rows, by_value, &sort);
}

prof_status prof_line_rows_make(const struct prof_line_parts *parts, const struct prof_profile *profile,
                                const struct prof_line_options *options, struct prof_line_rows *out) {
  const struct making all_of = {parts, profile, options}, *making = &all_of;
  out->rows = malloc((making->parts->lines.count + 1) * sizeof *out->rows);
  if (!out->rows)
    return PROF_NO_MEMORY;
  struct prof_weighted all = {0};
  for (size_t i = 0; i < making->parts->lines.count; i++)
    prof_weighted_join(&all, &making->parts->lines.items[i].cost.met);
  for (size_t i = 0; i < making->parts->lines.count; i++)
    if (costs(&making->parts->lines.items[i].cost)) {
      struct prof_line_row row = make_row(making, &making->parts->lines.items[i], &all);
      out->samples += row.samples;
      out->self.running += row.self.running;
      out->self.waiting += row.self.waiting;
      out->self.preempted += row.self.preempted;
      out->rows[out->count++] = row;
    }
  out->self.elapsed = out->self.running + out->self.waiting + out->self.preempted;
  out->time = making->options->time;
  share_out(out);
  prof_line_rows_sort(out, options->sort);
  return PROF_OK;
}
