/*
 * tools/record/sampling/sampling_write.h - strands and images as chunks.
 *
 * A strand's samples wait until it is known whose they are: until its thread has written an event, or it is over and
 * everything that it said has been read.  Then those of a thread without events are written as such, and those of a
 * process in which no runtime ever was are counted and forgotten.
 */
#ifndef PROF_RECORD_SAMPLING_WRITE_H
#define PROF_RECORD_SAMPLING_WRITE_H

#include "record/sampling/sampling_state.h"

/* After prof_sampling_drain, and after the log was read up to then: writes what is due, or all. */
void prof_sampling_write(struct prof_sampling *, uint64_t now_ns, bool last);
/* What it would write now, at most. */
uint64_t prof_sampling_waiting_bytes(const struct prof_sampling *);

/* At the end: processes that were never recorded. */
void prof_sampling_look_unrecorded(struct prof_sampling *);
void prof_sampling_free(struct prof_sampling *);

#endif
