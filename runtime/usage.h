/* usage.h - what all threads of the process have used, and that recording stops and goes on. */
#ifndef PROF_RUNTIME_USAGE_H
#define PROF_RUNTIME_USAGE_H

#include "state.h"

/* Notes the processor time that the calling thread has used, and whether it has moved to another core. */
void prof_thread_usage_note(struct prof_cell *);
void prof_thread_name_write(struct prof_thread *);
/* The process ends: notes the processor time of its other threads, which may never write it. */
void prof_thread_usage_note_others(const struct prof_image *, const struct prof_cell *own);
/* Recording was switched off at `time`, is about to be switched on: processor time between the two doesn't count. */
void prof_thread_stopped(uint64_t time);
void prof_thread_going_on(void);
/* Announces a stop at `time` to all threads: their next event takes the slow path. */
void prof_thread_kick(uint64_t time);

#endif
