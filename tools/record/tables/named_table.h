/*
 * tools/record/tables/named_table.h - zones and points whose names programs make while they run.
 *
 * In: NAMED records of the log.  Out: SITES chunks of zones, NAMED chunks of points, and the map of sites.  Part of
 * module_table.h; used by the pump only.
 */
#ifndef PROF_RECORD_NAMED_TABLE_H
#define PROF_RECORD_NAMED_TABLE_H

#include "record/tables/module_table.h"

void prof_modules_named(struct prof_modules *, const struct prof_log_named *, const char *name);
void prof_named_fini(struct prof_modules *);

#endif
