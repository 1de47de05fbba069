/*
 * gpu/places.h - where in kernels the GPU's multiprocessors were: samples by the hardware, of each context.
 *
 * In: contexts that come and go.  Out: SAMPLE records, names of reasons, counts.  Threads: any.
 */
#ifndef PROF_GPU_PLACES_H
#define PROF_GPU_PLACES_H

#include "library.h"

/* False: nobody wants samples, or the library has none (which is then said). */
bool prof_gpu_places_begin(const struct prof_gpu_library *);

void prof_gpu_places_context(void *context);      /* one was created */
void prof_gpu_places_context_ends(void *context); /* one will be destroyed */

/* A GPU program will be unloaded, and another one may come to have its number: takes what there is. */
void prof_gpu_places_module_goes(void);

/* Takes what there is; is_last: and ends sampling. */
void prof_gpu_places_read(bool is_last);

#endif
