/*
 * tools/record/clock/short_slice.h - a thread that the scheduler lets run as soon as it wakes.
 *
 * A thread that acts for microseconds now and then waits for milliseconds on a machine with more busy threads than
 * processors: the others use up their slices first.  Since Linux 6.12 a thread may ask for a slice of its own, and one
 * that wakes with a shorter slice than the running thread's comes first (sched_setattr(2), sched_runtime).  It gets no
 * more processor time for it, and needs no permission.
 */
#ifndef PROF_RECORD_SHORT_SLICE_H
#define PROF_RECORD_SHORT_SLICE_H

#include <stdbool.h>
#include <stdint.h>

/* The calling thread's slice from now on, in ns: the least that the kernel takes.  Policy and niceness stay.  false: a
 * policy without slices, or the kernel refuses. */
bool prof_short_slice(void);
/* The calling thread's slice in ns; 0: the kernel doesn't tell. */
uint64_t prof_slice_ns(void);

#endif
