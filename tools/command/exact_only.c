/*
 * tools/command/exact_only.c - see exact_only.h.
 */
#include "exact_only.h"

#include <stdio.h>

#include "estimate/burst/states.h"

void prof_exact_only(const prof_trace *trace, const struct prof_output *output) {
  struct prof_burst_states states;
  if (prof_burst_states_init(&states, trace) && states.frame_count)
    fprintf(output->file, "%sonly calls that were recorded exactly; functions, loops and zones in bursts: %u%s\n",
            output->style.color ? "\x1b[2m" : "", states.frame_count, output->style.color ? "\x1b[0m" : "");
  prof_burst_states_fini(&states);
}
