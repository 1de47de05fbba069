/*
 * tools/estimate/sample_rates.c - see sample_rates.h.
 */
#include "estimate/sample_rates.h"

struct era { /* from the end of the usual rate to its next begin */
  uint64_t begin;
  PROF_VEC(struct prof_sampled_stretch) stretches;
};

/* One fast sample's worth, if its stretches were all of the time. */
static double times_of(const prof_trace *trace) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  bool known = sampler && sampler->period_ns > 0 && sampler->extra_period_ns > 0;
  return known ? (double)sampler->extra_period_ns / (double)sampler->period_ns : 0;
}

static bool end_era(struct prof_sample_rates *rates, struct era *era, uint64_t end, double times) {
  bool done = true;
  rates->stretch_ticks +=
      prof_stretch_parts_add(&rates->parts, era->stretches.items, era->stretches.count, era->begin, end, times, &done);
  rates->stretches += (uint32_t)era->stretches.count;
  era->stretches.count = 0;
  return done;
}

bool prof_sample_rates_init(struct prof_sample_rates *rates, const prof_trace *trace) {
  size_t count;
  const struct prof_rate_change *changes = prof_trace_rates(trace, &count);
  double times = times_of(trace);
  uint64_t first = prof_trace_info(trace)->start_ticks, last = prof_trace_info(trace)->last_ticks;
  uint32_t rate = PROF_RATE_USUAL;
  struct era era = {0};
  bool done = true;
  *rates = (struct prof_sample_rates){0};
  if (count > 0 && changes[count - 1].time > last)
    last = changes[count - 1].time;
  for (size_t i = 0; i < count && times > 0 && done; i++) {
    uint64_t next = i + 1 < count ? changes[i + 1].time : last;
    if (rate == PROF_RATE_USUAL && changes[i].rate != PROF_RATE_USUAL)
      era.begin = changes[i].time > first ? changes[i].time : first;
    else if (rate != PROF_RATE_USUAL && changes[i].rate == PROF_RATE_USUAL)
      done = end_era(rates, &era, changes[i].time, times);
    rate = changes[i].rate;
    if (done && rate == PROF_RATE_FAST && next > changes[i].time)
      done = prof_vec_push(&era.stretches, ((struct prof_sampled_stretch){changes[i].time, next}));
  }
  if (done && rate != PROF_RATE_USUAL)
    done = end_era(rates, &era, last, times);
  prof_vec_fini(&era.stretches);
  return done;
}

void prof_sample_rates_fini(struct prof_sample_rates *rates) {
  prof_vec_fini(&rates->parts);
}

double prof_sample_rates_times(const struct prof_sample_rates *rates, uint64_t time) {
  return prof_stretch_parts_times(&rates->parts, time);
}
