/*
 * tools/estimate/slice_total.c - see slice_total.h.
 */
#include "estimate/slice_total.h"

static double ran(const struct prof_slice_part *part) {
  double ticks = part->cpu_ticks - part->sampling_ticks;
  return ticks > 0 ? ticks : 0;
}

/* What samples say that the program took for an event, ticks. */
static double each_of(const struct prof_slice_part *part) {
  return part->events > 0 ? ran(part) * part->outside / part->events : 0;
}

struct prof_slice_total prof_slice_total_of(const struct prof_slice_part *light, const struct prof_slice_part *rest) {
  double most = each_of(light), least = each_of(rest), limit = ran(light) + ran(rest);
  if (most <= 0)
    return (struct prof_slice_total){0, 0};
  double apart = most > least ? most - least : least - most;
  double each = least > 0 ? (most + least) / 2 : most, ticks = each * (light->events + rest->events);
  return (struct prof_slice_total){ticks < limit ? ticks : limit, apart / (most + least)};
}
