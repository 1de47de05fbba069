/*
 * tools/record/pump/missing.h - what a recording lacks: processes, ends of processes, uninstrumented units.
 *
 * In: the pump's tables.  Out: figures in its result, notes in the trace.  Called in the pump.
 */
#ifndef PROF_RECORD_MISSING_H
#define PROF_RECORD_MISSING_H

#include "record/pump/pump_state.h"

/* Adds forked processes that have not reached a probe yet to the table. */
void prof_missing_look(struct prof_pump *);

/* At the end: which processes still run, which were never recorded, which modules have uninstrumented units. */
void prof_missing_count(struct prof_pump *);

#endif
