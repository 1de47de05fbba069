/*
 * tools/command/record_budget.h - what a recording with a budget says at its end: how much was in bursts, what it cost,
 * and why the budget couldn't be kept.
 */
#ifndef PROF_COMMAND_RECORD_BUDGET_H
#define PROF_COMMAND_RECORD_BUDGET_H

#include <stdio.h>

#include "record/session.h"

/* Without a budget: nothing. */
void prof_record_budget_print(FILE *, const struct prof_session_result *);

#endif
