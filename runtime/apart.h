/* apart.h - a thread that libc doesn't know. */
#ifndef PROF_RUNTIME_APART_H
#define PROF_RUNTIME_APART_H

#include <stdbool.h>

/*
 * Runs `run` in a new thread with all signals blocked and no descriptors.  It may use errno and what libc does without
 * locks and memory.  One at a time in a process: in a forked child it takes the memory of the parent's.  false: the
 * system refuses.
 */
bool prof_apart_start(void (*run)(void));

#endif
