/*
 * tools/record/pump/left_behind.h - finds processes that still map the shared region: recorded ones, and forked ones
 * that have reported nothing because they have not reached a probe yet.
 *
 * In: the region, /proc.  A process that executed another program no longer maps it.
 */
#ifndef PROF_RECORD_LEFT_BEHIND_H
#define PROF_RECORD_LEFT_BEHIND_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/region/region.h"
#include "record/tables/process_table.h"

enum prof_left_behind { PROF_LEFT_NOT = 0, PROF_LEFT_THERE, PROF_LEFT_UNKNOWN /* no permission to ask */ };

enum prof_left_behind prof_left_behind_ask(const struct prof_region *, pid_t);

/* Calls `found` for each process except this one. */
void prof_left_behind_each(const struct prof_region *, void (*found)(void *context, pid_t), void *context);

/* Is there one that isn't in the table?  Then when the first and the last of them began, of prof_steady_ns, to a step
 * of the system's clock; 0 and UINT64_MAX: somewhen. */
bool prof_left_behind_unknown(const struct prof_region *, const struct prof_processes *, uint64_t *first_ns,
                              uint64_t *last_ns);

#endif
