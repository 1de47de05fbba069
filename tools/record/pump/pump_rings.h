/*
 * tools/record/pump/pump_rings.h - the rings of all threads: read from their first record to their close, and closed
 * all together when the recording ends.
 */
#ifndef PROF_RECORD_PUMP_RINGS_H
#define PROF_RECORD_PUMP_RINGS_H

#include "record/pump/pump_state.h"

/* Reads one record's ring.  Returns the slots that it went past. */
uint64_t prof_pump_read_ring(struct prof_pump *, uint32_t index, enum prof_channel_depth);

/* Reads all that there is of a thread that writes no more; false: the recording has ended over it. */
bool prof_pump_read_rest(struct prof_pump *, uint32_t index, uint64_t *passed);

/* Closes the rings of threads that are gone; what has waited for long in the others is written. */
void prof_pump_close_gone(struct prof_pump *);

/* Takes the kernel's samples.  Slices that ended before are known before these are written. */
void prof_pump_take_samples(struct prof_pump *, bool last);

/* False: the recording has ended, perhaps only now, because it had to. */
bool prof_pump_check_limits(struct prof_pump *);

/* No more events are wanted: what was taken so far gets its last chunks. */
void prof_pump_close(struct prof_pump *, enum prof_pump_end);

#endif
