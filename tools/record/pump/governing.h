/*
 * tools/record/pump/governing.h - the pump's side of a recording with a budget (record/governor).
 *
 * Without a budget each of these has no effect.  Called by the pump's thread, and by prof_pump_start.
 */
#ifndef PROF_RECORD_GOVERNING_H
#define PROF_RECORD_GOVERNING_H

#include "record/pump/pump_state.h"

/* false: no thread for windows. */
bool prof_governing_start(struct prof_pump *);

/* How deep the next turn reads: everything now and then, since windows are written when all threads were read. */
enum prof_channel_depth prof_governing_depth(const struct prof_pump *);
/* A turn ends that began at `begin_ticks` (prof_governing_ticks). */
void prof_governing_turn(struct prof_pump *, enum prof_channel_depth, uint64_t begin_ticks);
uint64_t prof_governing_ticks(const struct prof_pump *);

/* Now and then: gives memory back. */
void prof_governing_keep_house(struct prof_pump *);

/* Who may have texts of processes that have ended: of a filter's switched functions, too. */
struct prof_text_others prof_governing_others(struct prof_pump *);

/* What it added to the program so far. */
void prof_governing_figures(const struct prof_pump *, struct prof_governor_figures *);
/* Before the last events are read; after all channels were closed. */
void prof_governing_stop(struct prof_pump *);
void prof_governing_finish(struct prof_pump *);

#endif
