/*
 * tools/record/pump/missing.h - what a recording doesn't have: processes, the rest of them, units without probes.
 *
 * In: the pump's tables.  Out: figures in its result, notes in the trace.  Called in the pump.
 */
#ifndef PROF_RECORD_MISSING_H
#define PROF_RECORD_MISSING_H

#include "record/pump/pump_state.h"

/* Finds forked processes that have come to no probe yet: from here on they are in the table, too. */
void prof_missing_look(struct prof_pump *);

/* At the end: which processes still run, which were never recorded, which modules have units without probes. */
void prof_missing_count(struct prof_pump *);

#endif
