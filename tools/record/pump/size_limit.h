/*
 * tools/record/pump/size_limit.h - when a recording has to end so that its trace stays within its limit.
 *
 * Job: how much may be read before the next question, and when nothing may.  In: the pump as it is.  Out:
 * the room of the pump; yes or no.
 *
 *   0          what is written      what waits, at worst   the last records   limit
 *   +--------------------------------+----------------------+------------------+
 *                                    |<- room, read in steps that fit into it
 *
 * Nothing is guessed from what a program did before.  What waits in the encoders counts with its size
 * unpacked; when no room is left it is written, and what it really took is known.  So each round takes a
 * part of the room, until it is less than LEAST_PART of the limit.  Called by the pump's thread.
 */
#ifndef PROF_RECORD_SIZE_LIMIT_H
#define PROF_RECORD_SIZE_LIMIT_H

#include <stdbool.h>

#include "record/pump/pump_state.h"

#define PROF_SIZE_LIMIT_LOOK 65536u /* events after which, at a ring's end, the limit is looked at */

/* Whether it has to end; if not, pump->room is what may be read.  options.max_bytes of 0: never. */
bool prof_size_limit_met(struct prof_pump *);

/* Before something that is written at once, and that may be large: as much room as there can be. */
void prof_size_limit_make_room(struct prof_pump *);

/* Where the file may end with the names of what is loaded now.  Small limits may be passed by SLACK_BYTES for them. */
#define PROF_SIZE_LIMIT_SLACK_BELOW (16u << 20)
#define PROF_SIZE_LIMIT_SLACK_BYTES (256u << 10)
uint64_t prof_size_limit_of_names(const struct prof_pump *);

/* Where the file may end when the last samples have been written, so that there is room for what follows them. */
uint64_t prof_size_limit_of_samples(struct prof_pump *);

#endif
