/*
 * tools/estimate/own_code.h - was a sample taken in the profiler?
 */
#ifndef PROF_ESTIMATE_OWN_CODE_H
#define PROF_ESTIMATE_OWN_CODE_H

#include <stdbool.h>
#include <string.h>

#include "proftrace.h"

/*
 * flags: PROF_SAMPLE_; place: NULL: not known; path: of its caller, 0: not known.  Where probes read the system's
 * clock, they do it in the vdso: a sample there whose caller isn't known is theirs, as few programs read the time that
 * often.
 */
static inline bool prof_sample_is_own(const prof_trace *trace, uint32_t flags, const struct prof_place *place,
                                      uint32_t path) {
  if (flags & PROF_SAMPLE_PROBE || (place && place->own))
    return true;
  return place && path == 0 && prof_trace_info(trace)->clock_source == 2 && /* CLOCK_MONOTONIC */
         !strcmp(prof_trace_modules(trace, NULL)[place->module].path, "[vdso]");
}

#endif
