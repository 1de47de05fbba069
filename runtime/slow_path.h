/* slow_path.h - called by a trampoline whose reservation failed, or that finds no counters; and by C code that writes
 * events. */
#ifndef PROF_RUNTIME_SLOW_PATH_H
#define PROF_RUNTIME_SLOW_PATH_H

#include <stdint.h>

#include "event.h"

/* `bytes` were reserved at `slot`.  0: drop the event; else try again. */
int prof_ring_slow(char *slot, uint32_t bytes);
/* The thread counts for the first time in this process.  0: it can't be attached; else try again. */
int prof_count_slow(void);
/* For C code, which may be called anywhere: reserves slots of events, at most two, and reads the clock.  NULL: the
 * events are dropped, and counted. */
struct prof_event *prof_slots_take(uint32_t bytes, uint64_t *time);

#endif
