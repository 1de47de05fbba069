/*
 * gpu/calls.h - times API calls of the GPU at their begin and end in the calling thread.
 */
#ifndef PROF_GPU_CALLS_H
#define PROF_GPU_CALLS_H

#include "library.h"

/* A callback of the domains of calls; those of others are passed over. */
void prof_gpu_calls_take(int domain, uint32_t id, const struct abi_callback_data *);

/* Enables callbacks of the listed calls only; returns how many of them the library knows. */
unsigned prof_gpu_calls_enable(const struct prof_gpu_library *, void *subscriber);

/* Number of this thread's outermost open call, if it is recorded; 0: none. */
uint32_t prof_gpu_calls_current(void);

#endif
