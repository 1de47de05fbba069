/*
 * tools/command/budget_value.c - see budget_value.h.
 */
#include "budget_value.h"

#include <string.h>

#include "command.h"
#include "options/values.h"

#define LEAST_BUDGET 0.01
#define MOST_BUDGET 0.5

static const struct {
  const char *name;
  double budget;
} presets[] = {{"production", 0.02}, {"dev", 0.05}, {"full", 0}};

/* It needs its %: 5 could be a factor too. */
prof_status prof_budget_value(const char *flag, const char *value, double *budget, struct prof_diag *diag) {
  size_t bytes = strlen(value);
  for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
    if (strcmp(value, presets[i].name) == 0) {
      *budget = presets[i].budget;
      return PROF_OK;
    }
  if (bytes == 0 || value[bytes - 1] != '%' || prof_value_share(flag, value, budget, NULL) != PROF_OK)
    return prof_command_usage(diag, "give percent of CPU time, as in 5%, or one of: production dev full",
                              "%s=%s is no budget", flag, value);
  if (*budget >= LEAST_BUDGET && *budget <= MOST_BUDGET)
    return PROF_OK;
  return prof_command_usage(diag, "give 1% to 50%; full has no limit and records every call", "%s=%s can't be kept",
                            flag, value);
}
