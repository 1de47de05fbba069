/*
 * ring_pump_thread.h - drains all threads of a ring_double in a thread of the test.
 */
#ifndef PROF_TEST_RING_PUMP_THREAD_H
#define PROF_TEST_RING_PUMP_THREAD_H

#include "ring_double.h"

/* Starts the thread, which calls `event`.  pause_us: between rounds. */
void ring_pump_start(struct ring_double *, unsigned pause_us, ring_event_fn *event, void *context);
/* Stops after a last round over everything (threads that write no more); returns all holes seen. */
uint64_t ring_pump_stop(void);
/* Records read to their end (ENDED threads); figures of the current readers. */
uint64_t ring_pump_ended(void);

#endif
