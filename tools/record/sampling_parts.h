/*
 * tools/record/sampling_parts.h - what sampling.c and sampling_write.c know of each other.
 */
#ifndef PROF_RECORD_SAMPLING_PARTS_H
#define PROF_RECORD_SAMPLING_PARTS_H

#include "record/sampling.h"

/* Writes what is due; last: all there is.  Strands that ended are given up once nothing can come of them. */
void prof_sampling_write(struct prof_sampling *, uint64_t now_ns, bool last);
void prof_sampling_free(struct prof_sampling *);

#endif
