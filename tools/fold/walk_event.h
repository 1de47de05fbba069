/*
 * tools/fold/walk_event.h - one event of a walk: what walk_stream makes, and walk hands on.
 */
#ifndef PROF_FOLD_WALK_EVENT_H
#define PROF_FOLD_WALK_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct prof_walk_event {
  enum { PROF_WALK_ENTER, PROF_WALK_LEAVE, PROF_WALK_GAP, PROF_WALK_WAIT, PROF_WALK_MEASURE, PROF_WALK_POINT } kind;
  uint32_t thread;      /* index */
  uint32_t function;    /* index, of a loop its number (loop_frames.h); PROF_NONE: unknown */
  uint32_t depth;       /* of the frame entered or left, among the shown ones; 0 outermost; else how many are open */
  uint64_t time_ns;     /* since the start of the recording, by the clock (stalls included) */
  uint64_t duration_ns; /* LEAVE: of the call, less stalls; WAIT: so long the thread waited for the recorder, inside a
                           shown call */
  uint64_t lost;        /* GAP */
  bool within;          /* MEASURE: the filter shows what lies here */
  uint32_t site;        /* POINT: its site, which leads to the point; */
  uint64_t value;       /* what it reports, as bits (names/point_value.h) */
  const char *text;  /* of an argument or returned value that is a text; valid until its thread's next event.  NULL: it
                        is none, or `value` says why there is none */
  bool cut;          /* LEAVE: the real end is not known; ENTER: entered before the first event shown */
  uint64_t piece_ns; /* LEAVE: since its last ENTER, less stalls */
  bool goes_on; /* a frame around it is left, and it stays open and shown: it has a LEAVE, and then an ENTER outside of
                   that frame, both with this and `cut`.  They are one call. */
};

#endif
