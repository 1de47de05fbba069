/*
 * gpu/stack.h - stacks of calls in uninstrumented programs: the calling thread's chain of frame pointers.
 */
#ifndef PROF_GPU_STACK_H
#define PROF_GPU_STACK_H

#include <stdint.h>

/* A handle of prof's runtime, if it is in this process (dlclose it); NULL: it isn't. */
void *prof_gpu_stack_runtime(void);

/* Decides whether stacks are taken: not if prof's runtime is in this process.  Call it before the first call. */
void prof_gpu_stack_begin(void);

/* The calling thread begins an NVTX range, or ends its last one; ranges are part of its stacks. */
void prof_gpu_stack_push(const char *name);
void prof_gpu_stack_pop(void);

/* Number of the innermost frame of the caller's stack, reported to the recorder; 0: none. */
uint32_t prof_gpu_stack_take(void);

#endif
