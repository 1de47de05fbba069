/* sample.h - threads that sample themselves by a timer. */
#ifndef PROF_RUNTIME_SAMPLE_H
#define PROF_RUNTIME_SAMPLE_H

#include "state.h"

void prof_sample_init(void);
/* Begins, continues or ends sampling of the calling thread; mask: the signals that it blocks.  All are blocked now. */
void prof_sample_check(struct prof_cell *, uint64_t mask);
void prof_sample_end(struct prof_cell *);
/* After the timers of all threads were ended: the signal is as it was before prof_sample_init. */
void prof_sample_fini(void);

#endif
