/* api.h - recording on and off while the program runs. */
#ifndef PROF_RUNTIME_API_H
#define PROF_RUNTIME_API_H

#include "state.h"

int prof_api_control(int operation);
/* The recorder wants no more events: switches all sites off, unless another thread is about to.  Signals are blocked.
 */
void prof_api_closed(void);

/* The lock under which modules and switches change; signals are blocked while it is held, *mask: as they were.  false:
 * this process doesn't record, nothing is held. */
bool prof_api_begin(uint64_t *mask);
void prof_api_end(uint64_t mask);

/* Switches on or off, as the program and the bounds want it.  The lock is held. */
void prof_api_settle(void);
/* The same, and every sled once more, in whatever state it is. */
void prof_api_switch_again(void);

#endif
