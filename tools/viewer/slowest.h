/*
 * tools/viewer/slowest.h - the longest calls of each function.
 *
 * In: calls as a walk finds them.  Out: up to PROF_SLOWEST_EACH of each frame, the longest first.  Memory: 160 bytes a
 * frame.
 */
#ifndef PROF_VIEWER_SLOWEST_H
#define PROF_VIEWER_SLOWEST_H

#include <stdbool.h>
#include <stdint.h>

#define PROF_SLOWEST_EACH 5

struct prof_slow_call {
  uint64_t begin_ns, duration_ns; /* duration: without waits for the recorder */
  uint32_t thread, depth;
};

struct prof_slowest {
  struct prof_slow_call (*calls)[PROF_SLOWEST_EACH]; /* by frame number */
  uint8_t *counts;
  uint32_t frames;
};

bool prof_slowest_init(struct prof_slowest *, uint32_t frames); /* false: no memory */
void prof_slowest_fini(struct prof_slowest *);

void prof_slowest_insert(struct prof_slowest *, uint32_t frame, const struct prof_slow_call *); /* frame < frames */

/* For calls in any order: of equally long ones the first in the order of threads and time stays. */
void prof_slowest_join(struct prof_slowest *, uint32_t frame, const struct prof_slow_call *);

/* All calls of `from`, likewise; it has as many frames. */
void prof_slowest_join_all(struct prof_slowest *, const struct prof_slowest *from);

static inline void prof_slowest_add(struct prof_slowest *slowest, uint32_t frame, const struct prof_slow_call *call) {
  if (slowest->counts[frame] == PROF_SLOWEST_EACH &&
      slowest->calls[frame][PROF_SLOWEST_EACH - 1].duration_ns >= call->duration_ns)
    return;
  prof_slowest_insert(slowest, frame, call);
}

#endif
