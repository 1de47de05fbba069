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
  *slowest = (struct prof_slowest){.frames = 0};
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

static bool is_before(const struct prof_slow_call *a, const struct prof_slow_call *b) {
  if (a->duration_ns != b->duration_ns)
    return a->duration_ns > b->duration_ns;
  if (a->thread != b->thread)
    return a->thread < b->thread;
  return a->begin_ns != b->begin_ns ? a->begin_ns < b->begin_ns : a->depth < b->depth;
}

void prof_slowest_join(struct prof_slowest *slowest, uint32_t frame, const struct prof_slow_call *call) {
  struct prof_slow_call *calls = slowest->calls[frame];
  uint32_t at = slowest->counts[frame];
  if (at == PROF_SLOWEST_EACH && !is_before(call, &calls[at - 1]))
    return;
  if (at == PROF_SLOWEST_EACH)
    at--;
  else
    slowest->counts[frame]++;
  for (; at > 0 && is_before(call, &calls[at - 1]); at--)
    calls[at] = calls[at - 1];
  calls[at] = *call;
}

void prof_slowest_join_all(struct prof_slowest *into, const struct prof_slowest *from) {
  for (uint32_t frame = 0; frame < from->frames; frame++)
    for (unsigned i = 0; i < from->counts[frame]; i++)
      prof_slowest_join(into, frame, &from->calls[frame][i]);
}
