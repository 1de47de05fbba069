/*
 * tools/command/info/burst_info.c - see burst_info.h.
 */
#include "burst_info.h"

#include <stdio.h>
#include <stdlib.h>

#include "estimate/burst/states.h"
#include "fold/summary/summary.h"
#include "row.h"
#include "view/units.h"

struct facts {
  const char *budget;               /* as it was asked for; NULL: not known */
  uint64_t functions, loops, zones; /* that were recorded in bursts at least for a time */
  uint64_t off;                     /* functions, loops and zones that weren't recorded for a time */
  uint64_t changes, windows, paths;
  uint64_t pooled; /* threads that had ended, whose calls in bursts are another one's (a summary) */
};

static void add_frame(const prof_trace *trace, struct facts *facts, uint32_t frame, bool burst, bool off) {
  size_t function_count;
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  bool loop = frame >= function_count, zone = !loop && (functions[frame].flags & PROF_FUNCTION_ZONE);
  *(loop ? &facts->loops : zone ? &facts->zones : &facts->functions) += burst;
  facts->off += off;
}

/* Of a summary; without memory nothing is known. */
static void find_sums(const prof_trace *trace, struct facts *facts) {
  struct prof_diag diag;
  struct prof_summary summary;
  if (prof_summary_of(trace, &diag, &summary) != PROF_OK)
    return;
  const struct prof_summary_bursts *bursts = &summary.bursts;
  uint8_t *states = calloc(summary.keys.count + 1, 1);
  for (size_t i = 0; states && i < bursts->frames.count; i++)
    states[bursts->frames.items[i].key] |=
        (bursts->frames.items[i].ran > 0 ? 1 : 0) | (bursts->frames.items[i].off > 0 ? 2 : 0);
  for (size_t i = 0; states && i < summary.keys.count; i++)
    if (states[i])
      add_frame(trace, facts, prof_summary_frame_of_key(trace, &summary.keys.items[i]), states[i] & 1, states[i] & 2);
  facts->changes = bursts->changes;
  facts->paths = bursts->chains.count;
  facts->pooled = bursts->pooled;
  for (int kind = 0; kind < PROF_SUMMARY_WINDOW_KINDS; kind++)
    facts->windows += bursts->windows[kind].count;
  free(states);
  prof_summary_fini(&summary);
}

/* false: the recording has no budget. */
static bool find(const prof_trace *trace, struct facts *facts) {
  size_t count;
  struct prof_burst_states states;
  *facts = (struct facts){.budget = prof_trace_setting(trace, "overhead", NULL)};
  if (prof_trace_summary(trace, NULL)) {
    find_sums(trace, facts);
    return facts->budget || facts->changes;
  }
  (void)prof_trace_states(trace, &count);
  facts->changes = count;
  const struct prof_window_chunk_ref *chunks = prof_trace_window_chunks(trace, &count);
  for (size_t i = 0; i < count; i++)
    facts->windows += chunks[i].count;
  (void)prof_trace_paths(trace, &count);
  facts->paths = count > 1 ? count - 1 : 0;
  bool done = prof_burst_states_init(&states, trace);
  for (uint32_t i = 0; done && i < states.frame_count; i++) {
    const struct prof_burst_frame *frame = &states.frames[i];
    bool burst = false, off = false;
    for (uint32_t j = 0; j < frame->count; j++) {
      burst |= states.changes[frame->first + j].state == PROF_RECORD_BURST;
      off |= states.changes[frame->first + j].state == PROF_RECORD_OFF;
    }
    add_frame(trace, facts, frame->frame, burst, off);
  }
  prof_burst_states_fini(&states);
  return facts->budget || facts->changes || facts->windows;
}

void prof_burst_info_print(const prof_trace *trace, const struct prof_output *output) {
  struct facts facts;
  char first[PROF_UNITS_BYTES], second[PROF_UNITS_BYTES], third[PROF_UNITS_BYTES];
  if (!find(trace, &facts))
    return;
  if (facts.budget)
    prof_output_fact(output, "overhead budget", "%s", facts.budget);
  char zones[PROF_UNITS_BYTES + sizeof ", zones: "] = "";
  if (facts.zones)
    snprintf(zones, sizeof zones, ", zones: %s", prof_units_count(first, facts.zones));
  prof_output_fact(output, "recorded in bursts", "functions: %s%s, loops: %s; changes of state: %s",
                   prof_units_count(first, facts.functions), zones, prof_units_count(second, facts.loops),
                   prof_units_count(third, facts.changes));
  if (facts.off)
    prof_output_fact(output, "off for a time", "functions, loops and zones: %s", prof_units_count(first, facts.off));
  if (facts.pooled)
    prof_output_fact(output, "joined", "threads that had ended, with another one of their process: %s; calls in bursts",
                     prof_units_count(first, facts.pooled));
  prof_output_fact(output, "windows", "%s", prof_units_count(first, facts.windows));
  prof_output_fact(output, "paths of callers", "%s", prof_units_count(first, facts.paths));
}

void prof_burst_info_json(const prof_trace *trace, struct prof_json *json) {
  struct facts facts;
  if (!find(trace, &facts))
    return;
  prof_json_object(json, "bursts");
  prof_json_text(json, "budget", facts.budget);
  prof_json_count(json, "functions", facts.functions);
  prof_json_count(json, "loops", facts.loops);
  prof_json_count(json, "zones", facts.zones);
  prof_json_count(json, "off", facts.off);
  prof_json_count(json, "changes", facts.changes);
  prof_json_count(json, "joined_threads", facts.pooled);
  prof_json_count(json, "windows", facts.windows);
  prof_json_count(json, "paths", facts.paths);
  prof_json_object_end(json);
}
