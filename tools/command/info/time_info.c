/*
 * tools/command/info/time_info.c - see time_info.h.
 */
#include "time_info.h"

#include <stdio.h>

#include "command/cover_lines.h"
#include "command/options/common.h"
#include "estimate/correct_sampled.h"
#include "estimate/samples_fold.h"

static const char *const states[] = {
    [PROF_CORRECT_DONE] = "probe overhead removed",
    [PROF_CORRECT_NO_COST] = "as measured: probe cost unknown",
    [PROF_CORRECT_NO_CPU] = "as measured: CPU time unknown",
    [PROF_CORRECT_CALLS] = "as measured: calls libprof",
};
enum { SAMPLED = sizeof states / sizeof *states, SPARSE, STATES };

static const char *text_of(unsigned state) {
  return state == SAMPLED ? "estimated from samples" : state == SPARSE ? "estimated, sparse clock" : states[state];
}

static unsigned state_of(const prof_trace *trace, uint32_t thread, const struct prof_correction *correction) {
  size_t slices;
  prof_trace_light_slices(trace, thread, &slices);
  bool sampled = prof_trace_sampler(trace) != NULL &&
                 prof_correction_sampled_part(correction, slices ? UINT64_MAX : 0, UINT64_MAX) >= 0.5;
  return !sampled ? (unsigned)correction->state : slices ? SPARSE : SAMPLED;
}

/* Adds the probes' share of the thread's CPU time, and how its times were computed. */
static void add_times(const prof_trace *trace, uint32_t thread, struct prof_table *table) {
  struct prof_correction correction = prof_correction_of(trace, thread);
  double probes = correction.cpu_ticks ? prof_correction_most(&correction) / (double)correction.cpu_ticks : 0;
  prof_table_share(table, probes < 1 ? probes : 1);
  prof_table_text(table, text_of(state_of(trace, thread, &correction)));
}

static const struct prof_column thread_columns[] = {
    {NULL, "PID", PROF_CELL_TEXT},
    {"pid", NULL, PROF_CELL_COUNT},
    {NULL, "TID", PROF_CELL_TEXT},
    {"tid", NULL, PROF_CELL_COUNT},
    {"events", "EVENTS", PROF_CELL_COUNT},
    {"lost_events", "LOST", PROF_CELL_COUNT},
    {"stall_ns", "WAITED", PROF_CELL_NS, .spare = 2},
    {"cpu_ns", "CPU", PROF_CELL_NS},
    {"moves", "MOVES", PROF_CELL_COUNT, .spare = 3},
    {"probe_share", "PROBES%", PROF_CELL_SHARE, .spare = 1},
    {"times", "TIMES", PROF_CELL_TEXT},
    {"name", "THREAD", PROF_CELL_TEXT},
};

/* Adds a number without digit groups. */
static void add_id(struct prof_table *table, uint32_t id) {
  char text[16];
  snprintf(text, sizeof text, "%u", id);
  prof_table_text(table, text);
  prof_table_count(table, id);
}

struct prof_table *prof_time_info_threads(const prof_trace *trace) {
  size_t count, process_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  struct prof_table *table = prof_table_new(thread_columns, sizeof thread_columns / sizeof *thread_columns);
  for (size_t i = 0; table != NULL && i < count; i++) {
    uint32_t process = threads[i].process;
    add_id(table, process < process_count ? processes[process].pid : 0);
    add_id(table, threads[i].tid);
    prof_table_count(table, threads[i].events);
    prof_table_count(table, threads[i].lost);
    prof_table_count(table, prof_trace_ns(trace, threads[i].stalled_ticks));
    prof_table_count(table, prof_thread_used_ns(trace, &threads[i]));
    prof_table_count(table, threads[i].moves);
    add_times(trace, (uint32_t)i, table);
    prof_table_text(table, threads[i].name);
  }
  return table;
}

/* Prints the header of a report of the whole recording. */
static prof_status print_cover(const prof_trace *trace, const struct prof_output *output, struct prof_diag *diag) {
  struct prof_fold_options options = {.max_bytes = PROF_DEFAULT_MEMORY};
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  struct prof_cover cover;
  prof_status status = prof_samples_fold(trace, NULL, &options, diag, &profile, &samples);
  if (status == PROF_OK) {
    prof_cover_of(profile, PROF_TIME_ELAPSED, &cover);
    prof_cover_add_samples(&cover, profile, samples, true);
    fputc('\n', output->file);
    prof_cover_lines(&cover, output);
  }
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status == PROF_EMPTY ? PROF_OK : status;
}

prof_status prof_time_info_print(const prof_trace *trace, const struct prof_output *output, struct prof_diag *diag) {
  size_t count, of_state[STATES] = {0};
  prof_trace_threads(trace, &count);
  for (uint32_t i = 0; i < count; i++) {
    struct prof_correction correction = prof_correction_of(trace, i);
    of_state[state_of(trace, i, &correction)]++;
  }
  for (unsigned i = 0; i < STATES; i++)
    if (of_state[i])
      prof_output_fact(output, "times", "%s (%zu of %zu thread%s)", text_of(i), of_state[i], count,
                       count == 1 ? "" : "s");
  prof_output_fact(output, "resolution", "times: one clock step; percentiles: 2%%");
  return output->verbose ? print_cover(trace, output, diag) : PROF_OK;
}
