/*
 * tools/record/pump/pump_rings.h - reads the rings of all threads from first record to close, and closes all when the
 * recording ends.
 */
#ifndef PROF_RECORD_PUMP_RINGS_H
#define PROF_RECORD_PUMP_RINGS_H

#include "record/pump/pump_state.h"

/* Reads one record's ring.  Returns the number of slots passed. */
uint64_t prof_pump_read_ring(struct prof_pump *, uint32_t index, enum prof_channel_depth);

/* Reads everything left of a thread that writes no more; false: the recording ended meanwhile. */
bool prof_pump_read_rest(struct prof_pump *, uint32_t index, uint64_t *passed);

/* Closes the rings of ended threads; writes old waiting data of the others. */
void prof_pump_close_gone(struct prof_pump *);

/* Takes the kernel's samples, then the log, so that slices that ended earlier are known before samples are written. */
void prof_pump_take_samples(struct prof_pump *, bool last);

/* False: the recording has ended, maybe by this call. */
bool prof_pump_check_limits(struct prof_pump *);

/* Stops taking events: writes the last chunks of those taken so far. */
void prof_pump_close(struct prof_pump *, enum prof_pump_end);

#endif
