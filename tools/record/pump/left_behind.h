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

enum prof_left_behind { PROF_LEFT_NOT = 0, PROF_LEFT_THERE, PROF_LEFT_UNKNOWN /* no permission to ask */ };

enum prof_left_behind prof_left_behind_ask(const struct prof_region *, pid_t);

/* Calls `found` for each process except this one. */
void prof_left_behind_each(const struct prof_region *, void (*found)(void *context, pid_t), void *context);

#endif
