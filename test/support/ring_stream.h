/*
 * test/support/ring_stream.h - ring events of one thread in memory, for programs that measure: made up, or as they were
 * recorded.  Without memory, or with a trace that can't be read, the program ends with a message.
 */
#ifndef PROF_TEST_RING_STREAM_H
#define PROF_TEST_RING_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct prof_ring_stream {
  struct prof_event *events;
  size_t count, capacity;
  uint32_t *functions; /* by site, as in struct prof_site_map */
  uint32_t site_count;
  uint32_t thread; /* its number in the trace */
};

/* Of synthetic.h. */
struct prof_ring_stream prof_ring_stream_made_up(size_t count, uint32_t functions, uint32_t jitter);
/* The calls of a recording's busiest thread, about `limit` of their events at most. */
struct prof_ring_stream prof_ring_stream_recorded(const char *path, size_t limit);
/* Each reading of the clock is off by up to so many ticks; none is before the one that it follows. */
void prof_ring_stream_jitter(struct prof_ring_stream *, unsigned ticks);
void prof_ring_stream_free(struct prof_ring_stream *);

#endif
