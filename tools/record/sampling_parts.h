/*
 * tools/record/sampling_parts.h - what sampling.c and sampling_write.c know of each other.
 */
#ifndef PROF_RECORD_SAMPLING_PARTS_H
#define PROF_RECORD_SAMPLING_PARTS_H

#include "record/sampling.h"

void prof_sampling_free(struct prof_sampling *);

#endif
