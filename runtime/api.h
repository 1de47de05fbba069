/* api.h - recording on and off while the program runs. */
#ifndef PROF_RUNTIME_API_H
#define PROF_RUNTIME_API_H

#include "state.h"

/* As the program asks.  Returns whether it is recorded now; false after prof_api_switch(false). */
bool prof_api_switch(bool on);
bool prof_api_is_recording(void);
/* For the slow path, with signals blocked: calls `change` under the lock, where the process is recorded and no other
 * thread has the lock.  Vector registers are kept.  Returns whether it was called. */
bool prof_api_try(void (*change)(void *unused));
/* The recorder wants no more events: switches all sites off, likewise. */
void prof_api_closed(void);

/* Takes the lock for changes of modules and switches, and blocks signals; *mask: the signals blocked before.  false:
 * this process doesn't record; the lock is not held. */
bool prof_api_begin(uint64_t *mask);
void prof_api_end(uint64_t mask);

/* Switches sites on or off, as the program and the bounds ask.  The caller holds the lock. */
void prof_api_settle(void);
/* A recording of a program that runs already begins and ends.  The caller holds the lock. */
void prof_api_join(void);
void prof_api_leave(void);
/* As prof_api_settle, and writes every sled again, whatever its state. */
void prof_api_switch_again(void);

#endif
