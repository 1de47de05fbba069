/* clock.h - the recording's clock, from any context. */
#ifndef PROF_RUNTIME_CLOCK_H
#define PROF_RUNTIME_CLOCK_H

#include "arch.h"
#include "state.h"

/* Selects the clock that the recorder asks for. */
void prof_clock_init(void);
/* Nanoseconds of CLOCK_MONOTONIC.  No libc, no vector registers, any context. */
uint64_t prof_clock_os(void);
/* The recording's clock. */
static inline uint64_t prof_clock_ticks(void) {
  return prof_runtime.os_clock ? prof_clock_os() : prof_tsc_read();
}

#endif
