/*
 * tools/record/pump/budget.h - limits what threads may hold, so that all together stay within --buffer.
 *
 * In: the pump's state.  Out: words of the region that threads read before they take a segment; chunks of encoders that
 * hold too much.  The segments' memory stays within --buffer, plus a page of each thread; so does the encoders' memory,
 * plus some 30 KB of each thread that writes at the time.  Called by the pump's thread.
 */
#ifndef PROF_RECORD_BUDGET_H
#define PROF_RECORD_BUDGET_H

#include "record/pump/pump_state.h"

/* Sets, by the number of threads, what each may hold and how much of each segment is used. */
void prof_budget_share(struct prof_pump *);

/* A record's channel has read or written: if all channels hold too much and this one more than its share, it writes. */
void prof_budget_note(struct prof_pump *, uint32_t index);

/* Keeps space on the disk: lost events must be recorded even on a full disk. */
void prof_budget_last_records(struct prof_pump *);

void prof_budget_opened(struct prof_pump *, uint32_t index);
void prof_budget_closing(struct prof_pump *, uint32_t index);

#endif
