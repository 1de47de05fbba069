/*
 * gpu/stack.h - where a call was made, in programs without probes: the calling thread's chain of frame pointers.
 */
#ifndef PROF_GPU_STACK_H
#define PROF_GPU_STACK_H

#include <stdint.h>

/* A handle of prof's runtime, if it is in this process (dlclose it); NULL: it isn't. */
void *prof_gpu_stack_runtime(void);

/* Whether stacks are taken in this process: not if prof's runtime is in it.  Before the first call. */
void prof_gpu_stack_begin(void);

/* The calling thread begins a range of NVTX, ends the last one that it began: part of its stacks. */
void prof_gpu_stack_push(const char *name);
void prof_gpu_stack_pop(void);

/* The number of the innermost frame of the caller's stack, made known to the recorder; 0: none. */
uint32_t prof_gpu_stack_take(void);

#endif
