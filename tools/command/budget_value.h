/*
 * tools/command/budget_value.h - a budget on the command line: how much CPU time a recording may add.
 */
#ifndef PROF_COMMAND_BUDGET_VALUE_H
#define PROF_COMMAND_BUDGET_VALUE_H

#include "prof_status.h"

/* "5%": 0.05, from 1% to 50%; "production", "dev": their budgets; "full": 0, no limit.  Else PROF_USAGE.  flag: with
 * dashes. */
prof_status prof_budget_value(const char *flag, const char *value, double *budget, struct prof_diag *) PROF_MUST_CHECK;

#endif
