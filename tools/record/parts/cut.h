/*
 * tools/record/parts/cut.h - ends a file of the recording and begins the next one, at one moment for all threads.
 */
#ifndef PROF_RECORD_CUT_H
#define PROF_RECORD_CUT_H

#include "record/pump/pump_state.h"

/* Is it time for it?  `now_ns`: of a steady clock. */
bool prof_cut_is_due(const struct prof_pump *, uint64_t now_ns);

/* Shows prof top the stretch of a summary that ended last, if that was asked for and the present one is shorter; else
 * the next cut does. */
void prof_cut_look_back(struct prof_pump *, uint64_t now_ns);

/* Stops what would write times from before: call it, read the clock, read all rings, and call prof_cut_make. */
void prof_cut_prepare(struct prof_pump *);

/* Everything written before `ticks` was read.  If it fails, the writer has the error. */
void prof_cut_make(struct prof_pump *, uint64_t ticks);

/* The program called prof_clear at `ticks`, in a recording in one file: readers show nothing from before. */
void prof_cut_clear(struct prof_pump *, uint64_t ticks);

/* A thread had ended before the last prof_clear, though the recorder didn't know it then: readers show nothing of it.
 */
void prof_cut_forget(struct prof_pump *, uint32_t number);

/* A reader wants everything up to `ticks`: writes what waits, with a step of each thread that has open frames. */
void prof_cut_flush(struct prof_pump *, uint64_t ticks);

#endif
