/*
 * tools/record/pump/pump.h - the thread that empties all rings into the trace.
 *
 * In: the shared region.  Out: chunks of the writer, free segments, woken threads, figures.  It sleeps on the region's
 * bell; an idle turn reads each thread record once.
 *
 * Threads: the session's thread calls prof_pump_start to prof_pump_finish; everything else runs in the pump.
 */
#ifndef PROF_RECORD_PUMP_H
#define PROF_RECORD_PUMP_H

#include "record/pump/pump_state.h"

/* PROF_NO_MEMORY, PROF_IO.  The region and the writer must outlive it. */
prof_status prof_pump_start(struct prof_pump *, const struct prof_pump_options *, struct prof_diag *) PROF_MUST_CHECK;

/* No recorded process is left (until_all_gone). */
bool prof_pump_has_ended(const struct prof_pump *);

/* A recording in parts goes on in the next one, and one that rings writes what it holds, soon.  Else without effect.
 * The pump may not have been started, or may have finished. */
void prof_pump_snapshot(struct prof_pump *);

/* Has the last seconds of a ring or a summary written, soon (prof_snapshots_ask_look). */
void prof_pump_look(struct prof_pump *);

/* Ends the recording although processes run; prof_pump_finish is still needed. */
void prof_pump_interrupt(struct prof_pump *);

/* The program has ended, or the recording of it: calls that are open then end now.  The first call counts. */
void prof_pump_saw_end(struct prof_pump *);

/* Reads the rest, notifies the programs that recording ended, joins the thread.  The result stays in the struct. */
void prof_pump_finish(struct prof_pump *);

#endif
