/*
 * tools/estimate/sample_rates.h - what samples of the faster sampler stand for, where it ran in short stretches in
 * place of the usual one.
 *
 * In: RATES of a trace.  Out: for a time in such a part of the recording, how much of a thread's time one sample
 * stands for: that around its stretch (stretch_parts.h).
 */
#ifndef PROF_ESTIMATE_SAMPLE_RATES_H
#define PROF_ESTIMATE_SAMPLE_RATES_H

#include "estimate/stretch_parts.h"
#include "proftrace.h"

struct prof_sample_rates {
  prof_stretch_parts parts; /* times: usual samples that one of the faster ones stands for */
  uint32_t stretches;
  uint64_t stretch_ticks; /* sum of their lengths */
};

/* false: no memory.  Free it in any case. */
bool prof_sample_rates_init(struct prof_sample_rates *, const prof_trace *);
void prof_sample_rates_fini(struct prof_sample_rates *);

/* Of a sample with PROF_SAMPLE_EXTRA; 0: the usual sampler ran then. */
double prof_sample_rates_times(const struct prof_sample_rates *, uint64_t time);

#endif
