/* counters.h - threads' counters in this process (wire/control.h). */
#ifndef PROF_RUNTIME_COUNTERS_H
#define PROF_RUNTIME_COUNTERS_H

#include <stddef.h>

#include "state.h"

#define PROF_COUNTER_NONE UINT32_MAX

/* Maps the counters that nobody reads, and those of the first records; `head`: a checked copy of the header. */
void prof_counters_open(int fd, const struct prof_control *head);
/* After a recording. */
void prof_counters_close(void);
/* Numbers for `count` counters; PROF_COUNTER_NONE: there are not so many.  Under the lock of attaching. */
uint32_t prof_counters_take(size_t count);
/* Gives the attached thread its counters; those that nobody reads, if there is no record or no address space. */
void prof_counters_give(struct prof_cell *);

#endif
