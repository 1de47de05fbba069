/*
 * tools/estimate/burst/cost.c - see cost.h.
 */
#include "estimate/burst/cost.h"

#include <math.h>

#define FIRST_NS 100 /* a function's first event in a window: code and trampoline are in no cache (MODEL.md) */
#define COUNTS_SATURATED 0.6

/* saturated: as in prof_burst_cost.  Among other work a cost may be hidden as a whole. */
static struct prof_burst_cost cost_from(const prof_trace *trace, double alone, double among, double saturated) {
  double first = alone > 0 ? FIRST_NS * (double)prof_trace_info(trace)->frequency_hz / 1e9 : 0;
  return (struct prof_burst_cost){.ticks = alone,
                                  .error_ticks = fmax(alone - among, 0),
                                  .saturated = saturated,
                                  .first_ticks = first,
                                  .first_error_ticks = first};
}

/* NULL: it is not known. */
static const struct prof_process *process_of(const prof_trace *trace, uint32_t thread) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  uint32_t process = prof_trace_threads(trace, NULL)[thread].process;
  return process < count ? &processes[process] : NULL;
}

struct prof_burst_cost prof_burst_event_cost(const prof_trace *trace, uint32_t thread) {
  const struct prof_process *process = process_of(trace, thread);
  if (!process)
    return (struct prof_burst_cost){0};
  double alone = process->event_cost_ticks, among = process->event_cost_among_ticks;
  return cost_from(trace, alone, among > 0 ? among : alone, 0); /* 0: it is not known */
}

struct prof_burst_cost prof_burst_count_cost(const prof_trace *trace, uint32_t thread) {
  const struct prof_process *process = process_of(trace, thread);
  return process ? cost_from(trace, process->count_cost_ticks, process->count_cost_among_ticks, COUNTS_SATURATED)
                 : (struct prof_burst_cost){0};
}
