/*
 * tools/record/sampling/sampling_pmu.h - counters of processors and of the kernel: their figures and samples become PMU
 * and PMU_SAMPLES chunks.
 *
 * For sampling.c and sampling_write.c.
 */
#ifndef PROF_RECORD_SAMPLING_PMU_H
#define PROF_RECORD_SAMPLING_PMU_H

#include "record/sampling/sampling_state.h"

/* While they are open. */
void prof_sampling_read_pmus(struct prof_sampling *);
/* Writes what they counted so far; nothing where none was wished. */
void prof_sampling_write_pmus(struct prof_sampling *);

/* Writes the strand's samples, and drops them.  Those of processes without a runtime are not written. */
void prof_sampling_write_counted(struct prof_sampling *, struct prof_sampling_strand *);

#endif
