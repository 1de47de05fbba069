/*
 * gpu/clock.h - the recording's clock, and times of a library that has its own.
 */
#ifndef PROF_GPU_CLOCK_H
#define PROF_GPU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "library.h"

/* Takes the clock that the recorder asks for. */
void prof_gpu_clock_choose(const struct prof_control *);
uint64_t prof_gpu_clock_now(void); /* ticks */

/*
 * Has the library take its times from our clock; false: it can't, and times are nanoseconds of its own, which
 * prof_gpu_clock_ticks converts between the readings that prof_gpu_clock_look has made.
 */
bool prof_gpu_clock_hand_over(const struct prof_gpu_library *);

/* Reads both clocks.  Returns the ticks that the reading may be off: between our readings before and after the
 * library's, and beyond them if its clock says so. */
uint64_t prof_gpu_clock_look(const struct prof_gpu_library *);

/*
 * The library had our clock and has it no more: it was ended (cuptiFinalize leaves no state, no subscription either) or
 * another tool took it over.  As of the last look; until the clock is handed over again.
 */
bool prof_gpu_clock_is_lost(void);

/* A time of a record; 0 stays 0. */
uint64_t prof_gpu_clock_ticks(uint64_t time);

#endif
