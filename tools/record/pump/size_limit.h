/*
 * tools/record/pump/size_limit.h - ends a recording before its trace exceeds its limit.
 *
 * Job: how much may be read before the next check, and when nothing may.  In: the pump's state.  Out: the pump's room;
 * yes or no.
 *
 *    0          what is written      what waits, at worst   the last records   limit
 *    +--------------------------------+----------------------+------------------+
 *                                     |<- room, read in steps that fit into it
 *
 * It uses no estimates of the program's future.  Data waiting in the encoders counts with its unpacked size; when no
 * room is left it is written, and its real size is known.  So each round uses a part of the room, until it is less than
 * LEAST_PART of the limit.  Called by the pump's thread.
 */
#ifndef PROF_RECORD_SIZE_LIMIT_H
#define PROF_RECORD_SIZE_LIMIT_H

#include <stdbool.h>

#include "record/pump/pump_state.h"

#define PROF_SIZE_LIMIT_LOOK 65536u /* events between two checks of the limit at a ring's end */

/* Must the recording end?  If not, sets pump->room to what may be read.  options.max_bytes of 0: never. */
bool prof_size_limit_met(struct prof_pump *);

/* Makes as much room as possible for large data that is written at once. */
void prof_size_limit_make_room(struct prof_pump *);

/* Limit of the file with the names of what is loaded now.  Small limits may be exceeded by SLACK_BYTES for them. */
#define PROF_SIZE_LIMIT_SLACK_BELOW (16u << 20)
#define PROF_SIZE_LIMIT_SLACK_BYTES (256u << 10)
uint64_t prof_size_limit_of_names(const struct prof_pump *);

/* Limit of the file after the last samples, so that there is room for what follows them. */
uint64_t prof_size_limit_of_samples(struct prof_pump *);

#endif
