/*
 * tools/command/measures/memory_moments.c - see memory_moments.h.
 */
#include "memory_moments.h"

#include <stdio.h>

#include "moment.h"

prof_status prof_memory_moments_find(const struct prof_memory_settings *settings, const struct prof_reader *reader,
                                     struct prof_memory_options *options, struct prof_memory_moments *out,
                                     struct prof_diag *diag) {
  const struct prof_recording *recording = &reader->recording;
  prof_status status = PROF_OK;
  out->count = 0;
  if (settings->between) {
    out->count = 2;
    status = prof_moments_parse("--between", settings->between, reader, out->ticks, diag);
  } else if (settings->has_growth) {
    out->count = PROF_MEMORY_MOST_MOMENTS;
    prof_memory_growth_moments(recording->trace, &recording->filter, out->ticks);
  }
  options->moments = out->ticks;
  options->moment_count = out->count;
  options->sort = out->count > 0 && !settings->has_sort ? PROF_MEMORY_GROWTH : settings->memory.sort;
  return status;
}

const char *prof_memory_change_text(char out[PROF_MEMORY_CHANGE_BYTES], uint64_t before_bytes, uint64_t after_bytes) {
  char bytes[PROF_UNITS_BYTES];
  out[0] = 0;
  if (before_bytes != after_bytes)
    snprintf(
        out, PROF_MEMORY_CHANGE_BYTES, "%c%s", after_bytes > before_bytes ? '+' : '-',
        prof_units_bytes(bytes, after_bytes > before_bytes ? after_bytes - before_bytes : before_bytes - after_bytes));
  return out;
}
