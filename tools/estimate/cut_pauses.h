/*
 * tools/estimate/cut_pauses.h - pauses that last over the moment at which the recorder left a thread's frames and
 * entered them again.
 *
 * With a budget, functions leave state always while threads wait in them; `prof ctl` and prof_stop switch recording off
 * and on.  Then a chunk begins with the frames that are open from there on (flag RESUMED).  Time from there on is
 * theirs, so that each pause is cut there: its parts are pauses of the frames on both sides.
 */
#ifndef PROF_ESTIMATE_CUT_PAUSES_H
#define PROF_ESTIMATE_CUT_PAUSES_H

#include <proftrace.h>

#include "estimate/samples.h"

/* By thread and time, before and after.  false: no memory. */
bool prof_pauses_cut(const prof_trace *, struct prof_pause_list *);

#endif
