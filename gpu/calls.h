/*
 * gpu/calls.h - the API calls that make a GPU do something, timed at their begin and end in the calling thread.
 */
#ifndef PROF_GPU_CALLS_H
#define PROF_GPU_CALLS_H

#include "library.h"

/* A callback of the domains of calls; those of others are passed over. */
void prof_gpu_calls_take(int domain, uint32_t id, const struct abi_callback_data *);

/* Enables callbacks of the calls that are wanted, and of no other; returns how many the library knows. */
unsigned prof_gpu_calls_enable(const struct prof_gpu_library *, void *subscriber);

/* The number of the outermost call that this thread is in and that is recorded; 0: none. */
uint32_t prof_gpu_calls_current(void);

#endif
