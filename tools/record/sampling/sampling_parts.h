/*
 * tools/record/sampling/sampling_parts.h - what sampling.c and sampling_write.c share.
 */
#ifndef PROF_RECORD_SAMPLING_PARTS_H
#define PROF_RECORD_SAMPLING_PARTS_H

#include "record/sampling/sampling.h"

/* sampling_write.c: at the end. */
void prof_sampling_look_unrecorded(struct prof_sampling *);
void prof_sampling_free(struct prof_sampling *);

#endif
