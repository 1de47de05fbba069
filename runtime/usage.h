/* usage.h - CPU time of the process's threads; announces that recording stops and goes on. */
#ifndef PROF_RUNTIME_USAGE_H
#define PROF_RUNTIME_USAGE_H

#include "state.h"

/* Notes the calling thread's CPU time, and whether it has moved to another core. */
void prof_thread_usage_note(struct prof_cell *);
void prof_thread_name_write(struct prof_thread *);
/* The process ends: notes the CPU time of its other threads, which may never write it. */
void prof_thread_usage_note_others(const struct prof_image *, const struct prof_cell *own);
/* Recording was off since `time` and will be switched on: excludes the CPU time in between. */
void prof_thread_stopped(uint64_t time);
void prof_thread_going_on(void);
/* Announces a stop at `time` to all threads: their next event takes the slow path. */
void prof_thread_kick(uint64_t time);

#endif
