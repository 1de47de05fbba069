/*
 * tools/command/record_budget.c - see record_budget.h.
 */
#include "record_budget.h"

#include "view/units.h"

enum { TEXT_BYTES = 256 };

struct cost {      /* CPU time that was added, ns */
  double added_ns; /* all of it */
  double share;    /* of the program's own; 1: that much, or more */
};

static struct cost find_cost(const struct prof_session_result *result) {
  const struct prof_governor_figures *figures = &result->pump.governor;
  double added_ns = figures->events_ns + figures->windows_ns + figures->samples_ns + figures->switches_ns +
                    (double)result->pump.attach_ns;
  double cpu_ns = (double)figures->cpu_ns, program_ns = (double)(result->user_ns + result->system_ns);
  cpu_ns = cpu_ns > program_ns ? cpu_ns : program_ns;
  return (struct cost){added_ns, cpu_ns > 2 * added_ns ? added_ns / (cpu_ns - added_ns) : 1};
}

static bool is_most(const struct cost *cost, double part_ns) {
  return 2 * part_ns > cost->added_ns;
}

/* Why a budget couldn't be kept; the first reason that holds is told. */
static bool of_private_modules(const struct prof_session_result *result, const struct cost *cost, char *text) {
  (void)cost;
  uint32_t count = result->pump.governor.private_modules;
  snprintf(text, TEXT_BYTES, "the system forbids switching probes in %u module%s; use --full or fewer probes", count,
           count == 1 ? "" : "s");
  return count > 0;
}

static bool of_zones(const struct prof_session_result *result, const struct cost *cost, char *text) {
  const struct prof_governor_figures *figures = &result->pump.governor;
  snprintf(text, TEXT_BYTES,
           "zones that end in another function, are named at run time, or lie in uninstrumented code are always "
           "recorded: prof report --by=zone shows which");
  return figures->of_zones && is_most(cost, figures->events_ns);
}

static bool of_switches(const struct prof_session_result *result, const struct cost *cost, char *text) {
  snprintf(text, TEXT_BYTES, "most of it is recording when threads wait; --sample=off leaves that out");
  return is_most(cost, result->pump.governor.switches_ns);
}

static bool of_starts(const struct prof_session_result *result, const struct cost *cost, char *text) {
  char each[PROF_UNITS_BYTES];
  uint32_t count = result->pump.attached;
  if (count < 2)
    return false;
  snprintf(text, TEXT_BYTES, "most of it is the start of %u processes, %s each", count,
           prof_units_duration(each, result->pump.attach_ns / count));
  return is_most(cost, (double)result->pump.attach_ns);
}

static bool (*const reasons[])(const struct prof_session_result *, const struct cost *,
                               char *text) = {of_private_modules, of_zones, of_switches, of_starts};

/* What switches cost differs between machines; it is counted as on the slowest. */
static void describe_overhead(const struct prof_session_result *result, const struct cost *cost, char *text) {
  const char *most = is_most(cost, result->pump.governor.switches_ns) ? "up to " : "";
  if (cost->share < 1)
    snprintf(text, TEXT_BYTES, "overhead %sabout %.1f%%", most, cost->share * 100);
  else
    snprintf(text, TEXT_BYTES, "overhead about 100%% or more");
}

void prof_record_budget_print(FILE *file, const struct prof_session_result *result) {
  const struct prof_governor_figures *figures = &result->pump.governor;
  if (figures->budget <= 0)
    return;
  struct cost cost = find_cost(result);
  char overhead[TEXT_BYTES], reason[TEXT_BYTES], zones[64] = "";
  describe_overhead(result, &cost, overhead);
  if (figures->burst_zones > 0)
    snprintf(zones, sizeof zones, " and %u of %u zones", figures->burst_zones, figures->zones);
  if (figures->functions > 0 && figures->burst_functions + figures->burst_zones == 0)
    fprintf(file, "prof: %s%u function%s recorded exactly; %s (budget %g%%)\n", figures->functions > 1 ? "all " : "",
            figures->functions, figures->functions == 1 ? "" : "s", overhead, figures->budget * 100);
  else if (figures->functions > 0)
    fprintf(file, "prof: %u of %u functions%s recorded in bursts (estimated); %s (budget %g%%)\n",
            figures->burst_functions, figures->functions, zones, overhead, figures->budget * 100);
  for (size_t i = 0; cost.share > figures->budget && i < sizeof reasons / sizeof *reasons; i++)
    if (reasons[i](result, &cost, reason)) {
      fprintf(file, "prof: the budget of %g%% can't be kept: %s\n  %s\n", figures->budget * 100, overhead, reason);
      return;
    }
}
