/*
 * tools/command/next_loop.h - the end of `prof report`: the hottest loop, and what to look at next.
 */
#ifndef PROF_COMMAND_NEXT_LOOP_H
#define PROF_COMMAND_NEXT_LOOP_H

#include "output.h"
#include "reader.h"

/* Prints two lines below a table; nothing when no loop with probes ran.  The profile was folded with loops. */
prof_status prof_next_loop(const struct prof_profile *, const struct prof_reader *, const struct prof_output *,
                           struct prof_diag *) PROF_MUST_CHECK;

#endif
