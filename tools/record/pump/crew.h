/*
 * tools/record/pump/crew.h - reads several rings at the same time, where several are nearly full.
 *
 * One thread reads some 150 million events a second.  Where the program's threads write more, they wait for it; so the
 * pump then takes other processors of the machine.  In: the pump, in a turn, before it reads the rings one by one. Out:
 * the rings that were read (their channels' `is_read`), to be passed over in this turn.
 *
 * Each ring is read by one thread at a time, so a thread's chunks keep their order.  What several rings share is
 * changed by the pump alone: a hand that finds a new record in the log stops, and the pump takes it.  The pump works
 * alone with a budget, with --start-at or --stop-at, and where little room is left in the trace.
 */
#ifndef PROF_RECORD_CREW_H
#define PROF_RECORD_CREW_H

#include "record/pump/pump_state.h"

/* Returns the number of slots passed; 0: no rings, or one, are that full. */
uint64_t prof_crew_read(struct prof_pump *, enum prof_channel_depth);

/* Before the writer is closed, after the channels are. */
void prof_crew_fini(struct prof_crew *);

#endif
