/*
 * tools/command/record_hints.c - see record_hints.h.
 */
#include "record_hints.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "estimate/samples_fold.h"
#include "record/governor/choice.h"

#define EVENT_NS 10.0 /* what an event costs, about, if the recording doesn't tell */

/* The last state of each function. */
static void find_states(const prof_trace *trace, uint8_t *dense, size_t function_count) {
  size_t count;
  const struct prof_state_change *changes = prof_trace_states(trace, &count);
  for (size_t i = 0; i < count; i++) {
    struct prof_site_info site = prof_trace_site(trace, changes[i].site);
    if (site.loop == PROF_NONE && site.function < function_count)
      dense[site.function] = changes[i].state != PROF_RECORD_ALWAYS;
  }
}

static double event_ns(const prof_trace *trace) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  double ticks = count > 0 ? fmax(processes[0].event_cost_ticks, processes[0].event_cost_among_ticks) : 0;
  return ticks > 0 ? ticks * 1e9 / (double)prof_trace_info(trace)->frequency_hz : EVENT_NS;
}

/* Every call is an event: those that don't fit.  The budget is of CPU time. */
static bool find_rates(const prof_trace *trace, uint8_t *dense, size_t function_count, double budget) {
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL; /* with these it is known when threads ran */
  if (prof_samples_fold(trace, NULL, &(struct prof_fold_options){0}, NULL, &profile, &samples) != PROF_OK)
    return true; /* it has no calls */
  struct prof_rated *rated = malloc((function_count + 1) * sizeof *rated);
  size_t count = 0;
  const struct prof_off_ticks *off = &profile->nodes[0].off;
  uint64_t off_ticks = off->waiting + off->preempted, ticks = profile->coverage.thread_ticks;
  double plain_ns = (double)prof_trace_ns(trace, ticks > off_ticks ? ticks - off_ticks : 1); /* 1: it was all probes */
  for (uint32_t i = 0; rated && i < function_count && i < profile->function_count; i++)
    if (profile->functions[i].calls > 0)
      rated[count++] = (struct prof_rated){i, 2 * (double)profile->functions[i].calls / plain_ns};
  for (size_t i = rated ? prof_choice_keep(rated, count, event_ns(trace), budget) : count; i < count; i++)
    dense[rated[i].unit] = 1;
  prof_samples_free(samples);
  prof_profile_free(profile);
  free(rated);
  return rated != NULL;
}

uint8_t *prof_record_hints_dense(const prof_trace *trace, double budget) {
  size_t function_count, changes;
  (void)prof_trace_functions(trace, &function_count);
  (void)prof_trace_states(trace, &changes);
  uint8_t *dense = calloc(function_count + 1, 1);
  bool done = dense != NULL;
  if (done && changes > 0)
    find_states(trace, dense, function_count);
  else if (done)
    done = find_rates(trace, dense, function_count, budget);
  if (!done)
    free(dense);
  return done ? dense : NULL;
}

prof_status prof_record_hints_read(struct prof_record_hints *hints, const char *folder, double budget,
                                   struct prof_diag *diag) {
  size_t function_count;
  *hints = (struct prof_record_hints){0};
  prof_status status = prof_trace_open(folder, diag, &hints->trace);
  if (status != PROF_OK)
    return status;
  const struct prof_function *functions = prof_trace_functions(hints->trace, &function_count);
  uint8_t *dense = prof_record_hints_dense(hints->trace, budget);
  hints->hints.items = malloc((function_count + 1) * sizeof *hints->hints.items);
  bool done = dense && hints->hints.items;
  for (size_t i = 0; done && i < function_count; i++)
    if (dense[i])
      hints->hints.items[hints->hints.count++] = (struct prof_hint){functions[i].name, functions[i].file};
  free(dense);
  if (!done) {
    prof_record_hints_free(hints);
    return prof_diag_memory(diag);
  }
  qsort(hints->hints.items, hints->hints.count, sizeof *hints->hints.items, prof_hint_compare);
  return PROF_OK;
}

void prof_record_hints_free(struct prof_record_hints *hints) {
  free(hints->hints.items);
  prof_trace_close(hints->trace);
  *hints = (struct prof_record_hints){0};
}
