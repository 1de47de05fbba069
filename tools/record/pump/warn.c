/*
 * tools/record/pump/warn.c - see warn.h.
 */
#include "record/pump/warn.h"

#include <stdio.h>

#define MOST 20.0 /* the estimate is a difference of large numbers: above this it only means "much" */

double prof_warn_slowdown(const struct prof_warn_figures *figures) {
  double added = (double)figures->events * figures->event_ns / 1e9 + figures->stalled_seconds;
  double rest = figures->seconds - added;
  if (rest * MOST <= figures->seconds)
    return figures->seconds > 0 ? MOST : 1;
  return figures->seconds / rest;
}

bool prof_warn_next(struct prof_warn *warn, const struct prof_warn_figures *figures, char *text, size_t text_bytes) {
  if (figures->seconds < PROF_WARN_AFTER_SECONDS)
    return false;
  double slowdown = prof_warn_slowdown(figures), growth = (double)figures->bytes / figures->seconds;
  if (!warn->slow_said && slowdown > PROF_WARN_SLOWDOWN) {
    warn->slow_said = true;
    snprintf(text, text_bytes,
             "probes slow the program %s%.0f times (%.0f million events/s); compile with fewer: "
             "-fplugin-arg-prof-min-statements=N or -fplugin-arg-prof-exclude=GLOB",
             slowdown >= MOST ? "more than " : "about ", slowdown, (double)figures->events / figures->seconds / 1e6);
    return true;
  }
  if (!warn->growth_said && growth > PROF_WARN_BYTES_PER_SECOND) {
    warn->growth_said = true;
    snprintf(text, text_bytes,
             "the trace grows by %.0f MB/s; limit it (--max-size=N) or the probes: "
             "-fplugin-arg-prof-min-statements=N or -fplugin-arg-prof-exclude=GLOB",
             growth / 1e6);
    return true;
  }
  return false;
}
