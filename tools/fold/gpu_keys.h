/*
 * tools/fold/gpu_keys.h - names of kernels, each once over all sources: part of gpu_timeline.
 */
#ifndef PROF_FOLD_GPU_KEYS_H
#define PROF_FOLD_GPU_KEYS_H

#include "fold/gpu_timeline.h"

/* The index of a name in kernel_names, added if it isn't there; PROF_NONE: no memory. */
uint32_t prof_gpu_keys_add(struct prof_gpu_timeline *, const prof_trace *, uint32_t source, uint64_t text);
void prof_gpu_keys_free(struct prof_gpu_timeline *);

#endif
