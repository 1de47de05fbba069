/* wait.h - a thread without space waits for the recorder. */
#ifndef PROF_RUNTIME_WAIT_H
#define PROF_RUNTIME_WAIT_H

#include "state.h"

/* Waits for a segment.  0: dropping is better (recorder closed or gone). */
uint32_t prof_wait_segment(struct prof_cell *);
/* Has the recorder ended or stopped working?  `silent_ns`: how long the heartbeat has stood still; less, when this
 * returns, if it was stopped (Ctrl-Z) meanwhile. */
bool prof_recorder_is_gone(const struct prof_control *, int64_t *silent_ns);
bool prof_wait_is_hopeless(const struct prof_cell *);

/* The same for who looks now and then. */
struct prof_pulse {
  uint32_t heartbeat;
  int64_t beaten_ns; /* when it was seen to move */
};
struct prof_pulse prof_pulse_begin(const struct prof_control *);
bool prof_pulse_is_over(const struct prof_control *, struct prof_pulse *);

#endif
