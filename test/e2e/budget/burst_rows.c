/*
 * burst_rows.c - burst_rows DIR: prints what a recording has of bursts, as JSON: states, windows, their rows and calls,
 * and faults in them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "proftrace.h"

int main(int argc, char **argv) {
  prof_trace *trace;
  struct prof_diag diag = {0};
  struct prof_window_chunk chunk = {0};
  size_t state_count, rate_count, chunk_count, bursts = 0, sparse = 0, faults = 0;
  uint64_t windows = 0, rows = 0, calls = 0, counted = 0, iterations = 0, events = 0, last = 0;
  if (argc != 2 || prof_trace_open(argv[1], &diag, &trace) != PROF_OK) {
    fprintf(stderr, "%s\n", diag.what);
    return 1;
  }
  const struct prof_state_change *states = prof_trace_states(trace, &state_count);
  for (size_t i = 0; i < state_count; i++) {
    bursts += states[i].state == PROF_RECORD_BURST;
    faults += states[i].time < last || states[i].site == 0;
    last = states[i].time;
  }
  const struct prof_rate_change *rates = prof_trace_rates(trace, &rate_count);
  for (size_t i = 0; i < rate_count; i++)
    sparse += rates[i].lacks_switches;
  for (size_t i = 1; i < rate_count; i++)
    faults += rates[i].time <= rates[i - 1].time ||
              (rates[i].rate == rates[i - 1].rate && rates[i].lacks_switches == rates[i - 1].lacks_switches);
  (void)prof_trace_window_chunks(trace, &chunk_count);
  last = 0;
  for (size_t i = 0; i < chunk_count; i++) {
    if (prof_window_chunk_load(trace, i, &diag, &chunk) != PROF_OK) {
      fprintf(stderr, "%s\n", diag.what);
      return 1;
    }
    windows += chunk.count;
    for (uint32_t k = 0; k < chunk.count; k++) {
      const struct prof_window *window = &chunk.windows[k];
      faults += window->begin < last || window->end <= window->begin; /* none overlap */
      last = window->end;
      for (uint32_t t = 0; t < window->thread_count; t++) {
        const struct prof_window_thread *thread = &chunk.threads[window->first_thread + t];
        events += window->flags & PROF_WINDOW_COUNTED ? 0 : thread->events;
        rows += thread->row_count;
        for (uint32_t r = 0; r < thread->row_count; r++) {
          *(window->flags & PROF_WINDOW_COUNTED ? &counted : &calls) += chunk.rows[thread->first_row + r].calls;
          iterations += chunk.rows[thread->first_row + r].iterations;
        }
      }
    }
  }
  printf("{\"states\":%zu,\"bursts\":%zu,\"windows\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"calls\":%" PRIu64
         ",\"counted\":%" PRIu64 ",\"iterations\":%" PRIu64 ",\"events\":%" PRIu64
         ",\"rates\":%zu,\"sparse\":%zu,\"faults\":%zu}\n",
         state_count, bursts, windows, rows, calls, counted, iterations, events, rate_count, sparse, faults);
  prof_window_chunk_free(&chunk);
  prof_trace_close(trace);
  return 0;
}
