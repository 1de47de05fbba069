/*
 * tools/record/pump/warn.c - see warn.h.
 */
#include "record/pump/warn.h"

#include <stdio.h>

#define MOST 20.0 /* the estimate is a difference of large numbers: above this it only means "much" */

#define FEWER_ZONES                                                                                                    \
  "zones that end in another function, are named at run time, or lie in uninstrumented code are always recorded: put " \
  "them where less is called"
#define FEWER_PROBES "-fplugin-arg-prof-min-statements=N or -fplugin-arg-prof-exclude=GLOB"

static double probe_seconds(const struct prof_warn_figures *figures) {
  return (double)figures->events * figures->event_ns / 1e9;
}

double prof_warn_slowdown(const struct prof_warn_figures *figures) {
  double rest = figures->seconds - probe_seconds(figures) - figures->stalled_seconds;
  if (rest * MOST <= figures->seconds)
    return figures->seconds > 0 ? MOST : 1;
  return figures->seconds / rest;
}

/* Waiting for the recorder isn't the probes' cost: few events do that where the recorder gets no processor. */
static void say_slow(const struct prof_warn_figures *figures, double slowdown, char *text, size_t text_bytes) {
  double rate = (double)figures->events / figures->seconds / 1e6;
  if (figures->of_zones)
    snprintf(text, text_bytes, "the budget can't be kept (%.0f million events/s): " FEWER_ZONES, rate);
  else if (figures->stalled_seconds > probe_seconds(figures))
    snprintf(text, text_bytes,
             "the program waited %.0f%% of its time for the recorder (%.0f million events/s); %scompile with fewer "
             "probes: " FEWER_PROBES,
             100 * figures->stalled_seconds / figures->seconds, rate,
             figures->has_budget ? "" : "record less: --overhead=5%, or ");
  else
    snprintf(text, text_bytes,
             "probes slow the program %s%.0f times (%.0f million events/s); compile with fewer: " FEWER_PROBES,
             slowdown >= MOST ? "more than " : "about ", slowdown, rate);
}

bool prof_warn_next(struct prof_warn *warn, const struct prof_warn_figures *figures, char *text, size_t text_bytes) {
  if (figures->seconds < PROF_WARN_AFTER_SECONDS)
    return false;
  double slowdown = prof_warn_slowdown(figures), growth = (double)figures->bytes / figures->seconds;
  if (!warn->slow_said && slowdown > PROF_WARN_SLOWDOWN) {
    warn->slow_said = true;
    say_slow(figures, slowdown, text, text_bytes);
    return true;
  }
  if (!warn->growth_said && growth > PROF_WARN_BYTES_PER_SECOND) {
    warn->growth_said = true;
    snprintf(text, text_bytes, "the trace grows by %.0f MB/s; limit it (--max-size=N) or the probes: " FEWER_PROBES,
             growth / 1e6);
    return true;
  }
  return false;
}
