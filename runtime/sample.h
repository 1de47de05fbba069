/* sample.h - threads that sample themselves by a timer. */
#ifndef PROF_RUNTIME_SAMPLE_H
#define PROF_RUNTIME_SAMPLE_H

#include "state.h"

void prof_sample_init(void);
/* Begins or goes on sampling the calling thread, or gives it up; mask: the signals that it blocks.  They all are now.
 */
void prof_sample_check(struct prof_cell *, uint64_t mask);
void prof_sample_end(struct prof_cell *);

#endif
