/*
 * tools/record/budget.h - what threads may hold, so that all together stay within --buffer.
 *
 * In: the pump as it is.  Out: words of the region that threads read before they take a segment.
 */
#ifndef PROF_RECORD_BUDGET_H
#define PROF_RECORD_BUDGET_H

#include "record/pump.h"

void prof_budget_share(struct prof_pump *);

#endif
