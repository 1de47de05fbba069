/*
 * tools/command/sample_line.c - see sample_line.h.
 */
#include "sample_line.h"

#include <inttypes.h>

#include "view/units.h"

void prof_sample_line(const struct prof_samples *samples, uint64_t counted, const struct prof_output *output) {
  char number[PROF_UNITS_BYTES];
  if (!output->verbose || !samples || !samples->sampler || samples->count == 0)
    return;
  fprintf(output->file, "%sself times from %s sample%s", output->style.color ? "\x1b[2m" : "",
          prof_units_count(number, counted), counted == 1 ? "" : "s");
  fprintf(output->file, ", one per %s of CPU time", prof_units_duration(number, samples->sampler->period_ns));
  if (samples->light_threads)
    fprintf(output->file, "; in %" PRIu32 " thread%s one per %s of sparse-clock intervals", samples->light_threads,
            samples->light_threads == 1 ? "" : "s", prof_units_duration(number, samples->sampler->extra_period_ns));
  if (samples->where[PROF_WHERE_PROFILER])
    fprintf(output->file, "; %s in the profiler skipped",
            prof_units_count(number, samples->where[PROF_WHERE_PROFILER]));
  fprintf(output->file, "%s\n", output->style.color ? "\x1b[0m" : "");
}
