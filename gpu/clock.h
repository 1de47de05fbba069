/*
 * gpu/clock.h - the recording's clock, and conversion of a library's times.
 */
#ifndef PROF_GPU_CLOCK_H
#define PROF_GPU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "library.h"

/* Selects the clock that the recorder asks for. */
void prof_gpu_clock_choose(const struct prof_control *);
uint64_t prof_gpu_clock_now(void); /* ticks */

/*
 * Makes the library use our clock.  false: it can't; its times are nanoseconds of its own clock, which
 * prof_gpu_clock_ticks converts by the readings of prof_gpu_clock_look.
 */
bool prof_gpu_clock_hand_over(const struct prof_gpu_library *);

/* Reads both clocks.  Returns the reading's uncertainty in ticks: from our reading before the library's to that after
 * it, or more if the library's clock shows more. */
uint64_t prof_gpu_clock_look(const struct prof_gpu_library *);

/*
 * Did the last reading show that the library no longer has our clock?  Then it was ended (cuptiFinalize leaves no state
 * and no subscription) or another tool took it over.  Holds until the clock is handed over again.
 */
bool prof_gpu_clock_is_lost(void);

/* Converts a record's time; 0 stays 0. */
uint64_t prof_gpu_clock_ticks(uint64_t time);

#endif
