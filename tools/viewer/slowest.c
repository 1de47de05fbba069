/*
 * tools/viewer/slowest.c - see slowest.h.
 */
#include "viewer/slowest.h"

#include <stdlib.h>

bool prof_slowest_init(struct prof_slowest *slowest, uint32_t frames) {
  slowest->frames = frames;
  slowest->calls = calloc(frames + 1, sizeof *slowest->calls);
  slowest->counts = calloc(frames + 1, sizeof *slowest->counts);
  return slowest->calls && slowest->counts;
}

void prof_slowest_fini(struct prof_slowest *slowest) {
  free(slowest->calls);
  free(slowest->counts);
}

void prof_slowest_insert(struct prof_slowest *slowest, uint32_t frame, const struct prof_slow_call *call) {
  struct prof_slow_call *calls = slowest->calls[frame];
  uint32_t at = slowest->counts[frame];
  if (at == PROF_SLOWEST_EACH)
    at--; /* the shortest goes */
  else
    slowest->counts[frame]++;
  for (; at > 0 && calls[at - 1].duration_ns < call->duration_ns; at--)
    calls[at] = calls[at - 1];
  calls[at] = *call;
}
