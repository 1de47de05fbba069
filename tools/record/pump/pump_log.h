/*
 * tools/record/pump/pump_log.h - takes the programs' own records from the region's log into the pump's tables and the
 * trace.
 */
#ifndef PROF_RECORD_PUMP_LOG_H
#define PROF_RECORD_PUMP_LOG_H

#include "record/pump/pump_state.h"

/* The recording has data: its folder may get its name, so nothing else writes to it meanwhile. */
void prof_pump_has_data(struct prof_pump *);

/* Takes the log's new records; context: the pump.  Names that exceed the trace's limit are left out, with everything
 * after them: then the recording ends. */
struct prof_site_map prof_pump_catch_up(void *context);

#endif
