/*
 * tools/record/size_limit.h - when a recording has to end so that its trace stays within its limit.
 *
 * Job: tells what closing the recording would add, by what waits in the encoders, the samplers and the tables.  In: the
 * pump as it is.  Out: yes or no; near the limit it writes what waits, since an estimate of little can't be far off.
 * Called by the pump's thread.
 */
#ifndef PROF_RECORD_SIZE_LIMIT_H
#define PROF_RECORD_SIZE_LIMIT_H

#include <stdbool.h>

#include "record/pump.h"

#define PROF_SIZE_LIMIT_RING 262144u /* events that one look at one ring may take */
#define PROF_SIZE_LIMIT_LOOK 65536u  /* events after which, at a ring's end, the limit is looked at */

/* options.max_bytes of 0: never. */
bool prof_size_limit_met(struct prof_pump *);

#endif
