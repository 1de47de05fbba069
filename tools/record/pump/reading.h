/*
 * tools/record/pump/reading.h - has all up to a program's request (prof_read) written, then answered (record/reads).
 *
 * In: requests in the region.  Out: in one file what `prof top` asks for, a flush; in a summary a file that replaces
 * the last one.  The pump waits for neither the summary nor the answer.
 */
#ifndef PROF_RECORD_READING_H
#define PROF_RECORD_READING_H

#include "record/pump/pump_state.h"

/* Takes requests, at the end of a turn.  true: there are some, and their file is not a summary: the pump reads all
 * rings and calls prof_reading_flush. */
bool prof_reading_take(struct prof_pump *);

/* Everything from before `ticks` was read. */
void prof_reading_flush(struct prof_pump *, uint64_t ticks);

/* Called in each turn: a summary that requests wait for may be written. */
void prof_reading_go_on(struct prof_pump *);

#endif
