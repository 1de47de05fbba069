/*
 * tools/analysis/bounds.c - see bounds.h.
 */
#include "analysis/bounds.h"

#include <math.h>

#include "base/whole.h"

static double square(double value) {
  return value * value;
}

void prof_bounds_add(struct prof_bounds *to, const struct prof_estimated *from, uint64_t calls) {
  to->what |= from->what;
  if (from->what & PROF_ESTIMATED_CALLS) {
    to->calls_below2 += square((double)calls - (double)from->calls_low);
    to->calls_above2 += square((double)from->calls_high - (double)calls);
  }
  if (from->what & PROF_ESTIMATED_SELF) {
    to->self_below2 += square((double)from->self_below_ticks);
    to->self_above2 += square((double)from->self_above_ticks);
  }
}

static uint64_t moved(uint64_t value, double by) {
  return by == 0 ? value : prof_whole((double)value + by + 0.5);
}

struct prof_bounds_shown prof_bounds_show(const struct prof_bounds *bounds, uint64_t calls, uint64_t self_ticks) {
  return (struct prof_bounds_shown){.calls_estimated = bounds->what & (PROF_ESTIMATED_CALLS | PROF_ESTIMATED_UNKNOWN),
                                    .total_estimated = bounds->what & PROF_ESTIMATED_TOTAL,
                                    .self_estimated = bounds->what & PROF_ESTIMATED_SELF,
                                    .has_calls_high = !(bounds->what & PROF_ESTIMATED_UNKNOWN),
                                    .calls_low = moved(calls, -sqrt(bounds->calls_below2)),
                                    .calls_high = moved(calls, sqrt(bounds->calls_above2)),
                                    .self_low_ticks = moved(self_ticks, -sqrt(bounds->self_below2)),
                                    .self_high_ticks = moved(self_ticks, sqrt(bounds->self_above2))};
}

bool prof_bounds_know_extremes(const struct prof_bounds_shown *bounds, uint64_t calls, uint64_t timed) {
  bool few = bounds->calls_estimated && (!bounds->has_calls_high || timed < calls / 2);
  return calls > 0 && ((timed > 0 && !few) || (calls == 1 && !bounds->calls_estimated));
}

struct prof_bounds_shown prof_bounds_of(const struct prof_estimated *estimated, uint32_t index, uint64_t calls,
                                        uint64_t self_ticks) {
  struct prof_bounds bounds = {0};
  if (estimated)
    prof_bounds_add(&bounds, &estimated[index], calls);
  return prof_bounds_show(&bounds, calls, self_ticks);
}

bool prof_figures_know_extremes(const struct prof_profile *profile, uint32_t number,
                                const struct prof_function_figures *figures) {
  if (!prof_figures_have_extremes(figures))
    return false;
  const struct prof_estimated *estimated = number < profile->function_count ? profile->estimated_functions : NULL;
  const struct prof_bounds_shown bounds = prof_bounds_of(estimated, number, figures->calls, figures->self_ticks);
  uint64_t timed = prof_histogram_count(profile->histograms, figures->durations);
  return prof_bounds_know_extremes(&bounds, figures->calls, timed);
}
