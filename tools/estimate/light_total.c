/*
 * tools/estimate/light_total.c - see light_total.h.
 */
#include "estimate/light_total.h"

static double ran(const struct prof_thread_part *part) {
  double ticks = part->cpu_ticks - part->sampling_ticks;
  return ticks > 0 ? ticks : 0;
}

/* The samples' estimate of what the program took for an event, ticks. */
static double each_of(const struct prof_thread_part *part) {
  return part->events > 0 ? ran(part) * part->outside / part->events : 0;
}

struct prof_light_total prof_light_total_of(const struct prof_thread_part *light, const struct prof_thread_part *rest) {
  double most = each_of(light), least = each_of(rest), limit = ran(light) + ran(rest);
  if (most <= 0)
    return (struct prof_light_total){0, 0};
  double apart = most > least ? most - least : least - most;
  double each = least > 0 ? (most + least) / 2 : most, ticks = each * (light->events + rest->events);
  return (struct prof_light_total){ticks < limit ? ticks : limit, apart / (most + least)};
}
