/*
 * tools/record/pump/pump_log.h - the programs' own records, from the region's log into the pump's tables and the trace.
 */
#ifndef PROF_RECORD_PUMP_LOG_H
#define PROF_RECORD_PUMP_LOG_H

#include "record/pump/pump_state.h"

/*
 * Takes what the log has by now; context: the pump.  Names that are too much for the trace are left out, and with them
 * everything after them: then the recording ends.
 */
struct prof_site_map prof_pump_catch_up(void *context);

#endif
