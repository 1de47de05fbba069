/*
 * tools/command/measures/memory_moments.h - `prof memory --between` and `--growth`: the moments, and changes as text.
 */
#ifndef PROF_COMMAND_MEMORY_MOMENTS_H
#define PROF_COMMAND_MEMORY_MOMENTS_H

#include "memory_settings.h"
#include "view/units.h"

struct prof_memory_moments {
  uint64_t ticks[PROF_MEMORY_MOST_MOMENTS];
  size_t count; /* 0: none were asked for */
};

/* Sets the moments of *options, which point into *out, and the order that follows from them.  Errors of --between:
 * moment.h. */
prof_status prof_memory_moments_find(const struct prof_memory_settings *, const struct prof_reader *,
                                     struct prof_memory_options *options, struct prof_memory_moments *out,
                                     struct prof_diag *) PROF_MUST_CHECK;

#define PROF_MEMORY_CHANGE_BYTES (PROF_UNITS_BYTES + 1)
/* "+4.00 KiB"; "": none. */
const char *prof_memory_change_text(char out[PROF_MEMORY_CHANGE_BYTES], uint64_t before_bytes, uint64_t after_bytes);

#endif
