/*
 * gpu/places.h - hardware samples of places in kernels, of each context.
 *
 * In: begins and ends of contexts.  Out: SAMPLE records, names of reasons, counts.  Threads: any.
 */
#ifndef PROF_GPU_PLACES_H
#define PROF_GPU_PLACES_H

#include "library.h"

/* False: samples are not wanted, or the library has none (which is reported). */
bool prof_gpu_places_begin(const struct prof_gpu_library *);

void prof_gpu_places_context(void *context);      /* it was created */
void prof_gpu_places_context_ends(void *context); /* it will be destroyed */

/* A GPU program will be unloaded, and another one may get its number: reads its samples. */
void prof_gpu_places_module_goes(void);

/* Reads the samples so far; is_last: and ends sampling. */
void prof_gpu_places_read(bool is_last);

#endif
