/*
 * tools/command/info/burst_info.c - see burst_info.h.
 */
#include "burst_info.h"

#include <stdio.h>

#include "estimate/burst/states.h"
#include "row.h"
#include "view/units.h"

struct facts {
  const char *budget;               /* as it was asked for; NULL: not known */
  uint64_t functions, loops, zones; /* that were recorded in bursts at least for a time */
  uint64_t off;                     /* functions, loops and zones that weren't recorded for a time */
  uint64_t changes, windows, paths;
};

/* false: the recording has no budget. */
static bool find(const prof_trace *trace, struct facts *facts) {
  size_t function_count, count;
  struct prof_burst_states states;
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  *facts = (struct facts){.budget = prof_trace_setting(trace, "overhead", NULL)};
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
    bool loop = frame->frame >= function_count;
    bool zone = !loop && (functions[frame->frame].flags & PROF_FUNCTION_ZONE);
    *(loop ? &facts->loops : zone ? &facts->zones : &facts->functions) += burst;
    facts->off += off;
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
  prof_json_count(json, "windows", facts.windows);
  prof_json_count(json, "paths", facts.paths);
  prof_json_object_end(json);
}
