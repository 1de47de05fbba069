/*
 * tools/analysis/live.c - see live.h.
 */
#include "analysis/live.h"

#include <stdlib.h>

#include "analysis/cover.h"
#include "base/diag.h"
#include "estimate/burst/states.h"

static const char *const state_words[] = {
    [PROF_RECORD_ALWAYS] = "all", [PROF_RECORD_BURST] = "bursts", [PROF_RECORD_OFF] = "off"};

static void find_window(const prof_trace *trace, const struct prof_filter *filter, uint64_t whole_ticks,
                        struct prof_live *live) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  uint64_t begin = filter->begin_ticks > info->start_ticks ? filter->begin_ticks : info->start_ticks;
  uint64_t last = whole_ticks > info->last_ticks ? whole_ticks : info->last_ticks;
  uint64_t end = filter->end_ticks < last ? filter->end_ticks : last;
  end = end > begin ? end : begin;
  live->begin_ns = prof_trace_ns(trace, begin - info->start_ticks);
  live->end_ns = prof_trace_ns(trace, end - info->start_ticks);
  live->seconds = (double)(live->end_ns - live->begin_ns) / 1e9;
}

static double per_second(const struct prof_live *live, double value) {
  return live->seconds > 0 ? value / live->seconds : 0;
}

static double share(const struct prof_live *live, uint64_t ns) {
  return per_second(live, (double)ns / 1e9);
}

static void sum_up(const struct prof_profile *profile, enum prof_time_kind time, struct prof_live *live) {
  struct prof_cover cover;
  prof_cover_of(profile, time, &cover);
  live->has_switches = cover.has_switches;
  live->running = share(live, cover.has_switches ? cover.time.running : cover.thread_ns);
  live->waiting = share(live, cover.time.waiting);
  live->preempted = share(live, cover.time.preempted);
  live->calls_per_s = per_second(live, (double)cover.calls);
  live->events_per_s = per_second(live, (double)cover.events);
  live->threads = cover.threads;
  double running_ns = (double)(cover.has_switches ? cover.time.running : cover.thread_ns);
  double taken_ns = prof_cover_is_corrected(&cover) ? (double)cover.taken_ns : cover.cost_ns;
  running_ns += prof_cover_is_corrected(&cover) ? taken_ns : 0; /* else it is in it */
  live->probes = per_second(live, taken_ns / 1e9);
  if (running_ns > 0)
    live->probe_share = taken_ns < running_ns ? taken_ns / running_ns : 1;
}

static uint64_t total_of(const struct prof_function_row *row, enum prof_time_kind time, bool has_switches) {
  return !has_switches || time == PROF_TIME_ELAPSED ? row->total.elapsed
         : time == PROF_TIME_WAITING                ? row->total.waiting
                                                    : row->total.running;
}

static void fill_row(const struct prof_live_rows *rows, const struct prof_burst_states *states, uint64_t end_ticks,
                     enum prof_time_kind time, const struct prof_function_row *row, struct prof_live_row *out) {
  bool is_thread = rows->by == PROF_BY_THREAD, is_function = rows->by == PROF_BY_FUNCTION && row->index != PROF_NONE;
  uint32_t state = is_function ? prof_burst_state_at(states, row->index, end_ticks) : PROF_RECORD_ALWAYS;
  const struct prof_live *live = &rows->live;
  *out = (struct prof_live_row){.row = row,
                                .self = share(live, row->self_ns),
                                .total = share(live, total_of(row, time, live->has_switches)),
                                .waiting = share(live, is_thread ? row->total.waiting : row->self.waiting),
                                .calls_per_s = per_second(live, (double)row->calls),
                                .state = state_words[state <= PROF_RECORD_OFF ? state : PROF_RECORD_ALWAYS]};
  out->self = is_thread ? out->total : out->self;
}

prof_status prof_live_rank(const prof_trace *trace, const struct prof_filter *filter, uint64_t whole_ticks,
                           const struct prof_profile *profile, const struct prof_samples *samples,
                           struct prof_names *names, enum prof_group by, enum prof_time_kind time, enum prof_sort sort,
                           struct prof_diag *diag, struct prof_live_rows *out) {
  struct prof_burst_states states = {0};
  size_t state_count;
  *out = (struct prof_live_rows){.by = by, .live = {.probe_share = -1}};
  find_window(trace, filter, whole_ticks, &out->live);
  (void)prof_trace_states(trace, &state_count);
  out->live.has_states = state_count > 0 || prof_trace_setting(trace, "overhead", NULL) != NULL;
  if (profile == NULL)
    return PROF_OK;
  sum_up(profile, time, &out->live);
  prof_status status = prof_functions_rank(profile, samples, names, by, time, sort, diag, &out->ranked);
  if (status != PROF_OK)
    return status;
  out->rows = calloc(out->ranked.count + 1, sizeof *out->rows);
  if (out->rows == NULL || !prof_burst_states_init(&states, trace))
    status = prof_diag_memory(diag);
  for (size_t i = 0; i < out->ranked.count && status == PROF_OK; i++) {
    fill_row(out, &states, filter->end_ticks, time, &out->ranked.rows[i], &out->rows[i]);
    out->live.functions++;
    out->live.bursts += out->rows[i].state == state_words[PROF_RECORD_BURST];
    out->live.off += out->rows[i].state == state_words[PROF_RECORD_OFF];
  }
  prof_burst_states_fini(&states);
  return status;
}

void prof_live_free(struct prof_live_rows *rows) {
  free(rows->rows);
  prof_functions_free(&rows->ranked);
  *rows = (struct prof_live_rows){0};
}
