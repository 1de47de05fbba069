/*
 * tools/estimate/burst/zone_hosts.h - which functions have which zones in their code.
 *
 * In: the sites of a trace.  Out: whether a chain of callers that ends at a function tells what ran inside of a zone.
 * A zone is in state always only while the functions with it in their code are (governor/units.h).  So a zone whose
 * frame lies in another function's is in uninstrumented code: functions that samples show may have been called around
 * it.
 */
#ifndef PROF_ESTIMATE_BURST_ZONE_HOSTS_H
#define PROF_ESTIMATE_BURST_ZONE_HOSTS_H

#include "base/vec.h"
#include "estimate/code_functions.h"

struct prof_zone_host {
  uint32_t zone, function;
};

struct prof_zone_hosts { /* zeroed: no zone is known */
  const struct prof_function *functions;
  size_t function_count;
  PROF_VEC(struct prof_zone_host) pairs;
};

/* false: no memory; fini it all the same. */
bool prof_zone_hosts_init(struct prof_zone_hosts *, const prof_trace *, const struct prof_code_functions *);
void prof_zone_hosts_fini(struct prof_zone_hosts *);

bool prof_zone_hosts_is_zone(const struct prof_zone_hosts *, uint32_t frame); /* by its number, loop_frames.h */
bool prof_zone_hosts_has(const struct prof_zone_hosts *, uint32_t zone, uint32_t function);

#endif
