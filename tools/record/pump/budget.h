/*
 * tools/record/pump/budget.h - what threads may hold, so that all together stay within --buffer.
 *
 * In: the pump as it is.  Out: words of the region that threads read before they take a segment; chunks of encoders
 * that hold too much.  Within --buffer: what segments take in memory, but for a page of each thread; and, as much once
 * more, what encoders take, but for some 30 KB of each thread that writes at the time.  Called by the pump's thread.
 */
#ifndef PROF_RECORD_BUDGET_H
#define PROF_RECORD_BUDGET_H

#include "record/pump/pump_state.h"

/* What each thread may hold, and how much of each segment is used, by how many threads there are. */
void prof_budget_share(struct prof_pump *);

/* The channel of a record has read, or written: if all hold too much and it holds more than its share it writes. */
void prof_budget_note(struct prof_pump *, uint32_t index);

/* Keeps room on the disk: what was lost must be recorded even when it is full. */
void prof_budget_last_records(struct prof_pump *);

void prof_budget_opened(struct prof_pump *, uint32_t index);
void prof_budget_closing(struct prof_pump *, uint32_t index);

#endif
