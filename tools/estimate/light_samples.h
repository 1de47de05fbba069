/*
 * tools/estimate/light_samples.h - which samples count for a thread: those of its sparse-clock intervals, or the
 * ordinary ones.
 *
 * Job: a thread that spends much of its time in probes hides work from samples while its probes read the clock; in
 * sparse-clock intervals they rarely read it.  With enough samples of the faster sampler there, these count in
 * instrumented code: their address gives the function, and so the frame among those of one time.  Libraries and the
 * kernel hide little: of those the ordinary samples outside of slices count.  A sample stands for its period, times all
 * events of the thread over the events of the time that it counts in: so slices and the rest stand for the same run of
 * the program.  The sum of all is that of light_total.h.  In and out: samples by thread and time, their flags and
 * weights.
 */
#ifndef PROF_ESTIMATE_LIGHT_SAMPLES_H
#define PROF_ESTIMATE_LIGHT_SAMPLES_H

#include "estimate/samples.h"

/* light: as many as there are threads, zeroed; filled in. */
void prof_light_samples_choose(const prof_trace *, double ticks_each, struct prof_sample *, size_t count,
                               struct prof_light_samples *light);

#endif
