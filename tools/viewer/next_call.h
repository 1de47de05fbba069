/*
 * tools/viewer/next_call.h - the next call of a function after a time, or the one before it, in any thread.
 *
 * Job: passes chunks whose list of callers and callees lacks the function; looks through the events of the others.  In:
 * a recording with its filter.  Threads: several may ask at the same time.
 */
#ifndef PROF_VIEWER_NEXT_CALL_H
#define PROF_VIEWER_NEXT_CALL_H

#include "base/stop.h"
#include "study/recording.h"

struct prof_next_call_wish {
  uint32_t frame;   /* a number of names/loop_frames.h */
  uint64_t time_ns; /* it begins later than this; with `back` earlier */
  bool back;
};

struct prof_next_call {
  bool found;
  uint32_t thread, depth;
  uint64_t begin_ns, end_ns; /* of a call that lasts beyond its chunk: the chunk's end */
};

/* PROF_NO_MEMORY, PROF_STOPPED. */
prof_status prof_next_call_find(const struct prof_recording *, const struct prof_next_call_wish *,
                                const struct prof_stop *, struct prof_diag *,
                                struct prof_next_call *out) PROF_MUST_CHECK;

#endif
