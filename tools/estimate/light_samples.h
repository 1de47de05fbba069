/*
 * tools/estimate/light_samples.h - which samples count for a thread: those of its light slices, or the ordinary ones.
 *
 * Job: a thread that is more probe than program hides work from samples while its probes wait for the clock's reading;
 * in its light slices they rarely read it.  With enough samples of the faster sampler in them these count where they
 * met probed code: the address gives the function, and so the frame among those of one time.  In libraries and the
 * kernel it doesn't, but there little is hidden: of those the ordinary samples outside of slices count.  Each stands
 * for its period times all events of the thread by those of the time that it counts in, so that slices and the rest
 * stand for the same run of the program; all together they stand for the total of light_total.h.  In and out: samples
 * by thread and time, their flags and weights.
 */
#ifndef PROF_ESTIMATE_LIGHT_SAMPLES_H
#define PROF_ESTIMATE_LIGHT_SAMPLES_H

#include "estimate/samples.h"

/* light: as many as there are threads, zeroed; filled in. */
void prof_light_samples_choose(const prof_trace *, double ticks_each, struct prof_sample *, size_t count,
                               struct prof_light_samples *light);

#endif
