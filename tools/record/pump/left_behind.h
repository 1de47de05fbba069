/*
 * tools/record/pump/left_behind.h - who still has the shared region mapped: processes that are recorded, and forked
 * ones that have reported nothing because they have not reached a probe yet.
 *
 * In: the region, /proc.  A process that executed another program has it no longer.
 */
#ifndef PROF_RECORD_LEFT_BEHIND_H
#define PROF_RECORD_LEFT_BEHIND_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/region/region.h"

enum prof_left_behind { PROF_LEFT_NOT = 0, PROF_LEFT_THERE, PROF_LEFT_UNKNOWN /* it may not be asked about */ };

enum prof_left_behind prof_left_behind_ask(const struct prof_region *, pid_t);

/* Calls `found` for each process but this one. */
void prof_left_behind_each(const struct prof_region *, void (*found)(void *context, pid_t), void *context);

#endif
